import { AppError } from '@/contract/errors';

/**
 * Checks the options given to an environment against its defaults, which name all there are: `maxTurns` is a positive
 * integer or null, every other option is true or false. Throws, naming it, where one is unknown or its value is not valid.
 */
export function requireValidOptions(environment: string, defaults: object, given: object): void {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaults, name)) {
      const names = Object.keys(defaults).join(', ');
      throw new AppError('invalid_input', `There is no ${environment} option "${name}". Options: ${names}`);
    }
    if (name === 'maxTurns') requireMaxTurns(value);
    else if (typeof value !== 'boolean') {
      throw new AppError('invalid_input', `${name} must be true or false, got ${String(value)}`);
    }
  }
}

function requireMaxTurns(value: unknown): void {
  if (value === null || (typeof value === 'number' && Number.isSafeInteger(value) && value > 0)) return;
  throw new AppError('invalid_input', `maxTurns must be a positive integer or null, got ${String(value)}`);
}
