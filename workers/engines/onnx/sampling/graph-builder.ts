import {
  type Attribute,
  CONTRIB_DOMAIN,
  type ElementType,
  encodeModel,
  type Initializer,
  type Node,
  type ValueInfo,
} from '../graph/encode';

/** A value's name within the graph. */
export type Value = string;

type Attributes = Record<string, Attribute>;

/** Collects the nodes of an inference graph; shapes may be symbolic. */
export class GraphBuilder {
  private readonly nodes: Node[] = [];
  private readonly initializers = new Map<string, Initializer>();
  private readonly inputs: ValueInfo[] = [];
  private readonly outputs: ValueInfo[] = [];

  input(name: string, type: ElementType, shape: readonly (number | string)[]): Value {
    this.inputs.push({ name, type, shape });
    return name;
  }

  floats(name: string, shape: readonly number[], data: Float32Array): Value {
    this.initializers.set(name, { name, type: 'f32', shape, data });
    return name;
  }

  /** A one-dimensional i64 constant, as the shape operators want them. */
  integers(...values: number[]): Value {
    const name = `i64[${values.join()}]`;
    this.initializers.set(name, {
      name,
      type: 'i64',
      shape: [values.length],
      data: BigInt64Array.from(values, BigInt),
    });
    return name;
  }

  /** Adds a node of the standard operator set with one output. */
  add(operator: string, inputs: readonly Value[], attributes?: Attributes): Value {
    const output = `v${this.nodes.length}`;
    this.nodes.push({ operator, inputs, outputs: [output], attributes });
    return output;
  }

  /** Adds a node of onnxruntime's own operator set; an empty name in `outputs` leaves that output out. */
  addContrib(
    operator: string,
    inputs: readonly Value[],
    outputs: readonly Value[],
    attributes?: Attributes,
  ): void {
    this.nodes.push({ operator, inputs, outputs, attributes, domain: CONTRIB_DOMAIN });
  }

  /** Splits the given axis into parts of the given sizes. */
  split(value: Value, sizes: readonly number[], axis: number): Value[] {
    const outputs = sizes.map((_, part) => `v${this.nodes.length}.${part}`);
    this.nodes.push({
      operator: 'Split',
      inputs: [value, this.integers(...sizes)],
      outputs,
      attributes: { axis },
    });
    return outputs;
  }

  reshape(value: Value, ...shape: number[]): Value {
    return this.add('Reshape', [value, this.integers(...shape)]);
  }

  /** A name for a value that a multi-output node is about to define. */
  fresh(label: string): Value {
    return `${label}.${this.nodes.length}`;
  }

  /** Declares a value, already computed, as an output of the graph. */
  output(value: Value, type: ElementType, shape: readonly (number | string)[]): void {
    this.outputs.push({ name: value, type, shape });
  }

  encode(): Uint8Array {
    const { nodes, inputs, outputs } = this;
    return encodeModel({ nodes, inputs, outputs, initializers: [...this.initializers.values()] });
  }
}
