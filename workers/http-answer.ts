/** What comes back from another server: an answer that is bounded, or why there is none. */
import { AppError } from '@/contract/errors';

/** The body of an answer. Throws `too_large`, naming `place`, past `maxBytes`, and what the network throws. */
export async function readBounded(response: Response, maxBytes: number, place: string): Promise<Buffer> {
  const reader = response.body?.getReader();
  if (!reader) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new AppError('too_large', `${place} answered more than ${maxBytes} bytes`);
    }
    chunks.push(value);
  }
}

/** Whether nothing listened at the address, so that the request was certainly not carried out. */
export function isConnectionRefused(error: unknown): boolean {
  return causesOf(error).some((cause) => 'code' in cause && cause.code === 'ECONNREFUSED');
}

/** What went wrong with a request that gave no whole answer, to follow its address. `hadBegun`: some of it had come. */
export function failureText(
  error: unknown,
  { timeoutMs, hadBegun }: { timeoutMs: number; hadBegun: boolean },
): string {
  const causes = causesOf(error);
  if (causes.some(({ name }) => name === 'TimeoutError'))
    return `gave no whole answer within ${timeoutMs / 1000} s`;
  if (isConnectionRefused(error)) return 'refused the connection';
  const reason = causes.findLast(({ message }) => message !== '')?.message ?? String(error);
  return hadBegun ? `broke off its answer: ${reason}` : `gave no answer: ${reason}`;
}

/** The beginning of a text, in quotation marks. */
export function quote(text: string, mostCharacters: number): string {
  const shown = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
  return text === '' ? 'nothing' : `“${shown}”`;
}

/** An error and what caused it, outermost first. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause);
  return causes;
}
