// The topics of a chain: content and retention. Names carry the prefix of MINTFOLD_TOPIC_PREFIX on Kafka; keys are bytes. Only the wirings
// (topology/launch-risk.ts and curve-risk.ts) create them: all other modules get the topics that they read and write.
import type { ConclusionForm, TapeForm } from './record-forms.ts'
import type { Chain } from './types.ts'

/** Retention of a topic: by time, or the newest record of each key. */
type Cleanup = 'delete' | 'compact'

export interface Topic<Schema extends string = string, Kept extends Cleanup = Cleanup> {
  readonly name: string
  /** Avro schema of the value (schemas/<schema>.avsc). */
  readonly schema: Schema
  readonly cleanup: Kept
  /** One partition (total order of a chain), or as many as the tape has. */
  readonly partitions: 'one' | 'many'
  readonly retentionHours: number
  readonly doc: string
}
export type TimedTopic = Topic<string, 'delete'>
export const isTimed = (topic: Topic): topic is TimedTopic => topic.cleanup === 'delete'

type Partitions = Topic['partitions']
const timed = <Schema extends string>(
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

/** What the names and schemas of a chain's topics depend on. */
export interface ChainNames {
  readonly name: Chain
  /** Prefix of the chain's own names, as `alt` in `alt-flags`; empty for the chain whose names have no prefix. */
  readonly prefix: string
  readonly tape: Pick<TapeForm, 'schema'>
  readonly conclusions: Pick<ConclusionForm, 'schema'>
}

/**
 * Topics shared by all chains: records are keyed by the chain, those of `owners` by the id of a producer, such as a task, those of `early` by
 * chain, sending partition, and revision of the stores.
 */
const SHARED = {
  sources: compacted('sources', 'source', 'one', 'The source of each chain and its clock, for processes that only serve.'),
  stores: compacted('stores', 'stores', 'one', 'Which versions of the processors wrote the stores of each chain.'),
  rebuilds: compacted('rebuilds', 'rebuild', 'one', 'The running rebuild of the stores of each chain, and the process that runs it.'),
  early: timed(
    'exchange.early',
    'exchange',
    'one',
    1,
    'Messages between keys, ahead of their commit, for tasks of other processes; on Kafka only.',
  ),
  owners: compacted('owners', 'owner', 'many', 'Committed input offsets of each transactional producer, such as a task; on Kafka only.'),
}

/** The chain's name for a topic: `flags`, `alt-flags`. */
export const ownName = ({ prefix }: Pick<ChainNames, 'prefix'>, name: string): string => (prefix === '' ? name : `${prefix}-${name}`)

/** Rows of a processor of the chain, with the schema schemas/<processor>-state.avsc. */
export const changelogOf = <Processor extends string>(chain: ChainNames, processor: Processor, partitions: Partitions, doc: string) =>
  compacted(ownName(chain, `${processor}.changelog`), `${processor}-state`, partitions, doc) as Topic<`${Processor}-state`, 'compact'>

const taskChangelogOf = (name: string, partitions: Partitions, doc: string) => compacted(name, 'task-state', partitions, doc)

const OUTCOMES_DOC =
  'Outcomes of launches, and other conclusions without a topic of their own, such as steps of the curve and findings of shadow detectors.'

/** Topics of every chain, by purpose. */
export const topicsFor = (chain: ChainNames) => {
  const own = (name: string): string => ownName(chain, name)
  return {
    ...SHARED,
    raw: timed(`raw.${chain.name}`, 'raw', 'one', 24, 'Frames of slots or blocks, complete enough to decode again later.'),
    tape: timed(
      `tape.${chain.name}`,
      chain.tape.schema,
      'many',
      7 * 24,
      'Decoded events by mint, payments by the wallet that was paid; one record per frame and partition; a record without events is only the tick.',
    ),
    corrections: timed(own('tape.corrections'), 'tape-correction', 'many', 7 * 24, 'Replacements of tape records that were decoded again.'),
    flags: timed(own('flags'), chain.conclusions.schema, 'many', 7 * 24, 'Findings of detectors, with evidence.'),
    progress: compacted(own('progress'), 'progress', 'many', 'Position of each fold task: it shows the views what is complete.'),
    exchange: timed(own('exchange'), 'exchange', 'many', 7 * 24, 'Messages between keys, by epoch; each task in its own partition.'),
    taskChangelog: taskChangelogOf(own('task.changelog'), 'many', 'Position of each task, and its undo records for rollback.'),
    decodeChangelog: changelogOf(chain, 'decode', 'one', 'State of the decoder of the chain.'),
    decodeTaskChangelog: taskChangelogOf(
      own('decode.task.changelog'),
      'one',
      'Position of the decoder as a task, and its undo records; separate from the tasks of the folds.',
    ),
    captureChangelog: changelogOf(
      chain,
      'capture',
      'one',
      'Mints of the launchpad that capture has seen: frames also keep balance changes of these mints from transactions without the launchpad.',
    ),
    bases: timed(own('bases'), 'base', 'many', 7 * 24, 'Copies of all rows of each fold task, one a day: the start of a rebuild.'),
    deadLetters: timed(own('dead-letters'), 'dead-letter', 'one', 7 * 24, 'Records that could not be decoded, and why.'),
  } as const satisfies Record<string, Topic>
}
export type Topics = ReturnType<typeof topicsFor>

/** The topics of a chain whose launchpad makes mints. */
export const mintTopicsFor = (chain: ChainNames) => {
  return {
    ...topicsFor(chain),
    outcomes: timed(ownName(chain, 'outcomes'), chain.conclusions.schema, 'many', 7 * 24, OUTCOMES_DOC),
    judgements: timed(
      ownName(chain, 'judgements'),
      chain.conclusions.schema,
      'many',
      7 * 24,
      'Inputs of the odds models, per launch and age.',
    ),
    odds: timed(ownName(chain, 'odds'), chain.conclusions.schema, 'many', 7 * 24, 'Probabilities, logged before their outcomes are known.'),
    models: compacted(ownName(chain, 'models'), 'model', 'one', 'Odds models, and which one is in force; keyed by model id.'),
    mintChangelog: changelogOf(chain, 'mint', 'many', 'Rows of each mint; restores the store of the fold and feeds the views.'),
    creatorChangelog: changelogOf(chain, 'creator', 'many', 'Rows of each creator: its launches and their outcomes.'),
    walletChangelog: changelogOf(
      chain,
      'wallet',
      'many',
      'Rows of each wallet: the newest 16 payments to it, deleted 32 minutes after the newest.',
    ),
  } as const satisfies Record<string, Topic>
}
export type MintTopics = ReturnType<typeof mintTopicsFor>

/** The topics of a chain whose launchpad makes curves. The schema of its decoder's state also has the launchpad's contracts. */
export const curveTopicsFor = (chain: ChainNames) => {
  const topics = topicsFor(chain)
  return {
    ...topics,
    decodeChangelog: { ...topics.decodeChangelog, schema: 'alt-decode-state' as Topics['decodeChangelog']['schema'] },
    outcomes: timed(ownName(chain, 'outcomes'), chain.conclusions.schema, 'many', 7 * 24, OUTCOMES_DOC),
    curveChangelog: changelogOf(chain, 'curve', 'many', 'Rows of each curve, keyed by its token.'),
    deployerChangelog: changelogOf(chain, 'deployer', 'many', 'Rows of each deployer: its launches and their outcomes.'),
  } as const satisfies Record<string, Topic>
}
export type CurveTopics = ReturnType<typeof curveTopicsFor>
