// The topology as data, text and drawing, generated from the topology value: it shows exactly what runs.
import type { FrameHeader } from '../processors/contract.ts'
import type { DetectorFacts } from '../processors/mint/detectors/detector.ts'
import type { Topic } from '../schemas/topics.ts'
import type { TaskDefinition } from './engine/definition.ts'
import { type AnyPart, groupsOf, type Topology, topicsOf } from './topology.ts'

/** A component on the log, with its topics. `keeps`: topics that it both writes and reads back. */
interface Node {
  readonly name: string
  /** The task of a processor, the task whose history it writes, or the number of tasks. */
  readonly words?: string
  readonly reads: readonly string[]
  /** Facts by type, with the receiving processor. */
  readonly sends?: Readonly<Record<string, string>>
  readonly writes: readonly string[]
  readonly keeps: readonly string[]
}

export interface Graph {
  readonly chain: {
    readonly name: string
    readonly keyBytes: number
    /** Number of integers in a position. */
    readonly numbers: number
    readonly quote: { readonly symbol: string; readonly unit: string; readonly decimals: number }
  }
  readonly framesPerEpoch: number
  readonly detectors: readonly (Pick<DetectorFacts, 'id' | 'version' | 'tier' | 'flag'> & { readonly hash: string | null })[]
  /** By kind: processors, tasks, and the groups of parts. */
  readonly nodes: Readonly<Record<string, readonly Node[]>>
  readonly topics: readonly (Topic & { readonly partitionsHere: number })[]
}

/** The topology for a tape with this many partitions. */
export const graphOf = (topology: Topology, partitions: number): Graph => {
  const { chain, decode, folds, detectors } = topology
  const here = (topic: Topic): number => (topic.partitions === 'one' ? 1 : partitions)
  return {
    chain: chainOf(chain),
    framesPerEpoch: chain.framesPerEpoch,
    detectors: detectors.all.map(({ id, version, tier, hash = null, flag }) => ({ id, version, tier, hash, flag })),
    nodes: {
      processors: [...processorsOf(decode(partitions)), ...processorsOf(folds(partitions))],
      tasks: [taskNode(decode(partitions), here), taskNode(folds(partitions), here)],
      ...Object.fromEntries(
        groupsOf(topology).map(([group, named]) => [group, Object.entries(named).map(([name, part]) => partNode(name, part))]),
      ),
    },
    topics: topicsOf(topology).map((topic) => ({ ...topic, partitionsHere: here(topic) })),
  }
}

const chainOf = ({ name, keys, positions, quote: { symbol, unit, decimals } }: Topology['chain']): Graph['chain'] => ({
  ...{ name, keyBytes: keys.bytes, numbers: positions.numbers },
  quote: { symbol, unit, decimals },
})

type Topics = readonly (Topic | undefined)[]
const namesOf = (topics: Topics): readonly string[] => [...new Set(topics.flatMap((topic) => topic?.name ?? []))]

const nodeOf = (name: string, reads: Topics, writes: Topics, keeps: Topics, more: Pick<Node, 'words' | 'sends'> = {}): Node => ({
  name,
  ...more,
  reads: namesOf(reads),
  writes: namesOf(writes),
  keeps: namesOf(keeps),
})

const processorsOf = <Event, Header extends FrameHeader>(task: TaskDefinition<Event, Header>): readonly Node[] =>
  task.folds.map(({ processor: { name, version, keyOf, onFact, sends }, changelog, writes }) => {
    const exchange = task.exchange?.topic
    const sent = Object.keys(sends).length > 0 ? exchange : undefined
    const words = `in ${task.name}`
    return nodeOf(`${name} v${version}`, [keyOf && task.input, onFact && exchange], [...writes, sent], [changelog], { words, sends })
  })

const taskNode = <Event, Header extends FrameHeader>(
  { name, input, writes, changelog, formerChangelog, bases }: TaskDefinition<Event, Header>,
  here: (topic: Topic) => number,
): Node => {
  const words = here(input) === 1 ? 'one' : `${here(input)}, one per partition`
  return nodeOf(name, [input], [...writes, bases], [changelog, formerChangelog], { words })
}

const partNode = (name: string, part: AnyPart): Node => {
  const [reads, writes] = [Object.values(part.reads), Object.values(part.writes)]
  const [read, written] = [reads.filter((topic) => !writes.includes(topic)), writes.filter((topic) => !reads.includes(topic))]
  const kept = reads.filter((topic) => writes.includes(topic))
  return nodeOf(name, read, written, kept, part.history && { words: `writes its history as ${part.history(1).name}` })
}

const NAME_WIDTH = 22

const nodeText = ({ name, words, reads, sends = {}, writes, keeps }: Node): string => {
  const sent = Object.entries(sends).map(([type, to]) => `${type} to ${to}`)
  const lists = Object.entries({ reads, sends: sent, writes, keeps }).flatMap(([verb, names]) =>
    names.length === 0 ? [] : [`${verb} ${names.join(', ')}`],
  )
  return `  ${name.padEnd(NAME_WIDTH)} ${[...(words === undefined ? [] : [words]), ...lists].join('; ')}`
}

/** One line per item. */
export const textOf = ({ chain: { name: chain, keyBytes, numbers, quote }, framesPerEpoch, detectors, nodes, topics }: Graph): string => {
  const lines = [
    `chain ${chain}: keys of ${keyBytes} bytes, positions of ${numbers} numbers, amounts in ${quote.unit} (10^${quote.decimals} per ${quote.symbol})`,
    `facts between keys apply at the end of the next epoch of ${framesPerEpoch} frames`,
    ...Object.entries(nodes).flatMap(([group, of]) => [group, ...of.map(nodeText)]),
    'detectors',
    ...detectors.map(({ id, version, tier, hash, flag }) => {
      const code = hash === null ? 'not registered' : `sha256 ${hash}`
      return `  ${`${id} v${version}`.padEnd(NAME_WIDTH)} ${tier}; ${flag}; ${code}`
    }),
    'topics',
    ...topics.map(({ name, schema, cleanup, retentionHours, partitionsHere: count }) => {
      const kept = cleanup === 'compact' ? 'newest of each key' : `${retentionHours} h`
      return `  ${name.padEnd(NAME_WIDTH)} ${schema}; ${count} partition${count === 1 ? '' : 's'}; ${kept}`
    }),
  ]
  return `${lines.join('\n')}\n`
}

/** All chains in one drawing, joined by the topics they share. */
export const drawingOf = (graphs: readonly Graph[]): string => {
  const lines = graphs.flatMap(({ chain, nodes }, n) => linesOf(nodes, n === 0 ? '' : `${chain.name}-`))
  return `flowchart LR\n${lines.map((line) => `  ${line}\n`).join('')}`
}

/** `before`: prefix of node names, which keeps the nodes of several chains apart. */
const linesOf = (nodes: Graph['nodes'], before: string): readonly string[] =>
  Object.entries(nodes).flatMap(([group, of]) =>
    of.flatMap(({ name, reads, writes, keeps }) => {
      const node = `${before}${group}-${name.replace(/ .*/, '')}`
      return [
        `${node}([${name}])`,
        ...reads.map((topic) => `${topic}[(${topic})] --> ${node}`),
        ...writes.map((topic) => `${node} --> ${topic}[(${topic})]`),
        ...keeps.map((topic) => `${node} <--> ${topic}[(${topic})]`),
      ]
    }),
  )
