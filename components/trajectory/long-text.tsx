'use client';
import { ShowAll, useGrowing } from '@/components/ui/growing';
import { PlainText } from './plain-text';

const CHARACTERS_AT_ONCE = 6_000;

/** Text of any length: its beginning, and the rest when it is asked for. */
export function LongText({ text }: { text: string }) {
  const growing = useGrowing(text.length, CHARACTERS_AT_ONCE, text);
  return (
    <>
      <PlainText text={growing.shown < text.length ? text.slice(0, growing.shown) : text} />
      <ShowAll growing={growing} total={text.length} unit="characters" />
    </>
  );
}
