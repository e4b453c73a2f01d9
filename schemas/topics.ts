// The one list of topics. Names carry the prefix of MINTFOLD_TOPIC_PREFIX on Kafka; keys are bytes.

/** How a topic's records are kept: by time, or the newest of each key. */
export type Cleanup = 'delete' | 'compact'

export interface Topic {
  readonly name: string
  /** Avro schema of the value (schemas/<schema>.avsc). */
  readonly schema: string
  readonly cleanup: Cleanup
  /** One partition (order of a whole chain), or as many as the tape has. */
  readonly partitions: 'one' | 'many'
  readonly retentionHours: number
  readonly doc: string
}

const topic = (name: string, schema: string, partitions: 'one' | 'many', cleanup: Cleanup, retentionHours: number, doc: string): Topic => ({
  name,
  schema,
  partitions,
  cleanup,
  retentionHours,
  doc,
})

export const TOPICS = {
  rawSolana: topic('raw.solana', 'raw', 'one', 'delete', 24, 'One frame per slot, complete enough to decode again later.'),
  tapeSolana: topic(
    'tape.solana',
    'tape',
    'many',
    'delete',
    7 * 24,
    'Decoded events by mint, one record per frame and partition; without events it is the tick.',
  ),
  tapeCorrections: topic(
    'tape.corrections',
    'tape-correction',
    'many',
    'delete',
    7 * 24,
    'What stands on the tape instead of records that were decoded again.',
  ),
  flags: topic('flags', 'conclusions', 'many', 'delete', 7 * 24, 'What detectors found, with evidence.'),
  outcomes: topic('outcomes', 'conclusions', 'many', 'delete', 7 * 24, 'What became of launches.'),
  mintChangelog: topic('mint.changelog', 'mint-state', 'many', 'compact', 0, 'Rows of each mint; rebuilds the fold and feeds the views.'),
  creatorChangelog: topic(
    'creator.changelog',
    'creator-state',
    'many',
    'compact',
    0,
    'Rows of each creator: what it launched and what became of it.',
  ),
  walletChangelog: topic(
    'wallet.changelog',
    'wallet-state',
    'many',
    'compact',
    0,
    'Rows of each wallet: who paid it in the last 30 minutes.',
  ),
  progress: topic('progress', 'progress', 'many', 'compact', 0, 'How far each fold task is; tells the views what is complete.'),
  exchange: topic(
    'exchange',
    'exchange',
    'many',
    'delete',
    7 * 24,
    'What keys ask and tell each other, by epoch; each task in its own partition.',
  ),
  taskChangelog: topic('task.changelog', 'task-state', 'many', 'compact', 0, 'Where each task stands, and how it takes frames back.'),
  decodeChangelog: topic('decode.changelog', 'decode-state', 'one', 'compact', 0, 'Where the decoder of each chain stands.'),
  decodeTaskChangelog: topic(
    'decode.task.changelog',
    'task-state',
    'one',
    'compact',
    0,
    'Where the decoder of each chain stands as a task, and how it takes frames back: apart from the tasks of the folds.',
  ),
  captureChangelog: topic(
    'capture.changelog',
    'capture-state',
    'one',
    'compact',
    0,
    'Mints of the launchpad that capture knows, so that frames keep what moves of them elsewhere.',
  ),
  sources: topic('sources', 'source', 'one', 'compact', 0, 'What each chain is captured from, and its clock; for who serves elsewhere.'),
  stores: topic('stores', 'stores', 'one', 'compact', 0, 'Which versions of the processors wrote the stores of each chain.'),
  rebuilds: topic(
    'rebuilds',
    'rebuild',
    'one',
    'compact',
    0,
    'The rebuild of the stores of each chain that is under way, and who makes it.',
  ),
  bases: topic('bases', 'base', 'many', 'delete', 7 * 24, 'Copies of all rows of each fold task, one a day: what a rebuild starts from.'),
  owners: topic('owners', 'owner', 'many', 'compact', 0, 'Where each owner of a task stands, written with its commits; on Kafka only.'),
  deadLetters: topic('dead-letters', 'dead-letter', 'one', 'delete', 7 * 24, 'What could not be understood, and why.'),
} as const satisfies Record<string, Topic>

export const topicList: readonly Topic[] = Object.values(TOPICS)
