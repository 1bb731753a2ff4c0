import { classNames } from './class-names';
import { TONE_FILL, type Tone } from './tone';

/** A thin bar of how much is done, 0..1. */
export function Meter({ fraction, tone = 'quiet', label }: { fraction: number; tone?: Tone; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, fraction)) * 1000) / 10;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1 overflow-hidden rounded-sm bg-line"
    >
      <div className={classNames('h-full', TONE_FILL[tone])} style={{ width: `${percent}%` }} />
    </div>
  );
}
