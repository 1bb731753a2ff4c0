import { AppError } from '@/contract/errors';
import type { DtypeOffer, GpuReport } from '@/contract/worker-report';

/** What a machine gives to the command that is started on it. */
export interface CommandMachine {
  gpus: readonly GpuReport[];
  dtype: DtypeOffer['dtype'];
}

const PLACEHOLDER = /\{([a-z]+)\}/g;

/**
 * The arguments with `{dtype}` and `{gpus}`, the number of cards, filled in. Throws `invalid_input` naming any other word
 * in braces; JSON within an argument is none, for its braces do not stand around a bare word.
 */
export function fillArguments(argv: readonly string[], { gpus, dtype }: CommandMachine): string[] {
  const values: Record<string, string> = { dtype, gpus: String(gpus.length) };
  return argv.map((argument) =>
    argument.replace(PLACEHOLDER, (_, name: string) => {
      const value = values[name];
      if (value !== undefined) return value;
      throw new AppError(
        'invalid_input',
        `STEPSCOPE_ENGINE_COMMAND has {${name}}, expected one of ${Object.keys(values)
          .map((each) => `{${each}}`)
          .join(', ')}`,
      );
    }),
  );
}
