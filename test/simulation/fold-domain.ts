// Simulates the folds of a chain: tape records are the entries of the story, conclusions as text are the outputs.
import { type Key, keyText } from '../../schemas/keys.ts'
import type { ChainEvent, TapeRecordOf } from '../../schemas/record-forms.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import { conclusionsOf, type FoldsDefinition, inputsOf, type Topology } from '../../topology/topology.ts'
import { conclusionText } from '../live.ts'
import type { FoldedOutput } from './invariants.ts'
import { taskJob } from './job.ts'
import type { Domain, Entry } from './story.ts'

type FoldedTopology<Event extends ChainEvent> = Topology & {
  readonly chain: { readonly tape: { keyOf(event: Event): Key } }
  folds(partitions: number): FoldsDefinition<Event>
}

const readOutputOf = (topology: Topology): Domain['readOutput'] => {
  const outputs = conclusionsOf(topology)
  return ({ topic, value }): FoldedOutput | undefined => {
    if (!outputs.includes(topic)) return undefined
    const read = topology.chain.conclusions.codec.decode(value as Uint8Array)
    if (!read.ok) throw new Error(read.reason)
    const { number, hash8, body } = read.value
    const frame = `${number}@${hash8}`
    return body.type === 'retraction' ? { type: 'retraction', frames: [frame] } : { type: 'line', line: conclusionText(read.value), frame }
  }
}

/** The folds over entries of any kind. */
export const foldsOver = <Event extends ChainEvent>(
  topology: FoldedTopology<Event>,
  partitions: number,
): Omit<Domain, 'entries' | 'model'> => ({
  partitions,
  outputs: conclusionsOf(topology),
  readOutput: readOutputOf(topology),
  tasks: (limits) => Array.from({ length: partitions }, (_, partition) => taskJob(topology.folds(partitions), partition, limits)),
})

/** An entry for each tape record, split by partition as the chain's decoder does. */
export const tapeEntries = <Event extends ChainEvent>(
  topology: FoldedTopology<Event>,
  tape: readonly TapeRecordOf<Event>[],
  partitions: number,
): readonly Entry[] => {
  const { chain } = topology
  const topic = inputsOf(topology).tape
  const partitionOf = createPartitioner(partitions, (name) => keyText(name as Key))
  const isIn = (event: Event, partition: number): boolean => partitionOf(chain.tape.keyOf(event)) === partition
  return tape.map((record): Entry => {
    const part = (partition: number): TapeRecordOf<Event> =>
      record.type === 'batch' ? { ...record, events: record.events.filter((event) => isIn(event, partition)) } : record
    const records = Array.from({ length: partitions }, (_, partition) => ({
      ...{ topic, partition, key: Buffer.from(chain.name) },
      value: chain.tape.codec.encode(part(partition)),
    }))
    if (record.type === 'finality') return { effect: { type: 'finality' }, records }
    const { number, hash8 } = record
    return { effect: { type: record.type === 'batch' ? 'frame' : 'revert', number, hash8 }, records }
  })
}
