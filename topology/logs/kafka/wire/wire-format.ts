// Kafka's wire format: big-endian numbers, and length-prefixed data.

export const STRING_HEAD_BYTES = 2
export const COMPACT_HEAD_BYTES_MAX = 5

/** Reads sequentially; copies only text. */
export class Scanner {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }
  skip(bytes: number): void {
    this.at += bytes
  }
  int8(): number {
    return this.#bytes.readInt8(this.at++)
  }
  int16(): number {
    this.at += 2
    return this.#bytes.readInt16BE(this.at - 2)
  }
  int32(): number {
    this.at += 4
    return this.#bytes.readInt32BE(this.at - 4)
  }
  bigInt64(): bigint {
    this.at += 8
    return this.#bytes.readBigInt64BE(this.at - 8)
  }
  /** Offsets stay below 2^53. */
  int64(): number {
    return Number(this.bigInt64())
  }
  string(): string {
    const bytes = this.int16()
    this.at += bytes
    return this.#bytes.toString('utf8', this.at - bytes, this.at)
  }
  /** Null for the length -1; does not copy. */
  bytes(length: number): Buffer | null {
    if (length < 0) return null
    this.at += length
    return this.#bytes.subarray(this.at - length, this.at)
  }
  /** A signed 32-bit varint, zigzag-encoded. */
  varint(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.at++] as number
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1)
    }
  }
  /** An unsigned 32-bit varint. The newer requests encode counts this way, and lengths plus one. */
  length(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.at++] as number
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }
  skipVarint(): void {
    while ((this.#bytes[this.at++] as number) >= 0x80);
  }
  /** A list with its count, which is -1 for null. */
  list<Item>(read: () => Item): Item[] {
    return Array.from({ length: Math.max(0, this.int32()) }, read)
  }
  /** Text of the newer requests; null becomes an empty text. */
  compactString(): string {
    return this.bytes(this.length() - 1)?.toString('utf8') ?? ''
  }
  /** A list of the newer requests; each item ends with tags, which are skipped. */
  compactList<Item>(read: () => Item): Item[] {
    return Array.from({ length: Math.max(0, this.length() - 1) }, () => {
      const item = read()
      for (const _ of this.tags());
      return item
    })
  }
  /** Tagged fields of the newer requests. While one is yielded, its value can be read; what is not read is skipped. */
  *tags(): Iterable<number> {
    for (let left = this.length(); left > 0; left--) {
      const tag = this.length()
      const end = this.length() + this.at
      yield tag
      this.at = end
    }
  }
}

/** Writes sequentially; lengths are filled in afterwards. */
export class Writer {
  readonly buffer: Buffer
  at = 0

  constructor(bytes: number) {
    this.buffer = Buffer.allocUnsafe(bytes)
  }
  string(text: string): void {
    const { buffer } = this
    const bytes = buffer.write(text, this.at + STRING_HEAD_BYTES)
    buffer.writeInt16BE(bytes, this.at)
    this.at += STRING_HEAD_BYTES + bytes
  }
  int8(value: number): void {
    this.at = this.buffer.writeInt8(value, this.at)
  }
  int16(value: number): void {
    this.at = this.buffer.writeInt16BE(value, this.at)
  }
  int32(value: number): void {
    this.at = this.buffer.writeInt32BE(value, this.at)
  }
  int64(value: bigint): void {
    this.at = this.buffer.writeBigInt64BE(value, this.at)
  }
  /** Kafka's zigzag varint of a non-negative number. */
  length(value: number): void {
    const { buffer } = this
    let rest = value * 2
    for (; rest > 0x7f; rest >>>= 7) buffer[this.at++] = (rest & 0x7f) | 0x80
    buffer[this.at++] = rest
  }
  /** Lengths of the newer requests: an unsigned varint. */
  unsigned(value: number): void {
    const { buffer } = this
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) buffer[this.at++] = (rest & 0x7f) | 0x80
    buffer[this.at++] = rest
  }
  /** Text of the newer requests; takes at most `COMPACT_HEAD_BYTES_MAX` more than its bytes. */
  compactString(text: string): void {
    const bytes = Buffer.byteLength(text)
    this.unsigned(bytes + 1)
    this.at += this.buffer.write(text, this.at)
  }
  /** No tagged fields. */
  noTags(): void {
    this.buffer[this.at++] = 0
  }
  bytes(bytes: Uint8Array): void {
    this.buffer.set(bytes, this.at)
    this.at += bytes.length
  }
}
