import { ChevronLeft, ChevronRight, Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { Button, IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { PLAYBACK_SPEEDS, type Playback } from './use-playback';

/** First, back, play, on, last, and the speed. Positions count from 0. */
export function PlayControls({
  playback,
  position,
  last,
  noun = 'turn',
}: {
  playback: Playback;
  position: number;
  last: number;
  noun?: string;
}) {
  const { playing, speed, setSpeed, toggle, go } = playback;
  return (
    <div className="flex flex-wrap items-center gap-1">
      <IconButton label={`First ${noun}`} onClick={() => go(0)}>
        <Icon of={SkipBack} />
      </IconButton>
      <IconButton label={`Previous ${noun}`} onClick={() => go(position - 1)}>
        <Icon of={ChevronLeft} />
      </IconButton>
      <Button className="w-18 justify-center" onClick={toggle} aria-pressed={playing}>
        <Icon of={playing ? Pause : Play} size="small" />
        {playing ? 'Pause' : 'Play'}
      </Button>
      <IconButton label={`Next ${noun}`} onClick={() => go(position + 1)}>
        <Icon of={ChevronRight} />
      </IconButton>
      <IconButton label={`Last ${noun}`} onClick={() => go(last)}>
        <Icon of={SkipForward} />
      </IconButton>
      <select
        aria-label="Speed"
        value={speed}
        onChange={(event) => {
          const chosen = PLAYBACK_SPEEDS.find((option) => String(option) === event.target.value);
          if (chosen) setSpeed(chosen);
        }}
        className="h-5.5 rounded-md border border-line-2 bg-surface px-1 text-xs"
      >
        {PLAYBACK_SPEEDS.map((option) => (
          <option key={option} value={option}>
            {option}×
          </option>
        ))}
      </select>
    </div>
  );
}
