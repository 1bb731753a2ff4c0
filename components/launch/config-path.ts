import { isRecord } from './record';

/** Value at a dotted path; `undefined` where there is none. */
export function valueAtPath(config: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, name) => (isRecord(part) ? part[name] : undefined), config);
}

/** A copy of the config with a value at a dotted path, whose parts are made where there are none. */
export function withValue(config: unknown, path: string, value: unknown): unknown {
  return withValueAt(config, path.split('.'), value);
}

function withValueAt(config: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const record = isRecord(config) ? config : {};
  return { ...record, [name]: withValueAt(record[name], rest, value) };
}
