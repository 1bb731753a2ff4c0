/** A graph under construction that can be differentiated: operations are recorded, then walked backwards. */
import { AppError } from '@/contract/errors';
import { encodeModel } from './encode';
import type { Attribute, ElementType, Initializer, Node, ValueInfo } from './encode';
import type { Shape } from './shape';

export type Precision = 'f32' | 'f64';

/** A tensor of the graph. */
export interface Value {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: Shape;
  /** Whether a gradient may flow through it: it depends on a differentiable input. */
  readonly differentiable: boolean;
}

export interface NodeOptions {
  attributes?: Readonly<Record<string, Attribute>>;
  domain?: string;
  /** Element type of the outputs; the tape's precision where not given. */
  type?: ElementType;
}

/** Gradients of the inputs from those of the outputs, each aligned with its list; `undefined` is zero. */
type VectorJacobianProduct = (
  outputGradients: readonly (Value | undefined)[],
) => readonly (Value | undefined)[];

interface Recorded {
  outputs: readonly Value[];
  inputs: readonly Value[];
  product: VectorJacobianProduct;
}

export class Tape {
  private readonly nodes: Node[] = [];
  private readonly initializers: Initializer[] = [];
  private readonly inputs: ValueInfo[] = [];
  private readonly outputs: ValueInfo[] = [];
  private readonly constants = new Map<string, Value>();
  private readonly recorded: Recorded[] = [];
  private recording = true;
  private values = 0;

  /** `fused` uses onnxruntime's own operators, which know f32 only; without them any ONNX runtime can run the graph. */
  constructor(
    readonly precision: Precision,
    readonly fused: boolean,
  ) {
    if (fused && precision !== 'f32')
      throw new AppError('internal', `fused operators need f32, got ${precision}`);
  }

  input(name: string, type: ElementType, shape: Shape, differentiable = false): Value {
    this.inputs.push({ name, type, shape });
    return { name, type, shape, differentiable };
  }

  output(value: Value, name: string): void {
    this.nodes.push({ operator: 'Identity', inputs: [value.name], outputs: [name] });
    this.outputs.push({ name, type: value.type, shape: value.shape });
  }

  /** A constant in the tape's precision. */
  constant(elements: ArrayLike<number>, shape: Shape): Value {
    const name = this.newName();
    const sizes = shape.filter((size) => typeof size === 'number');
    this.initializers.push(
      this.precision === 'f64'
        ? { name, type: 'f64', shape: sizes, data: Float64Array.from(elements) }
        : { name, type: 'f32', shape: sizes, data: Float32Array.from(elements) },
    );
    return { name, type: this.precision, shape, differentiable: false };
  }

  scalar(value: number): Value {
    return this.once(`scalar ${value}`, () => this.constant([value], []));
  }

  /** A list of integers, as operators take their axes, sizes and shapes. */
  integers(list: readonly number[], type: 'i64' | 'i32' = 'i64', shape: Shape = [list.length]): Value {
    return this.once(`${type} ${list.join()} [${shape.join()}]`, () => {
      const name = this.newName();
      const sizes = shape.filter((size) => typeof size === 'number');
      this.initializers.push(
        type === 'i32'
          ? { name, type, shape: sizes, data: Int32Array.from(list) }
          : { name, type, shape: sizes, data: BigInt64Array.from(list, BigInt) },
      );
      return { name, type, shape, differentiable: false };
    });
  }

  node(operator: string, inputs: readonly Value[], shape: Shape, options: NodeOptions = {}): Value {
    const [output] = this.multiNode(operator, inputs, [shape], options);
    if (!output) throw new AppError('internal', `${operator} has no output`);
    return output;
  }

  /** A node of several outputs, one for each shape. */
  multiNode(
    operator: string,
    inputs: readonly Value[],
    shapes: readonly Shape[],
    options: NodeOptions = {},
  ): Value[] {
    const { attributes, domain, type = this.precision } = options;
    const differentiable = inputs.some((value) => value.differentiable);
    const outputs = shapes.map((shape) => ({ name: this.newName(), type, shape, differentiable }));
    this.nodes.push({
      operator,
      inputs: inputs.map((value) => value.name),
      outputs: outputs.map((value) => value.name),
      attributes,
      domain,
    });
    return outputs;
  }

  /** Records how the gradient of `output` becomes those of `inputs`, and returns `output`. */
  record(
    output: Value,
    inputs: readonly Value[],
    product: (outputGradient: Value) => readonly (Value | undefined)[],
  ): Value {
    this.recordMany([output], inputs, ([gradient]) => (gradient ? product(gradient) : []));
    return output;
  }

  /** `record` for an operation of several outputs; called where at least one of them has a gradient. */
  recordMany(outputs: readonly Value[], inputs: readonly Value[], product: VectorJacobianProduct): void {
    if (this.recording && outputs.some((value) => value.differentiable))
      this.recorded.push({ outputs, inputs, product });
  }

  /**
   * Gradients of the scalar `loss` with respect to `parameters`, by reverse accumulation. Ends recording: what is
   * built afterwards, the gradients themselves included, is not differentiated again.
   * Throws where a parameter does not reach the loss.
   */
  gradients(loss: Value, parameters: ReadonlyMap<string, Value>): Map<string, Value> {
    this.recording = false;
    const gradients = new Map<Value, Value>([[loss, this.scalar(1)]]);
    for (const { outputs, inputs, product } of this.recorded.reverse()) {
      const outputGradients = outputs.map((value) => gradients.get(value));
      if (outputGradients.every((gradient) => gradient === undefined)) continue;
      for (const value of outputs) gradients.delete(value);
      const inputGradients = product(outputGradients);
      inputs.forEach((value, index) => {
        const gradient = inputGradients[index];
        if (!value.differentiable || !gradient) return;
        const sum = gradients.get(value);
        gradients.set(value, sum ? this.node('Add', [sum, gradient], value.shape) : gradient);
      });
    }
    return new Map(
      [...parameters].map(([name, parameter]) => {
        const gradient = gradients.get(parameter);
        if (!gradient) throw new AppError('internal', `parameter ${name} does not reach the loss`);
        return [name, gradient];
      }),
    );
  }

  /** The graph's bytes, without what no output depends on: onnxruntime would compute it. */
  encode(): Uint8Array {
    const needed = new Set(this.outputs.map(({ name }) => name));
    const nodes = this.nodes
      .toReversed()
      .filter(({ inputs, outputs }) => {
        const isNeeded = outputs.some((name) => needed.has(name));
        if (isNeeded) for (const name of inputs) needed.add(name);
        return isNeeded;
      })
      .reverse();
    return encodeModel({
      nodes,
      initializers: this.initializers.filter(({ name }) => needed.has(name)),
      inputs: this.inputs,
      outputs: this.outputs,
    });
  }

  private once(key: string, make: () => Value): Value {
    const known = this.constants.get(key);
    if (known) return known;
    const value = make();
    this.constants.set(key, value);
    return value;
  }

  private newName(): string {
    return `value${this.values++}`;
  }
}
