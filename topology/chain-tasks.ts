// Parts that all chains share: the decoder's task, the tasks of the folds, and the operations on the log.
import type { ChainDefinition } from '../processors/chains/chain.ts'
import { readSchema } from '../schemas/avro.ts'
import type { Key } from '../schemas/keys.ts'
import { tickOf } from '../schemas/position.ts'
import type { ChainEvent } from '../schemas/record-forms.ts'
import { ownName, type Topic, type Topics } from '../schemas/topics.ts'
import type { ExchangeDefinition } from './engine/exchange/exchange.ts'
import { createPartitioner } from './engine/partition.ts'
import { type StateType, stateTypeOf } from './engine/rows/state-type.ts'
import { finalityIn } from './records/finality-in.ts'
import { rawReader, tapeReader } from './records/readers.ts'
import { conclusionRecords, decoderRecords, foldRecords, tapeRecords, writing } from './records/records.ts'
import type { FoldsDefinition, Topology } from './topology.ts'

/** Row shape of a processor, from schemas/<name>.avsc. */
export const stateOf = (name: string): StateType => stateTypeOf(readSchema(name))

const partitionerOf = ({ keys }: Pick<ChainDefinition, 'keys'>, partitions: number) =>
  createPartitioner(partitions, (key) => keys.print(key as Key))

type DecodeTopics = Pick<Topics, 'raw' | 'tape' | 'deadLetters' | 'decodeChangelog' | 'decodeTaskChangelog'>

/** raw -> tape: one task, because a chain has one order. `formerChangelog`: topic of the task's own rows in older versions. */
export const decodeOf =
  (
    chain: ChainDefinition,
    state: StateType,
    { raw, tape, deadLetters, decodeChangelog, decodeTaskChangelog }: DecodeTopics,
    formerChangelog?: Topic,
  ): Topology['decode'] =>
  (partitions) => ({
    name: chain.decoder.processor.name,
    input: raw,
    folds: [
      {
        processor: chain.decoder.processor,
        state,
        changelog: decodeChangelog,
        ...writing({ tape, deadLetters }, tapeRecords, chain.tape, partitions, partitionerOf(chain, partitions)),
      },
    ],
    changelog: decodeTaskChangelog,
    ...(formerChangelog === undefined ? {} : { formerChangelog }),
    open: rawReader,
    positionOf: (_frame, header) => tickOf(header.chain, header.number),
    ...writing({ tape, deadLetters }, decoderRecords, chain.tape, partitions, chain.decoder.processor),
  })

/** For a processor that emits nothing. */
const silent = { writes: [], collect: () => [] }

/** The exchange between the keys of this many partitions. */
const exchangeOf = (
  { name, framesPerEpoch, keys }: Pick<ChainDefinition, 'name' | 'framesPerEpoch' | 'keys'>,
  topic: Topic,
  partitions: number,
): ExchangeDefinition => ({
  ...{ chain: name, topic, framesPerEpoch, keyBytes: keys.bytes },
  ...{ partitions, partitionOf: partitionerOf({ keys }, partitions) },
})

/** Properties of the chain that the folds use. */
type Folded<Event extends ChainEvent> = Pick<ChainDefinition<Event>, 'name' | 'prefix' | 'keys' | 'framesPerEpoch' | 'tape' | 'conclusions'>
type Fold<Event> = Omit<FoldsDefinition<Event>['folds'][number], 'writes' | 'collect'>
type FoldTopics = Pick<Topics, 'tape' | 'deadLetters' | 'progress' | 'exchange' | 'bases' | 'taskChangelog'>

/**
 * tape -> rows, findings and outcomes: one task per partition. `main` writes the conclusions and names the task, `others` emit nothing.
 */
export const foldsOf = <Event extends ChainEvent>(
  chain: Folded<Event>,
  { tape, deadLetters, progress, exchange, bases, taskChangelog }: FoldTopics,
  conclusions: Readonly<Record<string, Topic>>,
  main: Fold<Event>,
  ...others: readonly Fold<Event>[]
): ((partitions: number) => FoldsDefinition<Event>) => {
  const name = ownName(chain, main.processor.name)
  return (partitions) => ({
    name,
    input: tape,
    folds: [{ ...main, ...writing(conclusions, conclusionRecords, chain.conclusions) }, ...others.map((fold) => ({ ...fold, ...silent }))],
    changelog: taskChangelog,
    bases,
    open: tapeReader(chain.tape),
    finalityIn: finalityIn(chain.tape),
    positionOf: ({ tx, outer, inner }, header) => ({ chain: header.chain, number: header.number, tx, outer, inner }),
    exchange: exchangeOf(chain, exchange, partitions),
    ...writing({ deadLetters, ...conclusions, progress }, foldRecords, name, main.processor, chain),
  })
}

/**
 * The topics that each operation on the log, apart from the tasks, reads and writes. `conclusions` as in `foldsOf`; `verified`: the topics
 * that a history is compared with.
 */
export const operationsOf = <Conclusions extends Readonly<Record<string, Topic>>, Verified extends Readonly<Record<string, Topic>>>(
  topics: Topics,
  conclusions: Conclusions,
  verified: Verified,
) => {
  const { raw, tape, corrections, flags, progress, exchange, bases, deadLetters, stores, rebuilds, owners, early, decodeChangelog } = topics
  const rebuilt = { corrections, ...conclusions, progress, exchange, bases, deadLetters, stores, rebuilds }
  return {
    rebuild: { reads: { raw, tape, decodeChangelog, ...rebuilt }, writes: rebuilt },
    retention: { reads: { raw, tape, progress }, writes: {} },
    record: { reads: { raw }, writes: {} },
    verify: { reads: verified, writes: {} },
    export: { reads: verified, writes: {} },
    letters: { reads: { deadLetters }, writes: {} },
    explain: { reads: { raw, tape, corrections, flags }, writes: {} },
    kafka: { reads: { owners, early }, writes: { owners, early } },
  }
}
