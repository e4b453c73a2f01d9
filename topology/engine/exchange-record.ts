// Records of the exchange and their bytes: what a task tells in a commit, and what of a record is for one receiver.
//
// A task writes to its own partition alone: its transaction stays small, and while it is frozen with one open nobody else's records wait
// behind it. Facts are grouped by receiver, as bytes, so that a reader decodes no more than what its own tasks are told.
import { exchangeCodec, factsCodec } from '../../schemas/codecs.ts'
import { bad, good, type Parsed } from '../../schemas/errors.ts'
import type { Chain } from '../../schemas/position.ts'
import type { ExchangeBatch, ExchangeClosing, Fact } from '../../schemas/types.ts'
import type { LogRecord } from '../ports/log.ts'
import { EXCHANGE_RECORD_FACTS_MAX } from './limits.ts'

/** What one task tells the keys of one partition in one epoch. */
export type Batch = Pick<ExchangeBatch, 'chain' | 'writer' | 'epoch' | 'closedBy' | 'facts'>

/** An epoch that a task closed. */
export interface Closing extends Pick<ExchangeClosing, 'epoch' | 'closedBy'> {
  /** By receiving partition. */
  readonly facts: readonly (readonly Fact[])[]
}

/** A record of the exchange where it was read: decoded once for all tasks of a process. */
export interface ExchangeRecord {
  readonly partition: number
  readonly record: LogRecord
  readonly read: Parsed<ExchangeBatch>
}

export const readExchange = (partition: number, record: LogRecord): ExchangeRecord => ({
  partition,
  record,
  read: record.fault === undefined ? exchangeCodec.decode(record.value ?? NO_BYTES) : bad('bad_encoding', record.fault),
})
const NO_BYTES = Buffer.alloc(0)

/** What a record tells one receiver in one epoch. */
export interface HeardEpoch extends Pick<Batch, 'epoch' | 'closedBy'> {
  facts(): Parsed<readonly Fact[]>
}

/** Not a number of any frame: programs that know only the older layout pass such a record over. */
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

/** Values of as few records as the limit of facts allows; one epoch is never split. */
export const encodeClosings = (chain: Chain, writer: number, closings: readonly Closing[]): Buffer[] => {
  const values: Buffer[] = []
  let [first, facts] = [0, 0]
  for (const [n, closing] of closings.entries()) {
    facts += weightOf(closing)
    const next = closings[n + 1]
    if (next !== undefined && facts + weightOf(next) <= EXCHANGE_RECORD_FACTS_MAX) continue
    values.push(exchangeCodec.encode({ ...EMPTY, chain, writer, closings: closings.slice(first, n + 1).map(pack) }))
    first = n + 1
    facts = 0
  }
  return values
}

/** The value of a record behind which a rebuild's records of the writer begin. */
export const encodeCut = (chain: Chain, writer: number): Buffer => exchangeCodec.encode({ ...EMPTY, chain, writer, cut: true })

const weightOf = ({ facts }: Closing): number => facts.reduce((sum, { length }) => sum + length, 0)

const pack = ({ epoch, closedBy, facts }: Closing): ExchangeClosing => ({
  epoch,
  closedBy,
  parts: facts.flatMap((told, partition) => (told.length === 0 ? [] : { partition, facts: factsCodec.encode(told) })),
})

/** Epochs of which a record in `partition` tells `receiver`, in the order in which they were closed. */
export const heardBy = (receiver: number, partition: number, batch: ExchangeBatch): readonly HeardEpoch[] => {
  if (batch.closings.length > 0)
    return batch.closings.map(({ epoch, closedBy, parts }) => ({
      epoch,
      closedBy,
      facts: () => {
        const part = parts.find(({ partition }) => partition === receiver)
        return part === undefined ? NONE : factsCodec.decode(part.facts)
      },
    }))
  // The older layout: a record for each receiver, in the receiver's partition.
  if (batch.cut || partition !== receiver) return []
  return [...batch.earlier, batch].map(({ epoch, closedBy, facts }) => ({ epoch, closedBy, facts: () => good(facts) }))
}

/** Number of the frame that closed the first epoch of a record; undefined where it tells of none. */
export const firstClosedBy = ({ closings, earlier, closedBy, cut }: ExchangeBatch): number | undefined =>
  cut ? undefined : (closings[0] ?? earlier[0] ?? { closedBy }).closedBy

/** Newest epoch of a record; undefined where it tells of none. */
export const newestEpoch = ({ closings, epoch, cut }: ExchangeBatch): number | undefined =>
  cut ? undefined : (closings.at(-1)?.epoch ?? epoch)
