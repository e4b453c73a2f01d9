// What a chain is to the rest of the program: one value, from which all that depends on the chain is taken.
import type { Parsed } from '../../schemas/errors.ts'
import type { Key, KeyForm } from '../../schemas/keys.ts'
import type { PositionShape } from '../../schemas/position.ts'
import type { ChainEvent, ConclusionForm, TapeForm } from '../../schemas/record-forms.ts'
import type { ChainNames } from '../../schemas/topics.ts'
import type { Chain, RawFrame } from '../../schemas/types.ts'
import type { ReserveCheck } from '../verify/reserve-check.ts'
import type { DecodeRows, Decoder } from './decoder.ts'

/** A block or transaction of a file, in the chain's own form. */
export interface FileBlock {
  readonly errors: readonly { readonly index: number | null; readonly reason: string }[]
}

/** A file of recorded chain data. */
export interface RecordedFile {
  readonly blocks: readonly FileBlock[]
  /** Events without their transactions. */
  readonly events: readonly unknown[]
  /** What had to be guessed, in words. */
  readonly notes: readonly string[]
}

export interface MadeFrames {
  /** By number; those of unknown number first, numbered from 0 in the order given. Not yet in parts. */
  readonly frames: RawFrame[]
  /** Transactions taken in. */
  readonly transactions: number
  /** Of these, kept whole because they touch the launchpad. */
  readonly kept: number
  /** Transactions left out because their signature was there already. */
  readonly repeated: number
}

/** Recorded chain data to lines and frames. What one function gives, the others take. */
export interface ChainFiles {
  /** Bytes that a file may have. */
  readonly bytesMax: number
  /** `name`: of the file, which may tell what its bytes do not. */
  parse(bytes: Buffer, name: string): Parsed<RecordedFile>
  /** What `decode` prints: events in order, and records that cannot be understood with their `error`. */
  lines(file: RecordedFile): Iterable<object>
  /** Bad data where two files hold different blocks of one number. */
  frames(blocks: readonly FileBlock[], vouched: boolean): Parsed<MadeFrames>
}

/** What cards and lists ask of the chain. */
export interface ChainFacts {
  /** In topics, positions, tables and answers. */
  readonly name: Chain
  /** Amounts on the log are in `unit`, of which `10 ** decimals` make one `symbol`. `mint` stands for it where a mint is named. */
  readonly quote: { readonly symbol: string; readonly unit: string; readonly decimals: number; readonly mint: Key }
  /** True where somebody may have the private key; false for programs. */
  isWallet(key: Key): boolean
}

/** `Event`: of the chain's own tape; `Rows`: of its decoder. */
export interface ChainDefinition<Event extends ChainEvent = ChainEvent, Rows extends DecodeRows = DecodeRows>
  extends ChainFacts,
    ChainNames {
  readonly keys: KeyForm
  readonly positions: PositionShape
  /** The launchpad's own trader: no buyer, no holder, no volume. Null where it has none. */
  readonly agent: Key | null
  /** Slots or blocks of an epoch: facts that keys send each other apply at the tick that ends the next. */
  readonly framesPerEpoch: number
  /** A fork takes back at most so many numbers (slots, blocks): what is further behind the newest frame is judged as final. */
  readonly forkNumbersMax: number
  readonly decoder: Decoder<Event, Rows>
  readonly tape: TapeForm<Event>
  readonly conclusions: ConclusionForm
  readonly files: ChainFiles
  /** A check of the reserves that its trades leave, for one tape from its beginning. */
  reserves(): ReserveCheck
}
