'use client';
import { useEffect, useRef, useState, type ReactNode } from 'react';

/** How far beyond the window's edges content is made ready. */
const MARGIN = '800px 0px';

/**
 * Content while it is in the window or near it; else empty room as high as the content was, before that as high as
 * `height`, in px. A page of very many parts then holds a few of them at a time.
 */
export function WhenNear({ height, children }: { height: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  const [room, setRoom] = useState(height);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const near = entries.at(-1)?.isIntersecting ?? false;
        if (!near && element.offsetHeight > 0) setRoom(element.offsetHeight);
        setIsNear(near);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} style={isNear ? undefined : { height: room }}>
      {isNear ? children : null}
    </div>
  );
}
