// Encoding of records for messages between threads: one buffer for a whole batch, transferred instead of copied.

/**
 * Four numbers per record (two whose meaning the message defines, length of its key, length of its value or -1 for none); all bytes in a
 * row.
 */
export interface Packed {
  readonly numbers: Float64Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface Keyed {
  readonly key: Uint8Array
  readonly value: Uint8Array | null
}

const NUMBERS = 4
const NO_VALUE = -1

/** Copies the bytes: the caller may overwrite its own. */
export const pack = <Item extends Keyed>(items: readonly Item[], placeOf: (item: Item) => readonly [number, number]): Packed => {
  let length = 0
  for (const { key, value } of items) length += key.length + (value?.length ?? 0)
  const numbers = new Float64Array(items.length * NUMBERS)
  const bytes = new Uint8Array(length)
  let at = 0
  let next = 0
  for (const item of items) {
    const { key, value } = item
    const [first, second] = placeOf(item)
    numbers[next++] = first
    numbers[next++] = second
    numbers[next++] = key.length
    numbers[next++] = value?.length ?? NO_VALUE
    bytes.set(key, at)
    at += key.length
    if (value === null) continue
    bytes.set(value, at)
    at += value.length
  }
  return { numbers, bytes }
}

/** Keys and values are views of the batch's buffer. */
export const unpack = <Item>(
  { numbers, bytes }: Packed,
  itemOf: (first: number, second: number, key: Uint8Array, value: Uint8Array | null) => Item,
): Item[] => {
  const items: Item[] = []
  const all = Buffer.from(bytes.buffer)
  let at = 0
  for (let next = 0; next < numbers.length; next += NUMBERS) {
    const [first = 0, second = 0, keyBytes = 0, valueBytes = 0] = numbers.subarray(next, next + NUMBERS)
    const key = all.subarray(at, at + keyBytes)
    at += keyBytes
    const value = valueBytes === NO_VALUE ? null : all.subarray(at, at + valueBytes)
    at += value?.length ?? 0
    items.push(itemOf(first, second, key, value))
  }
  return items
}

/** Buffers to transfer with a batch. */
export const memoryOf = ({ numbers, bytes }: Packed): ArrayBuffer[] => [numbers.buffer, bytes.buffer]
