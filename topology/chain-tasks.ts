// What the tasks of every chain have in common: the decoder's task, and how tasks of folds are told apart and talk.
import type { ChainDefinition } from '../processors/chains/chain.ts'
import { loadType, readSchema } from '../schemas/avro.ts'
import type { Key } from '../schemas/keys.ts'
import { tickOf } from '../schemas/position.ts'
import type { Topic, Topics } from '../schemas/topics.ts'
import type { ExchangeDefinition } from './engine/exchange/exchange.ts'
import { createPartitioner } from './engine/partition.ts'
import { type StateType, stateTypeOf } from './engine/rows/state-type.ts'
import { rawReader } from './records/readers.ts'
import { decoderRecords, tapeRecords, writing } from './records/records.ts'
import type { Topology } from './topology.ts'

/** Rows of a processor, as schemas/<name>.avsc has them. */
export const stateOf = (name: string): StateType => stateTypeOf(readSchema(name), loadType(name))

const partitionerOf = ({ keys }: Pick<ChainDefinition, 'keys'>, partitions: number) =>
  createPartitioner(partitions, (key) => keys.print(key as Key))

type DecodeTopics = Pick<Topics, 'raw' | 'tape' | 'deadLetters' | 'decodeChangelog' | 'decodeTaskChangelog'> & {
  readonly taskChangelog?: Topic
}

/** raw -> tape: one task, because a chain has one order. `taskChangelog`: where programs before kept how far it is. */
export const decodeOf =
  (
    chain: ChainDefinition,
    state: StateType,
    { raw, tape, deadLetters, decodeChangelog, decodeTaskChangelog, taskChangelog }: DecodeTopics,
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
    ...(taskChangelog === undefined ? {} : { formerChangelog: taskChangelog }),
    open: rawReader,
    positionOf: (_frame, header) => tickOf(header.chain, header.number),
    ...writing({ tape, deadLetters }, decoderRecords, chain.tape, partitions, chain.decoder.processor),
  })

/** Of a processor that emits nothing. */
export const silent = { writes: [], collect: () => [] }

/** How keys of so many partitions send each other facts. */
export const exchangeOf = (chain: ChainDefinition, topic: Topic, partitions: number): ExchangeDefinition => ({
  ...{ chain: chain.name, topic, framesPerEpoch: chain.framesPerEpoch, keyBytes: chain.keys.bytes },
  ...{ partitions, partitionOf: partitionerOf(chain, partitions) },
})
