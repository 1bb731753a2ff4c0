/** ONNX ModelProto encoder. Field numbers are those of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto. */
import { AppError } from '@/contract/errors';
import { ProtobufWriter } from './protobuf';

export type ElementType = 'f32' | 'f64' | 'i32' | 'i64' | 'bool';

/** TensorProto.DataType of each element type. */
export const DATA_TYPE: Record<ElementType, number> = { f32: 1, i32: 6, i64: 7, bool: 9, f64: 11 };

/** AttributeProto.AttributeType. */
const ATTRIBUTE_TYPE = { float: 1, int: 2, string: 3, ints: 7 } as const;

const IR_VERSION = 8;
/** Version of the standard operator set. */
const OPSET = 18;
const CONTRIB_OPSET = 1;

/** Domain of onnxruntime's fused operators. */
export const CONTRIB_DOMAIN = 'com.microsoft';

/** A constant of the graph, row-major; `data` has as many elements as `shape` says. */
export type Initializer = { name: string; shape: readonly number[] } & (
  | { type: 'f32'; data: Float32Array }
  | { type: 'f64'; data: Float64Array }
  | { type: 'i32'; data: Int32Array }
  | { type: 'i64'; data: BigInt64Array }
);

/** An input or output of the graph; a string dimension is symbolic. */
export interface ValueInfo {
  name: string;
  type: ElementType;
  shape: readonly (number | string)[];
}

/** A plain number is an integer attribute, a list is a list of integers; a float is marked, for 1 and 1.0 are equal in JavaScript. */
export type Attribute = number | string | readonly number[] | { float: number };

export interface Node {
  operator: string;
  /** Names of values; an empty name leaves an optional input out. */
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Readonly<Record<string, Attribute>>;
  /** Operator set; the standard one where not given. */
  domain?: string;
}

export interface Graph {
  /** In an order in which every input is computed before it is used. */
  nodes: readonly Node[];
  initializers: readonly Initializer[];
  inputs: readonly ValueInfo[];
  outputs: readonly ValueInfo[];
}

function isFloatAttribute(value: Attribute): value is { float: number } {
  return typeof value === 'object' && 'float' in value;
}

function attribute(name: string, value: Attribute): ProtobufWriter {
  const writer = new ProtobufWriter().string(1, name);
  if (typeof value === 'string') return writer.string(4, value).integer(20, ATTRIBUTE_TYPE.string);
  if (typeof value === 'number') return writer.integer(3, value).integer(20, ATTRIBUTE_TYPE.int);
  if (isFloatAttribute(value)) return writer.float(2, value.float).integer(20, ATTRIBUTE_TYPE.float);
  for (const element of value) writer.integer(8, element);
  return writer.integer(20, ATTRIBUTE_TYPE.ints);
}

function node(value: Node): ProtobufWriter {
  const writer = new ProtobufWriter();
  for (const input of value.inputs) writer.string(1, input);
  for (const output of value.outputs) writer.string(2, output);
  writer.string(4, value.operator);
  for (const [name, entry] of Object.entries(value.attributes ?? {}))
    writer.message(5, attribute(name, entry));
  if (value.domain) writer.string(7, value.domain);
  return writer;
}

function initializer(value: Initializer): ProtobufWriter {
  const { name, type, shape, data } = value;
  const elements = shape.reduce((product, size) => product * size, 1);
  if (data.length !== elements)
    throw new AppError(
      'internal',
      `initializer ${name} of shape [${shape.join(', ')}] needs ${elements} elements, has ${data.length}`,
    );
  const writer = new ProtobufWriter();
  for (const size of shape) writer.integer(1, size);
  return writer
    .integer(2, DATA_TYPE[type])
    .string(8, name)
    .bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

function valueInfo(value: ValueInfo): ProtobufWriter {
  const shape = new ProtobufWriter();
  for (const size of value.shape) {
    const dimension = new ProtobufWriter();
    shape.message(1, typeof size === 'string' ? dimension.string(2, size) : dimension.integer(1, size));
  }
  const tensor = new ProtobufWriter().integer(1, DATA_TYPE[value.type]).message(2, shape);
  return new ProtobufWriter().string(1, value.name).message(2, new ProtobufWriter().message(1, tensor));
}

/** Encodes a graph as the bytes of an ONNX model, with onnxruntime's fused operators imported. Throws where an initializer's data do not fit its shape. */
export function encodeModel(graph: Graph): Uint8Array {
  const body = new ProtobufWriter();
  for (const entry of graph.nodes) body.message(1, node(entry));
  body.string(2, 'stepscope');
  for (const entry of graph.initializers) body.message(5, initializer(entry));
  for (const entry of graph.inputs) body.message(11, valueInfo(entry));
  for (const entry of graph.outputs) body.message(12, valueInfo(entry));
  return new ProtobufWriter()
    .integer(1, IR_VERSION)
    .string(2, 'stepscope')
    .message(7, body)
    .message(8, new ProtobufWriter().string(1, '').integer(2, OPSET))
    .message(8, new ProtobufWriter().string(1, CONTRIB_DOMAIN).integer(2, CONTRIB_OPSET))
    .finish();
}
