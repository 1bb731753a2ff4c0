import type { Socket } from 'socket.io';
import { AppError, toErrorBody } from '@/contract/errors';

/** What comes with an event: whether a request does, and whether its sender waits for an answer. */
interface MessageShape {
  request: boolean;
  answered: boolean;
}

/**
 * Refuses messages of another shape before any handler sees them: unknown events, missing or surplus arguments.
 * An event that is answered is not carried out for a sender that waits for no answer: a claim would hold a run
 * that nobody knows of.
 */
export function refuseOtherShapes<Event extends string>(
  socket: Pick<Socket, 'use'>,
  shapes: Record<Event, MessageShape>,
): void {
  socket.use((packet, next) => {
    const [event, ...rest] = packet as [string, ...unknown[]];
    const last = rest[rest.length - 1];
    const acknowledge = typeof last === 'function' ? last : null;
    const requests = rest.length - (acknowledge ? 1 : 0);
    const problem = problemOf(event, requests, acknowledge !== null, shapes);
    if (problem === null) next();
    else
      acknowledge?.({
        ok: false,
        ...toErrorBody(new AppError('invalid_input', problem, [{ path: '', message: problem }])),
      });
  });
}

function problemOf(
  event: string,
  requests: number,
  isAnswered: boolean,
  shapes: Record<string, MessageShape>,
): string | null {
  const shape = Object.hasOwn(shapes, event) ? shapes[event] : undefined;
  if (!shape) return `no event is called ${event}; expected one of ${Object.keys(shapes).join(', ')}`;
  const expected = shape.request ? 1 : 0;
  if (requests !== expected)
    return `${event} came with ${requests} arguments before its acknowledgement, expected ${expected}`;
  return shape.answered && !isAnswered ? `${event} asks for an acknowledgement` : null;
}
