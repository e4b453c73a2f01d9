// Stores many small byte records in few large chunks. One Buffer per record costs three times its size; a small Buffer is a slice of 8 KB
// that Node shares among buffers, and keeps all of the 8 KB in memory.
import { assert } from '../../../schemas/errors.ts'

/** All chunks have this size, so that each may serve any size class. */
const CHUNK_BYTES = 16 * 1024
/** Larger records are allocated separately: a chunk would hold few of them. */
const SLOT_BYTES_MAX = 2_048
const SLOT_BYTES_MIN = 32
/** Slots of a class are an eighth larger than those of the class below, rounded down to a multiple of this, and at least by this much. */
const SLOT_STEP_BYTES = 8
/** Empty chunks kept for reuse: a record count that oscillates around a chunk boundary allocates nothing. */
const SPARE_CHUNKS_MAX = 4
/** A slot begins with the handle of its record, because the record may move to another slot when another record is freed. */
const HEAD_BYTES = 4
const HANDLES_MIN = 64
const NONE = 0xffff_ffff

/** Slots of one size, filled without gaps: all chunks but the last are full. */
interface SizeClass {
  readonly slotBytes: number
  readonly slotsPerChunk: number
  readonly chunks: Buffer[]
  slots: number
}

const sizesOf = (): number[] => {
  const sizes = [SLOT_BYTES_MIN]
  for (let size = SLOT_BYTES_MIN; size < SLOT_BYTES_MAX; sizes.push(size))
    size = Math.min(SLOT_BYTES_MAX, size + SLOT_STEP_BYTES * Math.max(1, Math.floor(size / (8 * SLOT_STEP_BYTES))))
  return sizes
}
const SLOT_SIZES = sizesOf()
/** Index of the smallest class that fits this many bytes, head included. */
const CLASS_OF = Uint8Array.from({ length: SLOT_BYTES_MAX + 1 }, (_, bytes) => SLOT_SIZES.findIndex((size) => size >= bytes))

/**
 * Records by handle, an integer. Memory held: the records with 4 bytes each, in slots that are at most an eighth (or 8 bytes) larger and at
 * least 32 bytes long; one partly filled chunk per size class; 4 spare chunks; 8 to 16 bytes for each handle at the peak number of handles.
 */
