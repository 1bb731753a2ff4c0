import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** The signature, no flags, no extension (Postgres, COPY, binary format). */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const FIRST_BYTES = 64 * 1024;
const TRAILER = -1;
const NULL_LENGTH = -1;
const JSONB_VERSION = 1;
const TWO_TO_32 = 2 ** 32;

/** Rows in COPY's binary format. Values follow their row, in the order of its columns and each of its column's type. */
export class BinaryRows {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);
  private end = HEADER.copy(this.bytes);

  /** Begins a row of so many columns. */
  row(columns: number): void {
    this.reserve(2);
    this.end = this.bytes.writeInt16BE(columns, this.end);
  }

  integer(value: number | null): void {
    this.reserve(8);
    if (value === null) {
      this.end = this.bytes.writeInt32BE(NULL_LENGTH, this.end);
      return;
    }
    this.bytes.writeInt32BE(4, this.end);
    this.end = this.bytes.writeInt32BE(value, this.end + 4);
  }

  /** @param value a whole number that a double holds */
  bigint(value: number): void {
    this.reserve(12);
    this.bytes.writeInt32BE(8, this.end);
    const high = Math.floor(value / TWO_TO_32);
    this.bytes.writeInt32BE(high, this.end + 4);
    this.end = this.bytes.writeUInt32BE(value - high * TWO_TO_32, this.end + 8);
  }

  double(value: number): void {
    this.reserve(12);
    this.bytes.writeInt32BE(8, this.end);
    this.end = this.bytes.writeDoubleBE(value, this.end + 4);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.reserve(4 + length);
    this.end = this.bytes.writeInt32BE(length, this.end);
    this.end += this.bytes.write(value, this.end);
  }

  jsonb(value: unknown): void {
    const text = JSON.stringify(value);
    const length = Buffer.byteLength(text);
    this.reserve(5 + length);
    this.end = this.bytes.writeInt32BE(length + 1, this.end);
    this.end = this.bytes.writeUInt8(JSONB_VERSION, this.end);
    this.end += this.bytes.write(text, this.end);
  }

  /** Everything, as it is sent. */
  finished(): Buffer {
    this.reserve(2);
    this.end = this.bytes.writeInt16BE(TRAILER, this.end);
    return this.bytes.subarray(0, this.end);
  }

  private reserve(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.end + bytes));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}

/**
 * Stores rows by one COPY: about half the price of an INSERT of the same rows, and no text of arrays to write and read.
 * @param into the table and its columns, as SQL names them
 */
export async function copyRows(client: pg.PoolClient, into: string, rows: BinaryRows): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${into} FROM STDIN (FORMAT binary)`));
  await pipeline(Readable.from([rows.finished()]), stream);
}
