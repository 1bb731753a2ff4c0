import { z } from 'zod';

/** What a case's function gave, by the names its file has. */
export type Outputs = Record<string, unknown>;

/** A function of a public implementation, computed with ours. */
export interface VectorFunction {
  /** The name of its file, without `.json`. */
  name: string;
  /** What a case's inputs must be; keys that it does not name are ignored. */
  inputs: z.ZodObject;
  /** Throws ZodError on inputs of another form and AppError where they are refused. */
  run(inputs: unknown): Outputs;
}

export function vectorFunction<Shape extends z.ZodRawShape>(
  name: string,
  shape: Shape,
  compute: (inputs: z.output<z.ZodObject<Shape>>) => Outputs,
): VectorFunction {
  const inputs = z.object(shape);
  return { name, inputs, run: (given) => compute(inputs.parse(given)) };
}