export class Arena {
  readonly #classes: readonly SizeClass[] = SLOT_SIZES.map((slotBytes) => ({
    slotBytes,
    slotsPerChunk: Math.floor(CHUNK_BYTES / slotBytes),
    chunks: [],
    slots: 0,
  }))
  readonly #spare: Buffer[] = []
  readonly #large = new Map<number, Buffer>()
  #largeBytes = 0
  #chunks = 0
  #bytesUsed = 0
  /** By handle: its slot; for a free handle the next free one. */
  #slotOf = new Uint32Array(HANDLES_MIN)
  /** By handle. */
  #lengthOf = new Uint32Array(HANDLES_MIN)
  #handles = 0
  #freeHandle = NONE

  /** Total length of the records. */
  get bytesUsed(): number {
    return this.#bytesUsed
  }
  /** Total memory held. */
  get bytesHeld(): number {
    return (this.#chunks + this.#spare.length) * CHUNK_BYTES + this.#largeBytes + this.#slotOf.byteLength + this.#lengthOf.byteLength
  }
  /** Copies a record in and returns its handle. */
  put(bytes: Uint8Array): number {
    const handle = this.#takeHandle()
    this.#store(handle, bytes)
    return handle
  }
  /** Replaces the record of a handle with a copy of `bytes`, which must not be part of this arena. */
  replace(handle: number, bytes: Uint8Array): void {
    const length = this.#lengthOf[handle] as number
    if (classOf(length) === classOf(bytes.length) && isSmall(length)) {
      this.#lengthOf[handle] = bytes.length
      this.#bytesUsed += bytes.length - length
      this.read(handle).set(bytes)
      return
    }
    this.#release(handle)
    this.#store(handle, bytes)
  }
  /** The record without a copy: valid until the next put, replace or free. */
  read(handle: number): Buffer {
    const length = this.#lengthOf[handle] as number
    if (!isSmall(length)) return this.#large.get(handle) as Buffer
    const { chunks, slotsPerChunk, slotBytes } = this.#classes[classOf(length)] as SizeClass
    const slot = this.#slotOf[handle] as number
    const at = (slot % slotsPerChunk) * slotBytes + HEAD_BYTES
    return (chunks[Math.floor(slot / slotsPerChunk)] as Buffer).subarray(at, at + length)
  }
  free(handle: number): void {
    this.#release(handle)
    this.#slotOf[handle] = this.#freeHandle
    this.#freeHandle = handle
  }

  #takeHandle(): number {
    const free = this.#freeHandle
    if (free !== NONE) {
      this.#freeHandle = this.#slotOf[free] as number
      return free
    }
    if (this.#handles === this.#slotOf.length) {
      this.#slotOf = doubled(this.#slotOf)
      this.#lengthOf = doubled(this.#lengthOf)
    }
    return this.#handles++
  }
  #store(handle: number, bytes: Uint8Array): void {
    this.#lengthOf[handle] = bytes.length
    this.#bytesUsed += bytes.length
    if (!isSmall(bytes.length)) {
      const own = Buffer.allocUnsafeSlow(bytes.length)
      own.set(bytes)
      this.#large.set(handle, own)
      this.#largeBytes += own.length
      return
    }
    const size = this.#classes[classOf(bytes.length)] as SizeClass
    const slot = size.slots++
    const [chunk, at] = [Math.floor(slot / size.slotsPerChunk), (slot % size.slotsPerChunk) * size.slotBytes]
    if (chunk === size.chunks.length) size.chunks.push(this.#takeChunk())
    const into = size.chunks[chunk] as Buffer
    into.writeUInt32LE(handle, at)
    into.set(bytes, at + HEAD_BYTES)
    this.#slotOf[handle] = slot
  }
  /** Frees the record's memory: the last record of its class moves into its slot. */
  #release(handle: number): void {
    const length = this.#lengthOf[handle] as number
    this.#bytesUsed -= length
    if (!isSmall(length)) {
      assert(this.#large.delete(handle), `the arena has no record ${handle}`)
      this.#largeBytes -= length
      return
    }
    const size = this.#classes[classOf(length)] as SizeClass
    const [slot, last] = [this.#slotOf[handle] as number, --size.slots]
    if (slot !== last) this.#move(size, last, slot)
    if (size.slots > (size.chunks.length - 1) * size.slotsPerChunk) return
    this.#giveChunk(size.chunks.pop() as Buffer)
  }
  #move({ chunks, slotsPerChunk, slotBytes }: SizeClass, from: number, to: number): void {
    const source = chunks[Math.floor(from / slotsPerChunk)] as Buffer
    const at = (from % slotsPerChunk) * slotBytes
    const moved = source.readUInt32LE(at)
    const bytes = HEAD_BYTES + (this.#lengthOf[moved] as number)
    source.copy(chunks[Math.floor(to / slotsPerChunk)] as Buffer, (to % slotsPerChunk) * slotBytes, at, at + bytes)
    this.#slotOf[moved] = to
  }
  #takeChunk(): Buffer {
    this.#chunks += 1
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES)
  }
  #giveChunk(chunk: Buffer): void {
    this.#chunks -= 1
    if (this.#spare.length < SPARE_CHUNKS_MAX) this.#spare.push(chunk)
  }
}

const isSmall = (length: number): boolean => length + HEAD_BYTES <= SLOT_BYTES_MAX
/** Only for small records. */
const classOf = (length: number): number => CLASS_OF[length + HEAD_BYTES] as number

const doubled = (numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const more = new Uint32Array(numbers.length * 2)
  more.set(numbers)
  return more
}
