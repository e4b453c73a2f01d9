// Whether topics outlive the loss of a broker: how many copies they have, and how many of these must have a record before it counts.
import { EngineError } from '../../../schemas/errors.ts'

/** Replicas of every topic, if there are enough brokers. */
export const COPIES_WANTED = 3
const NAMED_MAX = 3
const ACCEPT =
  'To run without this safety, start with --single-broker (up, capture, process, serve, doctor) or set MINTFOLD_SINGLE_BROKER=true'

/** How the brokers keep a topic. */
export interface Kept {
  readonly name: string
  /** Replicas of the partition with the fewest. */
  readonly copies: number
  /** `min.insync.replicas`; null: the brokers do not report it, or no commit depends on it. */
  readonly minInsync: number | null
  /** The settings of the brokers, as NAME=VALUE, that make a topic that does not exist yet durable. */
  readonly brokerSettings?: readonly string[]
}

/** With two of three replicas acknowledged, one broker may fail without loss of data or of writes. */
export const minInsync = (copies: number): number => Math.max(1, Math.min(2, copies - 1))

/** The most acknowledgements with which writes go on without a broker. */
export const acknowledgedMax = (copies: number): number => Math.max(1, copies - 1)

/** Topics with fewer copies or acknowledgements than one with `copies` replicas should have. */
const weakOf = (topics: readonly Kept[], copies: number): readonly Kept[] =>
  topics.filter((topic) => topic.copies < copies || isWeaklyWritten(topic, copies))

const isWeaklyWritten = (topic: Kept, copies: number): boolean => topic.minInsync !== null && topic.minInsync < minInsync(copies)

/** What is missing and what to do, if topics could have more copies; undefined if nothing is. `brokers`: the number of live brokers. */
export const missingCopies = (topics: readonly Kept[], brokers: number): string | undefined => {
  const there = topics.filter(({ brokerSettings }) => brokerSettings === undefined)
  const wanted = Math.min(COPIES_WANTED, Math.max(brokers, ...there.map(({ copies }) => copies)))
  const weak = weakOf(topics, wanted)
  return weak.length === 0 ? undefined : `${weakWords(weak, wanted)}: ${stepsOf(weak, wanted)}`
}

/**
 * Refuses topics that do not outlive the loss of any one broker. `brokers`: the number of live brokers; fewer than three are no fault if
 * every topic has its copies, because one may be restarting.
 */
export const notDurable = (topics: readonly Kept[], brokers: number): EngineError | undefined => {
  const weak = weakOf(topics, COPIES_WANTED)
  if (weak.length === 0) return undefined
  const start = brokers < COPIES_WANTED ? `start ${moreBrokers(brokers)}, then ` : ''
  const text = `${weakWords(weak, COPIES_WANTED)}: ${start}${stepsOf(weak, COPIES_WANTED)}. ${ACCEPT}`
  return new EngineError('not_durable', text, { facts: { topics: weak.length, brokers } })
}

/** Refuses to create topics where they cannot have three copies. `missing`: their names. */
export const tooFewBrokers = (missing: readonly string[], brokers: number): EngineError => {
  const text =
    `${brokers === 1 ? 'one broker runs' : `${brokers} brokers run`}, but ${missing.length} topics have to be created (${named(missing)}), ` +
    `each with ${COPIES_WANTED} copies on as many brokers: start ${moreBrokers(brokers)}. ${ACCEPT}`
  return new EngineError('not_durable', text, { facts: { topics: missing.length, brokers } })
}

const moreBrokers = (brokers: number): string =>
  brokers === COPIES_WANTED - 1 ? 'another broker' : `${COPIES_WANTED - brokers} more brokers`

const weakWords = (weak: readonly Kept[], wanted: number): string => {
  const what = `fewer than ${wanted} copies or min.insync.replicas below ${minInsync(wanted)}`
  return `${weak.length} ${weak.length === 1 ? 'topic has' : 'topics have'} ${what}, and may be lost with a broker: ${named(weak.map(wordsOf))}`
}

const wordsOf = ({ name, copies, minInsync: acknowledged, brokerSettings }: Kept): string => {
  const kept = `${copies} ${copies === 1 ? 'copy' : 'copies'}${acknowledged === null ? '' : `, min.insync.replicas=${acknowledged}`}`
  return `${name} (${brokerSettings === undefined ? '' : 'will be created with '}${kept})`
}

const named = (names: readonly string[]): string => {
  const rest = names.length - NAMED_MAX
  return `${[...names].sort().slice(0, NAMED_MAX).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const stepsOf = (weak: readonly Kept[], wanted: number): string => {
  const there = weak.filter(({ brokerSettings }) => brokerSettings === undefined)
  const settings = weak.flatMap(({ brokerSettings = [] }) => brokerSettings)
  const steps = [
    ...(settings.length > 0 ? [`set ${settings.join(', ')} on each broker and restart it`] : []),
    ...(there.some(({ copies }) => copies < wanted) ? [`give each partition ${wanted} replicas with kafka-reassign-partitions.sh`] : []),
    ...(there.some((topic) => isWeaklyWritten(topic, wanted))
      ? [
          `run kafka-configs.sh --alter --entity-type topics --entity-name TOPIC --add-config min.insync.replicas=${minInsync(wanted)} for each`,
        ]
      : []),
  ]
  return `${steps.join(', then ')} (deploy/README.md has the commands under Replicas)`
}
