import type { RunEvent, RunEventKind } from '@/contract/run-events';
import type { ParsedEvent } from './parse-events';

/** An event of one known kind with its stamp. */
export interface EventOf<Kind extends RunEventKind> {
  seq: number;
  at: number;
  event: Extract<RunEvent, { kind: Kind }>;
}

/** The events of one kind, in their order. */
export function eventsOf<Kind extends RunEventKind>(
  events: readonly ParsedEvent[],
  kind: Kind,
): EventOf<Kind>[] {
  return events.flatMap((parsed) =>
    parsed.known && isOfKind(parsed.event, kind)
      ? [{ seq: parsed.seq, at: parsed.at, event: parsed.event }]
      : [],
  );
}

function isOfKind<Kind extends RunEventKind>(
  event: RunEvent,
  kind: Kind,
): event is Extract<RunEvent, { kind: Kind }> {
  return event.kind === kind;
}
