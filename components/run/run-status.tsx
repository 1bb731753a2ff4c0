import {
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePause,
  CircleStop,
  CircleX,
  Clock,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import type { RunStatus } from '@/contract/run';
import { StateWord } from '@/components/ui/state-word';
import type { Tone } from '@/components/ui/tone';

/** How each status looks: the one place where a status becomes an icon and a tone. */
export const STATUS_LOOKS: Record<RunStatus, { icon: LucideIcon; tone: Tone; meaning: string }> = {
  queued: { icon: Clock, tone: 'quiet', meaning: 'Waits for a worker to claim it' },
  starting: { icon: CircleDashed, tone: 'info', meaning: 'A worker has claimed it and loads the model' },
  running: { icon: CircleDot, tone: 'info', meaning: 'Trains' },
  paused: { icon: CirclePause, tone: 'warn', meaning: 'Waits, for what its reason names or for a person' },
  stopping: { icon: CircleStop, tone: 'warn', meaning: 'Was asked to stop and saves what it has' },
  finished: { icon: CircleCheck, tone: 'ok', meaning: 'All steps are done' },
  failed: { icon: CircleX, tone: 'bad', meaning: 'Ended by an error' },
  stopped: { icon: CircleStop, tone: 'quiet', meaning: 'Ended because somebody stopped it' },
  lost: { icon: Unplug, tone: 'warn', meaning: 'No heartbeat for a lease; the next one revives it' },
};

export function RunStatusWord({ status, reason }: { status: RunStatus; reason?: string | null }) {
  const { icon, tone, meaning } = STATUS_LOOKS[status];
  return (
    <StateWord icon={icon} tone={tone} title={reason ?? meaning}>
      {status}
    </StateWord>
  );
}
