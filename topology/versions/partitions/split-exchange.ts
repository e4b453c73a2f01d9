// Writes the facts that tasks may still need to a log with another number of partitions.
import { factCodecsOf } from '../../../schemas/codecs.ts'
import { assert } from '../../../schemas/errors.ts'
import type { Fact } from '../../../schemas/types.ts'
import { type Closing, encodeClosings, readExchange } from '../../engine/exchange/exchange-record.ts'
import type { Log } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { Chunks } from '../chunks.ts'
import type { Folds, OwnState } from './split-rows.ts'

/** The facts of one closed epoch, of all writers. */
interface Epoch {
  readonly epoch: number
  readonly closedBy: number
  readonly facts: Fact[]
}

/** The epochs of a state's closings, in the order of closing. `made`: staging log of the tasks. */
const epochsOf = async (made: Log, { exchange: { topic, keyBytes } }: Folds, { closings }: OwnState): Promise<readonly Epoch[]> => {
  const wanted = new Set(closings.map(({ closedBy }) => closedBy))
  const epochs = new Map<number, Epoch>()
  const partitions = made.partitions(topic)
  const all = Array.from({ length: partitions }, (_, partition) => partition)
  for (const partition of all)
    for await (const record of recordsOf(made, topic, partition)) {
      const { epochs: closed, receiver } = readExchange(partition, record)
      for (const { epoch, closedBy, facts } of closed) {
        if (!wanted.has(closedBy)) continue
        const of = epochs.get(closedBy) ?? { epoch, closedBy, facts: [] }
        epochs.set(closedBy, of)
        for (const to of receiver === undefined ? all : [receiver]) {
          const read = facts(to, factCodecsOf(keyBytes))
          assert(read.ok, `facts of a rebuild in ${topic.name}/${partition} are readable`)
          of.facts.push(...read.value)
        }
      }
    }
  return [...epochs.values()].sort((a, b) => a.closedBy - b.closedBy)
}

const byPartition = (facts: readonly Fact[], partitionOf: (fact: Fact) => number): ReadonlyMap<number, readonly Fact[]> => {
  const groups = new Map<number, Fact[]>()
  for (const fact of facts) {
    const partition = partitionOf(fact)
    const group = groups.get(partition)
    if (group === undefined) groups.set(partition, [fact])
    else group.push(fact)
  }
  return groups
}

/** `folds`: of the log that receives the records. */
export const splitExchange = async (
  made: Log,
  state: OwnState,
  { former, folds }: { readonly former: Folds; readonly folds: Folds },
  into: Pick<Chunks, 'push'>,
): Promise<void> => {
  const { chain, topic, partitions, partitionOf } = folds.exchange
  const epochs = await epochsOf(made, former, state)
  const sent = epochs.map(({ facts }) => byPartition(facts, ({ fromKey }) => partitionOf(fromKey)))
  for (let writer = 0; writer < partitions; writer++) {
    const closings = epochs.map(
      ({ epoch, closedBy }, n): Closing => ({
        ...{ epoch, closedBy },
        facts: byPartition(sent[n]?.get(writer) ?? [], ({ toKey }) => partitionOf(toKey)),
      }),
    )
    for (const value of encodeClosings(chain, writer, closings))
      await into.push({ topic, partition: writer, key: Buffer.from(chain), value })
  }
}
