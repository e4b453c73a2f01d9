// What a source in a thread of its own and its process say to each other. Nothing is shared but one number: the rest is messages.
import { type ProxyMarked, transferHandlers } from 'comlink'
import type { AccountsRead } from '../../../processors/solana/accounts/account.ts'
import { EngineError, type EngineErrorCode } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Anchor } from '../../../schemas/types.ts'
import type { LogRecord, OutRecord, ReadLimits } from '../../ports/log.ts'
import type { Notice, Progress } from '../source.ts'

/** A source as it was a moment ago. Answers and what is told unasked go by different ways, and may overtake each other. */
export interface SourceState {
  /** Counts what is said: of two, the higher is newer. */
  readonly n: number
  readonly frames: number
  readonly ended: boolean
  readonly tip: { readonly number: number; readonly time: number } | null
  readonly anchor: Anchor | undefined
}

/** First offset kept and one past the newest of each partition, by `topic/partition`. */
export type Bounds = ReadonlyMap<string, readonly [start: number, end: number]>

/** A record whose topic goes by its name; bytes are handed over, not copied. */
export type SentRecord = Omit<OutRecord, 'topic'> & { readonly topic: string }

/** The process as its source sees it. Failures of the log arrive as what they are. */
export interface SourceHost {
  bounds(): Bounds
  read(topic: string, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]>
  own(id: string): Promise<{ readonly committed: ReadonlyMap<string, number>; readonly bounds: Bounds }>
  /** Says how the source stands when it commits. Gives what stands committed then. */
  commit(
    id: string,
    outputs: readonly SentRecord[],
    inputs: ReadonlyMap<string, number>,
    state: SourceState,
  ): Promise<ReadonlyMap<string, number>>
  stands(state: SourceState): void
  notice(...said: Parameters<Notice>): void
}

/** What the source's ground is where that can be told in a message. */
export interface ThreadGround {
  readonly dataDir: string | null
  /** One 64-bit number: the slot that every fold has seen; -1 before the first. */
  readonly folded: SharedArrayBuffer
}

export interface Opened {
  readonly facts: string
  readonly words: string
  readonly hasAccounts: boolean
  readonly state: SourceState
}

/** The source as its process sees it. */
export interface SourceThread {
  /** `given` is what this source's own module takes, as a message can carry it. */
  open(given: unknown, ground: ThreadGround, host: SourceHost & ProxyMarked): Promise<Opened>
  prepare(progress: Progress & ProxyMarked): Promise<SourceState>
  run(): Promise<SourceState>
  stop(): void
  read(mint: Key): Promise<AccountsRead>
}

interface Thrown {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly world: {
    readonly code: EngineErrorCode
    readonly retriable: boolean
    readonly facts: Readonly<Record<string, string | number>>
  } | null
}

const thrownOf = (value: unknown): Thrown => {
  const world = value instanceof EngineError ? { code: value.code, retriable: value.retriable, facts: value.facts } : null
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack, world }
  return { name: 'Error', message: String(value), stack: undefined, world }
}

const errorOf = ({ name, message, stack, world }: Thrown): Error => {
  if (world !== null) return new EngineError(world.code, message, { retriable: world.retriable, facts: { ...world.facts } })
  return Object.assign(new Error(message), { name, ...(stack === undefined ? {} : { stack }) })
}

/** On both sides, before anything is said: what is thrown on one side is thrown on the other, a failure of the world as such. */
export const passFailures = (): void => {
  const marked = transferHandlers.get('throw')
  if (marked === undefined) throw new Error('the library of messages has no way for what is thrown')
  transferHandlers.set('throw', {
    canHandle: marked.canHandle,
    serialize: (thrown: { readonly value: unknown }): [Thrown, never[]] => [thrownOf(thrown.value), []],
    deserialize: (thrown: Thrown): never => {
      throw errorOf(thrown)
    },
  })
}
