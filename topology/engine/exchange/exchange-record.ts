// Records of the exchange and their encoding: the facts a task sends in a commit, and the part of a record for one receiver.
//
// A task writes to its own partition alone: its transaction stays small, and if the task is frozen with an open transaction, only its own
// records wait behind it. Facts are grouped by receiver, as bytes, so that a reader decodes only the facts for its own tasks.
import { exchangeCodec, type FactCodecs, factCodecsOf } from '../../../schemas/codecs.ts'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { compareText } from '../../../schemas/keys.ts'
import { comparePositions } from '../../../schemas/position.ts'
import type { Chain, ExchangeBatch, ExchangeClosing, Fact } from '../../../schemas/types.ts'
import type { LogRecord } from '../../ports/log.ts'
import { EXCHANGE_RECORD_FACTS_MAX } from '../limits.ts'

/** The facts that one task sends to the keys of one partition in one epoch. */
export type Batch = Pick<ExchangeBatch, 'chain' | 'writer' | 'epoch' | 'closedBy' | 'facts'>

/** By position, sender and n. Makes no copies, because every fact of an epoch is sorted twice. */
export const compareFacts = (a: Fact, b: Fact): number =>
  comparePositions(a, b) || compareText(a.from, b.from) || compareText(a.fromKey, b.fromKey) || a.n - b.n

/** An epoch that a task closed. */
export interface Closing extends Pick<ExchangeClosing, 'epoch' | 'closedBy'> {
  /** By receiving partition; receivers without facts are omitted. */
  readonly facts: ReadonlyMap<number, readonly Fact[]>
}

/** Where a task delivers an epoch that it closed, ahead of its commit. */
export interface Outlet {
  /** To the task of a partition in the same process. */
  handOver(batch: Batch, partition: number): void
  /** To the tasks of other processes. */
  tell?(closing: Closing): void
}

/** One epoch of a record. */
interface HeardEpoch extends Pick<Batch, 'epoch' | 'closedBy'> {
  facts(receiver: number, codecs: FactCodecs): Parsed<readonly Fact[]>
}

/** A record of the exchange after reading: decoded once for all tasks of a process. */
export interface ExchangeRecord {
  readonly partition: number
  readonly record: LogRecord
  readonly read: Parsed<Pick<ExchangeBatch, 'chain' | 'writer' | 'cut'>>
  /** In the order in which they were closed. */
  readonly epochs: readonly HeardEpoch[]
  /** The only receiving task; undefined: all tasks receive it. */
  readonly receiver: number | undefined
}

export const readExchange = (partition: number, record: LogRecord): ExchangeRecord => {
  const read = record.fault === undefined ? exchangeCodec.decode(record.value ?? NO_BYTES) : bad('bad_encoding', record.fault)
  const parsed = { partition, record, read }
  if (!read.ok || read.value.cut) return { ...parsed, epochs: [], receiver: read.ok ? undefined : partition }
  const { closings, earlier, epoch, closedBy, facts } = read.value
  if (closings.length > 0) return { ...parsed, epochs: closings.map(epochOf), receiver: undefined }
  // The older layout: a record for each receiver, in the receiver's partition.
  const all = [...earlier, { epoch, closedBy, facts }]
  return { ...parsed, epochs: all.map((one) => ({ ...one, facts: () => good(one.facts) })), receiver: partition }
}
const NO_BYTES = Buffer.alloc(0)

const epochOf = ({ epoch, closedBy, parts }: ExchangeClosing): HeardEpoch => ({
  epoch,
  closedBy,
  facts: (receiver, { many }) => {
    const part = parts.find(({ partition }) => partition === receiver)
    return part === undefined ? NONE : many.decode(part.facts)
  },
})

/** Not a valid frame number: programs that know only the older layout skip such a record. */
const NO_FRAME = -1
const EMPTY: Pick<ExchangeBatch, 'epoch' | 'closedBy' | 'facts' | 'earlier' | 'closings' | 'cut'> = {
  epoch: NO_FRAME,
  closedBy: NO_FRAME,
  facts: [],
  earlier: [],
  closings: [],
  cut: false,
}
const NONE = good<readonly Fact[]>([])

/** Encodes closings into as few records as the limit of facts allows; one epoch is never split. */
export const encodeClosings = (chain: Chain, writer: number, closings: readonly Closing[]): Buffer[] => {
  const values: Buffer[] = []
  let [first, facts] = [0, 0]
  for (const [n, closing] of closings.entries()) {
    facts += weightOf(closing)
    const next = closings[n + 1]
    if (next !== undefined && facts + weightOf(next) <= EXCHANGE_RECORD_FACTS_MAX) continue
    values.push(exchangeCodec.encode({ ...EMPTY, chain, writer, closings: closings.slice(first, n + 1).map(packedOf) }))
    first = n + 1
    facts = 0
  }
  return values
}

/** The record that separates a writer's older records from those of its rebuild. */
export const encodeCut = (chain: Chain, writer: number): Buffer => exchangeCodec.encode({ ...EMPTY, chain, writer, cut: true })

const weightOf = ({ facts }: Closing): number => {
  let weight = 0
  for (const { length } of facts.values()) weight += length
  return weight
}

const encodeFacts = (facts: readonly Fact[]): Buffer => factCodecsOf(facts[0]?.fromKey.length ?? 0).many.encode(facts)

const pack = ({ epoch, closedBy, facts }: Closing): ExchangeClosing => ({
  epoch,
  closedBy,
  parts: Array.from(facts, ([partition, sent]) => ({ partition, facts: encodeFacts(sent) })).sort((a, b) => a.partition - b.partition),
})

/** Packed once for the message and for the commit. */
const packedOf = (closing: Closing): ExchangeClosing => {
  const known = packed.get(closing) ?? pack(closing)
  packed.set(closing, known)
  return known
}
const packed = new WeakMap<Closing, ExchangeClosing>()

/** Newest epoch of a record; undefined if it has none. */
export const newestEpoch = ({ closings, epoch, cut }: ExchangeBatch): number | undefined =>
  cut ? undefined : (closings.at(-1)?.epoch ?? epoch)
