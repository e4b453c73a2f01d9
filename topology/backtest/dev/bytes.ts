// Binary encoding of values: the rows of many launches are kept in it, and read by another thread.

/** Kinds of values that are not a small step from the last number. */
const KIND = { null: 0, false: 1, true: 2, double: 3, latin1: 4, utf16: 5, natural: 6, negative: 7 } as const

/** A value of a row. */
export type Primitive = string | number | bigint | boolean | null

/** Collects the bytes of one record; grows as needed. */
export class ByteWriter {
  #bytes = Buffer.alloc(4_096)
  #length = 0

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
  clear(): void {
    this.#length = 0
  }
  byte(value: number): void {
    this.#room(1)
    this.#bytes[this.#length++] = value
  }
  /** An integer from 0 to 2^31 - 1. */
  natural(value: number): void {
    let left = value
    while (left > 0x7f) {
      this.byte((left & 0x7f) | 0x80)
      left >>>= 7
    }
    this.byte(left)
  }
  /** A signed integer of at most 30 bits. */
  step(value: number): void {
    this.natural(value < 0 ? -2 * value - 1 : 2 * value)
  }
  double(value: number): void {
    this.#room(8)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
  }
  value(value: Primitive): void {
    if (value === null) this.byte(KIND.null)
    else if (typeof value === 'boolean') this.byte(value ? KIND.true : KIND.false)
    else if (typeof value === 'number') {
      this.byte(KIND.double)
      this.double(value)
    } else if (typeof value === 'string') this.#text(value, isLatin1(value))
    else {
      this.byte(value < 0n ? KIND.negative : KIND.natural)
      this.#chars((value < 0n ? -value : value).toString(16), 'latin1')
    }
  }
  #text(value: string, isNarrow: boolean): void {
    this.byte(isNarrow ? KIND.latin1 : KIND.utf16)
    this.#chars(value, isNarrow ? 'latin1' : 'utf16le')
  }
  #chars(text: string, encoding: 'latin1' | 'utf16le'): void {
    const count = encoding === 'latin1' ? text.length : 2 * text.length
    this.natural(count)
    this.#room(count)
    this.#bytes.write(text, this.#length, count, encoding)
    this.#length += count
  }
  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const grown = Buffer.alloc(Math.max(2 * this.#bytes.length, this.#length + count))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }
}

const isLatin1 = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0xff) return false
  return true
}

/** Reads what a `ByteWriter` wrote, in the same order. */
export class ByteReader {
  #bytes: Buffer = Buffer.alloc(0)
  at = 0

  point(bytes: Buffer, at: number): void {
    this.#bytes = bytes
    this.at = at
  }
  byte(): number {
    return this.#bytes[this.at++] as number
  }
  natural(): number {
    const bytes = this.#bytes
    let byte = bytes[this.at++] as number
    let value = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[this.at++] as number
      value |= (byte & 0x7f) << shift
    }
    return value
  }
  step(): number {
    const value = this.natural()
    return (value & 1) === 0 ? value / 2 : -(value + 1) / 2
  }
  double(): number {
    this.at += 8
    return this.#bytes.readDoubleLE(this.at - 8)
  }
  value(): Primitive {
    const kind = this.byte()
    if (kind === KIND.null) return null
    if (kind === KIND.false || kind === KIND.true) return kind === KIND.true
    if (kind === KIND.double) return this.double()
    if (kind === KIND.latin1 || kind === KIND.utf16) return this.#chars(kind === KIND.latin1 ? 'latin1' : 'utf16le')
    const size = BigInt(`0x${this.#chars('latin1')}`)
    return kind === KIND.negative ? -size : size
  }
  #chars(encoding: 'latin1' | 'utf16le'): string {
    const count = this.natural()
    this.at += count
    return this.#bytes.toString(encoding, this.at - count, this.at)
  }
}
