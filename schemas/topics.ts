// The topics: what each holds, and how long. Names carry the prefix of MINTFOLD_TOPIC_PREFIX on Kafka; keys are bytes. Only the wiring
// (topology/launch-risk.ts) reads the list: every other part is given the topics that it reads and writes.

/** How a topic's records are kept: by time, or the newest of each key. */
type Cleanup = 'delete' | 'compact'

/** Schemas of records that are kept by time: retention reads off each how old it is. */
export type TimedSchema = 'raw' | 'tape' | 'tape-correction' | 'conclusions' | 'exchange' | 'base' | 'dead-letter'

export interface Topic<Schema extends string = string, Kept extends Cleanup = Cleanup> {
  readonly name: string
  /** Avro schema of the value (schemas/<schema>.avsc). */
  readonly schema: Schema
  readonly cleanup: Kept
  /** One partition (order of a whole chain), or as many as the tape has. */
  readonly partitions: 'one' | 'many'
  readonly retentionHours: number
  readonly doc: string
}
export type TimedTopic = Topic<TimedSchema, 'delete'>
export const isTimed = (topic: Topic): topic is TimedTopic => topic.cleanup === 'delete'

type Partitions = Topic['partitions']
const timed = <Schema extends TimedSchema>(
  name: string,
  schema: Schema,
  partitions: Partitions,
  retentionHours: number,
  doc: string,
): Topic<Schema, 'delete'> => ({ name, schema, partitions, cleanup: 'delete', retentionHours, doc })
const compacted = <Schema extends string>(name: string, schema: Schema, partitions: Partitions, doc: string): Topic<Schema, 'compact'> => ({
  name,
  schema,
  partitions,
  cleanup: 'compact',
  retentionHours: 0,
  doc,
})

export const TOPICS = {
  raw: timed('raw.solana', 'raw', 'one', 24, 'One frame per slot, complete enough to decode again later.'),
  tape: timed(
    'tape.solana',
    'tape',
    'many',
    7 * 24,
    'Decoded events by mint, one record per frame and partition; without events it is the tick.',
  ),
  corrections: timed(
    'tape.corrections',
    'tape-correction',
    'many',
    7 * 24,
    'What stands on the tape instead of records that were decoded again.',
  ),
  flags: timed('flags', 'conclusions', 'many', 7 * 24, 'What detectors found, with evidence.'),
  outcomes: timed('outcomes', 'conclusions', 'many', 7 * 24, 'What became of launches.'),
  mintChangelog: compacted('mint.changelog', 'mint-state', 'many', 'Rows of each mint; rebuilds the fold and feeds the views.'),
  creatorChangelog: compacted(
    'creator.changelog',
    'creator-state',
    'many',
    'Rows of each creator: what it launched and what became of it.',
  ),
  walletChangelog: compacted('wallet.changelog', 'wallet-state', 'many', 'Rows of each wallet: who paid it in the last 30 minutes.'),
  progress: compacted('progress', 'progress', 'many', 'How far each fold task is; tells the views what is complete.'),
  exchange: timed('exchange', 'exchange', 'many', 7 * 24, 'What keys ask and tell each other, by epoch; each task in its own partition.'),
  taskChangelog: compacted('task.changelog', 'task-state', 'many', 'Where each task stands, and how it takes frames back.'),
  decodeChangelog: compacted('decode.changelog', 'decode-state', 'one', 'Where the decoder of each chain stands.'),
  decodeTaskChangelog: compacted(
    'decode.task.changelog',
    'task-state',
    'one',
    'Where the decoder of each chain stands as a task, and how it takes frames back: apart from the tasks of the folds.',
  ),
  captureChangelog: compacted(
    'capture.changelog',
    'capture-state',
    'one',
    'Mints of the launchpad that capture knows, so that frames keep what moves of them elsewhere.',
  ),
  sources: compacted('sources', 'source', 'one', 'What each chain is captured from, and its clock; for who serves elsewhere.'),
  stores: compacted('stores', 'stores', 'one', 'Which versions of the processors wrote the stores of each chain.'),
  rebuilds: compacted('rebuilds', 'rebuild', 'one', 'The rebuild of the stores of each chain that is under way, and who makes it.'),
  bases: timed('bases', 'base', 'many', 7 * 24, 'Copies of all rows of each fold task, one a day: what a rebuild starts from.'),
  owners: compacted('owners', 'owner', 'many', 'Where each owner of a task stands, written with its commits; on Kafka only.'),
  deadLetters: timed('dead-letters', 'dead-letter', 'one', 7 * 24, 'What could not be understood, and why.'),
} as const satisfies Record<string, Topic>

/** By what they are for. */
export type Topics = typeof TOPICS
