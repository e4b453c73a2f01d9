// The topics of a chain: what each holds, and how long. Names carry the prefix of MINTFOLD_TOPIC_PREFIX on Kafka; keys are bytes. Only the
// wiring (topology/launch-risk.ts) makes them: every other part is given the topics that it reads and writes.
import type { ConclusionForm, TapeForm } from './record-forms.ts'
import type { Chain } from './types.ts'

/** How a topic's records are kept: by time, or the newest of each key. */
type Cleanup = 'delete' | 'compact'

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

/** What the topics of a chain are made of. */
export interface ChainNames {
  readonly name: Chain
  /** Before the names of what every chain has of its own, as `alt` in `alt-flags`; empty for the chain whose names have none. */
  readonly prefix: string
  readonly tape: Pick<TapeForm, 'schema'>
  readonly conclusions: Pick<ConclusionForm, 'schema'>
}

/** Of all chains: their records are keyed by the chain, or by a task, whose name is of one chain. */
const SHARED = {
  sources: compacted('sources', 'source', 'one', 'What each chain is captured from, and its clock; for who serves elsewhere.'),
  stores: compacted('stores', 'stores', 'one', 'Which versions of the processors wrote the stores of each chain.'),
  rebuilds: compacted('rebuilds', 'rebuild', 'one', 'The rebuild of the stores of each chain that is under way, and who makes it.'),
  owners: compacted('owners', 'owner', 'many', 'Where each owner of a task stands, written with its commits; on Kafka only.'),
}

/** A name of a chain's own: `flags`, `alt-flags`. */
export const ownName = ({ prefix }: Pick<ChainNames, 'prefix'>, name: string): string => (prefix === '' ? name : `${prefix}-${name}`)

/** Rows of a processor of the chain, as schemas/<processor>-state.avsc has them. */
export const changelogOf = <Processor extends string>(chain: ChainNames, processor: Processor, partitions: Partitions, doc: string) =>
  compacted(ownName(chain, `${processor}.changelog`), `${processor}-state`, partitions, doc) as Topic<`${Processor}-state`, 'compact'>

const taskChangelogOf = (name: string, partitions: Partitions, doc: string) => compacted(name, 'task-state', partitions, doc)

const OUTCOMES_DOC = 'What became of launches.'

/** What every chain has, by what it is for. */
export const topicsFor = (chain: ChainNames) => {
  const own = (name: string): string => ownName(chain, name)
  return {
    ...SHARED,
    raw: timed(`raw.${chain.name}`, 'raw', 'one', 24, 'One frame per slot, complete enough to decode again later.'),
    tape: timed(
      `tape.${chain.name}`,
      chain.tape.schema,
      'many',
      7 * 24,
      'Decoded events by mint, one record per frame and partition; without events it is the tick.',
    ),
    corrections: timed(
      own('tape.corrections'),
      'tape-correction',
      'many',
      7 * 24,
      'What stands on the tape instead of records that were decoded again.',
    ),
    flags: timed(own('flags'), chain.conclusions.schema, 'many', 7 * 24, 'What detectors found, with evidence.'),
    progress: compacted(own('progress'), 'progress', 'many', 'How far each fold task is; tells the views what is complete.'),
    exchange: timed(
      own('exchange'),
      'exchange',
      'many',
      7 * 24,
      'What keys ask and tell each other, by epoch; each task in its own partition.',
    ),
    taskChangelog: taskChangelogOf(own('task.changelog'), 'many', 'Where each task stands, and how it takes frames back.'),
    decodeChangelog: changelogOf(chain, 'decode', 'one', 'Where the decoder of the chain stands.'),
    decodeTaskChangelog: taskChangelogOf(
      own('decode.task.changelog'),
      'one',
      'Where the decoder of the chain stands as a task, and how it takes frames back: apart from the tasks of the folds.',
    ),
    captureChangelog: changelogOf(
      chain,
      'capture',
      'one',
      'Mints of the launchpad that capture knows, so that frames keep what moves of them elsewhere.',
    ),
    bases: timed(own('bases'), 'base', 'many', 7 * 24, 'Copies of all rows of each fold task, one a day: what a rebuild starts from.'),
    deadLetters: timed(own('dead-letters'), 'dead-letter', 'one', 7 * 24, 'What could not be understood, and why.'),
  } as const satisfies Record<string, Topic>
}
export type Topics = ReturnType<typeof topicsFor>

/** What a chain has beside them whose launchpad makes mints. */
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
    models: compacted(ownName(chain, 'models'), 'model', 'one', 'Odds models, and which is in force; keyed by model id.'),
    mintChangelog: changelogOf(chain, 'mint', 'many', 'Rows of each mint; rebuilds the fold and feeds the views.'),
    creatorChangelog: changelogOf(chain, 'creator', 'many', 'Rows of each creator: what it launched and what became of it.'),
    walletChangelog: changelogOf(chain, 'wallet', 'many', 'Rows of each wallet: who paid it in the last 30 minutes.'),
  } as const satisfies Record<string, Topic>
}
export type MintTopics = ReturnType<typeof mintTopicsFor>

/** What a chain has beside them whose launchpad makes curves; its decoder keeps contracts too. */
export const curveTopicsFor = (chain: ChainNames) => {
  const topics = topicsFor(chain)
  return {
    ...topics,
    decodeChangelog: { ...topics.decodeChangelog, schema: 'alt-decode-state' as Topics['decodeChangelog']['schema'] },
    outcomes: timed(ownName(chain, 'outcomes'), chain.conclusions.schema, 'many', 7 * 24, OUTCOMES_DOC),
    curveChangelog: changelogOf(chain, 'curve', 'many', 'Rows of each curve, keyed by its token.'),
    deployerChangelog: changelogOf(chain, 'deployer', 'many', 'Rows of each deployer: what it launched and what became of it.'),
  } as const satisfies Record<string, Topic>
}
export type CurveTopics = ReturnType<typeof curveTopicsFor>
