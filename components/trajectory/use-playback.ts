'use client';
import { useEffect, useEffectEvent, useState } from 'react';

export const PLAYBACK_SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;
export type PlaybackSpeed = (typeof PLAYBACK_SPEEDS)[number];

/** ms that a turn stays on screen at speed 1. */
const TURN_MS = 700;

export interface Playback {
  playing: boolean;
  speed: PlaybackSpeed;
  setSpeed(speed: PlaybackSpeed): void;
  toggle(): void;
  /** A step by the reader's hand, from 0 to `last`: it pauses, so that the clock does not take the turn away. */
  go(position: number): void;
}

/** Steps through turns by the clock; stops by itself at the end. Started at the end, it begins anew. */
export function usePlayback(position: number, last: number, show: (position: number) => void): Playback {
  const [started, setStarted] = useState(false);
  const [speed, setSpeed] = useState<PlaybackSpeed>(1);
  const playing = started && position < last;
  const advance = useEffectEvent(() => {
    if (position + 1 >= last) setStarted(false);
    show(Math.min(position + 1, last));
  });
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => advance(), TURN_MS / speed);
    return () => clearInterval(timer);
  }, [playing, speed]);
  return {
    playing,
    speed,
    setSpeed,
    toggle() {
      if (!playing && position >= last) show(0);
      setStarted(!playing);
    },
    go(next) {
      setStarted(false);
      show(Math.min(Math.max(next, 0), last));
    },
  };
}
