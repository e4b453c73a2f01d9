// Prefilter for a stored transaction: walks the encoded bytes just far enough to decide whether a frame keeps anything of it, and allocates
// nothing for the rest.
import protobuf from 'protobufjs'
import { toBytes } from '../../../../schemas/keys.ts'
import { isKeptTransfer } from '../normal-form.ts'
import { LAUNCHPAD } from '../programs.ts'

/** The prefilter's result. Where `isOfLaunchpad` is true, the other fields may be incomplete: the transaction is then parsed fully. */
export interface StoredPrefilterResult {
  isOfLaunchpad: boolean
  /** True where it transfers an amount of SOL that frames keep. */
  movesSol: boolean
  hasMeta: boolean
  signature: Uint8Array | undefined
  /** Undefined where the transaction succeeded. */
  error: Uint8Array | undefined
  /** Mints in its balances, maybe repeated. */
  readonly mints: string[]
}

const KEY_BYTES = 32
const TRANSFER_BYTES = 12
const NONE = new Uint8Array(0)
const PROGRAMS = [...LAUNCHPAD].map((key) => Buffer.from(toBytes(key)))
/** First four bytes of each program, so that most keys need one comparison. */
const PROGRAM_HEADS = PROGRAMS.map((program) => program.readInt32LE(0))

const isProgram = (bytes: Buffer, at: number, length: number): boolean => {
  if (length !== KEY_BYTES) return false
  const which = PROGRAM_HEADS.indexOf(bytes.readInt32LE(at))
  return which >= 0 && bytes.compare(PROGRAMS[which] as Buffer, 0, KEY_BYTES, at, at + KEY_BYTES) === 0
}

/** Protobuf tag of a length-delimited field. All fields that the walk enters are length-delimited. */
const tagOf = (field: number): number => field * 8 + 2

/** Walks the fields of the definition in confirmed-block.ts. */
class Walk {
  readonly seen: StoredPrefilterResult = {
    isOfLaunchpad: false,
    movesSol: false,
    hasMeta: false,
    signature: undefined,
    error: undefined,
    mints: [],
  }
  readonly #bytes: Buffer
  readonly #reader: protobuf.Reader

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#reader = protobuf.Reader.create(bytes)
  }
  /** ConfirmedTransaction. @throws for bytes that are not one */
  confirmed(): void {
    const { length } = this.#bytes
    while (this.#reader.pos < length && !this.seen.isOfLaunchpad) {
      const tag = this.#reader.uint32()
      if (tag === tagOf(1)) this.#transaction(this.#end(length))
      else if (tag === tagOf(2)) this.#meta(this.#end(length))
      else this.#reader.skipType(tag & 7)
    }
  }

  #transaction(end: number): void {
    while (this.#reader.pos < end) {
      const tag = this.#reader.uint32()
      if (tag === tagOf(1)) {
        const at = this.#skip(end)
        this.seen.signature ??= this.#bytes.subarray(at, this.#reader.pos)
      } else if (tag === tagOf(2)) this.#message(this.#end(end))
      else this.#reader.skipType(tag & 7)
    }
  }
  #message(end: number): void {
    while (this.#reader.pos < end) {
      const tag = this.#reader.uint32()
      if (tag === tagOf(2)) this.#key(end)
      else if (tag === tagOf(4)) this.#call(this.#end(end))
      else this.#reader.skipType(tag & 7)
    }
  }
  #meta(end: number): void {
    this.seen.hasMeta = true
    while (this.#reader.pos < end) {
      const tag = this.#reader.uint32()
      if (tag === tagOf(1)) this.#error(this.#end(end))
      else if (tag === tagOf(5)) this.#inner(this.#end(end))
      else if (tag === tagOf(7) || tag === tagOf(8)) this.#balance(this.#end(end))
      else if (tag === tagOf(12) || tag === tagOf(13)) this.#key(end)
      else this.#reader.skipType(tag & 7)
    }
  }
  #error(end: number): void {
    this.seen.error = NONE
    while (this.#goTo(1, end)) {
      const at = this.#skip(end)
      this.seen.error = this.#bytes.subarray(at, this.#reader.pos)
    }
  }
  #inner(end: number): void {
    while (this.#goTo(2, end)) this.#call(this.#end(end))
  }
  #call(end: number): void {
    while (this.#goTo(3, end)) {
      const at = this.#skip(end)
      const isTransfer = this.#reader.pos - at === TRANSFER_BYTES && isKeptTransfer(this.#bytes.subarray(at, this.#reader.pos))
      this.seen.movesSol ||= isTransfer
    }
  }
  #balance(end: number): void {
    while (this.#goTo(2, end)) {
      const at = this.#skip(end)
      this.seen.mints.push(this.#bytes.toString('latin1', at, this.#reader.pos))
    }
  }
  #key(end: number): void {
    const at = this.#skip(end)
    this.seen.isOfLaunchpad ||= isProgram(this.#bytes, at, this.#reader.pos - at)
  }
  /** Skips all fields before the next one with this number; false where there is none. */
  #goTo(field: number, end: number): boolean {
    while (this.#reader.pos < end) {
      const tag = this.#reader.uint32()
      if (tag === tagOf(field)) return true
      this.#reader.skipType(tag & 7)
    }
    return false
  }
  /** Reads a field's length; returns where the field ends. */
  #end(within: number): number {
    const length = this.#reader.uint32()
    const end = this.#reader.pos + length
    if (end > within) throw new RangeError('a field ends beyond its message')
    return end
  }
  /** Reads a field's length and skips its content; returns where the content begins. */
  #skip(within: number): number {
    const end = this.#end(within)
    const at = this.#reader.pos
    this.#reader.pos = end
    return at
  }
}

/** Undefined for bytes that are not a transaction. */
export const prefilterStored = (bytes: Buffer): StoredPrefilterResult | undefined => {
  const walk = new Walk(bytes)
  try {
    walk.confirmed()
    return walk.seen
  } catch {
    return undefined
  }
}
