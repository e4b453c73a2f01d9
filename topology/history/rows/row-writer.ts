// Encodes rows as ClickHouse RowBinary: little-endian, texts prefixed with their length, nullable values with one byte.

import { type Amount, clipped } from '../../../schemas/amount.ts'

const START_BYTES = 64 * 1024
const WORD = 0x1_0000_0000

/** Grows as needed: the caller limits the size. */
export class RowWriter {
  #buffer = Buffer.allocUnsafe(START_BYTES)
  #at = 0

  get bytes(): number {
    return this.#at
  }
  byte(value: number): void {
    this.#room(1)
    this.#buffer[this.#at++] = value
  }
  uint32(value: number): void {
    this.#room(4)
    this.#at = this.#buffer.writeUInt32LE(value, this.#at)
  }
  /** Two's complement, also for unsigned columns; clipped to 64 bits. */
  int64(value: Amount): void {
    this.#room(8)
    if (typeof value === 'bigint') {
      this.#at = this.#buffer.writeBigInt64LE(clipped(value, 64), this.#at)
      return
    }
    const high = Math.floor(value / WORD)
    this.#buffer.writeUInt32LE(value - high * WORD, this.#at)
    this.#at = this.#buffer.writeInt32LE(high, this.#at + 4)
  }
  /** Clipped to 256 bits, signed. */
  int256(value: bigint): void {
    this.#room(32)
    this.#wide(clipped(value, 256))
  }
  /** Unsigned 256 bits. @throws RangeError for a value out of range; EVM amounts never are. */
  uint256(value: bigint): void {
    if (BigInt.asUintN(256, value) !== value) throw new RangeError(`${value} is not an unsigned amount of 256 bits`)
    this.#room(32)
    this.#wide(value)
  }
  #wide(all: bigint): void {
    for (let shift = 0n; shift < 256n; shift += 64n) this.#at = this.#buffer.writeBigUInt64LE(BigInt.asUintN(64, all >> shift), this.#at)
  }
  /** One byte per character, without a length. */
  latin1(text: string): void {
    this.#room(text.length)
    this.#at += this.#buffer.write(text, this.#at, 'latin1')
  }
  text(value: string): void {
    const bytes = Buffer.byteLength(value)
    this.count(bytes)
    this.#room(bytes)
    this.#at += this.#buffer.write(value, this.#at, 'utf8')
  }
  raw(value: Uint8Array): void {
    this.count(value.length)
    this.#room(value.length)
    this.#buffer.set(value, this.#at)
    this.#at += value.length
  }
  /** A varint length: seven bits per byte, low ones first. */
  count(value: number): void {
    let rest = value
    for (; rest >= 0x80; rest >>>= 7) this.byte((rest & 0x7f) | 0x80)
    this.byte(rest)
  }
  /** The bytes written; the writer must not be used afterwards. */
  take(): Buffer {
    return this.#buffer.subarray(0, this.#at)
  }
  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes))
    this.#buffer.copy(grown, 0, 0, this.#at)
    this.#buffer = grown
  }
}
