'use client';
import { useState, type ComponentProps } from 'react';
import NextLink from 'next/link';

/**
 * A link within the product. Its page is made ready when the pointer or the focus comes to it, not because it is on
 * screen: a page of lists would ask the server for hundreds of pages while its reader waits for one.
 */
export function Link({ onMouseEnter, onFocus, ...props }: ComponentProps<typeof NextLink>) {
  const [isNear, setIsNear] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={isNear ? null : false}
      onMouseEnter={(event) => {
        setIsNear(true);
        onMouseEnter?.(event);
      }}
      onFocus={(event) => {
        setIsNear(true);
        onFocus?.(event);
      }}
    />
  );
}
