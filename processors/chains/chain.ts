// The definition of a chain: one value that holds everything that depends on the chain.
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

/** A parsed file of recorded chain data. */
export interface RecordedFile {
  readonly blocks: readonly FileBlock[]
  /** Events without their transactions. */
  readonly events: readonly unknown[]
  /** Guesses that the parser made, in plain text. */
  readonly notes: readonly string[]
}

export interface MadeFrames {
  /** By number; frames of unknown number come first, numbered from 0 in the given order. Not yet split in parts. */
  readonly frames: RawFrame[]
  /** Number of different transactions in the files. */
  readonly transactions: number
  /** How many of these the frames keep because they involve the launchpad. */
  readonly kept: number
  /** Number of copies of transactions that were skipped, beyond the first of each. */
  readonly repeated: number
}

/** Converts recorded chain data to lines and frames. The output of `parse` is the input of the other functions. */
export interface ChainFiles {
  /** Maximum size of a file in bytes. */
  readonly bytesMax: number
  /** `name`: the file's name, which may contain a slot that the bytes lack. */
  parse(bytes: Buffer, name: string): Parsed<RecordedFile>
  /** The output of `decode`: events in order, and records that cannot be decoded, with their `error`. */
  lines(file: RecordedFile): Iterable<object>
  /**
   * `vouched`: the importer states that the files contain everything about the frames' mints. Bad data where two files hold different
   * blocks with the same number.
   */
  frames(blocks: readonly FileBlock[], vouched: boolean): Parsed<MadeFrames>
}

/** The facts about the chain that cards and lists use. */
export interface ChainFacts {
  /** The name in topics, positions, tables and answers. */
  readonly name: Chain
  /** Amounts on the log are in `unit`; `10 ** decimals` of them are one `symbol`. `mint` represents it where a mint address is needed. */
  readonly quote: { readonly symbol: string; readonly unit: string; readonly decimals: number; readonly mint: Key }
  /** True where somebody may have the private key; false for programs. */
  isWallet(key: Key): boolean
}

/** `Event`: the events of the chain's tape. `Rows`: the rows of its decoder. */
export interface ChainDefinition<Event extends ChainEvent = ChainEvent, Rows extends DecodeRows = DecodeRows>
  extends ChainFacts,
    ChainNames {
  readonly keys: KeyForm
  readonly positions: PositionShape
  /** The launchpad's own trader: counted neither as buyer nor as holder, nor in the volume. Null where it has none. */
  readonly agent: Key | null
  /** Slots or blocks of an epoch: messages between keys apply at the tick that ends the next epoch. */
  readonly framesPerEpoch: number
  /** Maximum depth of a reorg in slots or blocks: a frame further behind the newest one is treated as final. */
  readonly forkNumbersMax: number
  readonly decoder: Decoder<Event, Rows>
  readonly tape: TapeForm<Event>
  readonly conclusions: ConclusionForm
  readonly files: ChainFiles
  /** Creates a check that recomputes the reserves after each trade. One check reads one tape, from its beginning. */
  reserves(): ReserveCheck
}
