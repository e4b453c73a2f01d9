// Copies the valid conclusions about frames that are not folded again to the partitions of their keys in another log.
import type { ConclusionForm } from '../../../schemas/record-forms.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { LogReader } from '../../ports/log.ts'
import { conclusionsOf, type Topology } from '../../topology.ts'
import type { Chunks } from '../chunks.ts'
import { conclusionEffects, livePublications } from '../live-records.ts'
import { nextOf } from './next-of.ts'
import type { Folds } from './split-rows.ts'

interface Standing {
  readonly conclusion: Conclusion
  readonly bytes: Uint8Array
}

async function* standingIn(log: LogReader, topic: Topic, partition: number, form: ConclusionForm): AsyncGenerator<Standing> {
  for await (const { bytes } of livePublications(log, topic, partition, conclusionEffects(form))) {
    const read = form.codec.decode(bytes)
    if (read.ok) yield { conclusion: read.value, bytes }
  }
}

/** Up to the frame with the number `upTo`; in chain order where each partition of the log is. `folds`: of the log that receives them. */
export const splitConclusions = async (
  log: LogReader,
  topology: Topology,
  { folds, upTo }: { readonly folds: Folds; readonly upTo: number },
  into: Pick<Chunks, 'push'>,
): Promise<void> => {
  const { conclusions: form, name } = topology.chain
  for (const topic of conclusionsOf(topology)) {
    const readers = Array.from({ length: log.partitions(topic) }, (_, partition) => standingIn(log, topic, partition, form))
    const heads = await Promise.all(readers.map(nextOf))
    for (let at = oldestOf(heads); at >= 0; at = oldestOf(heads)) {
      const { conclusion, bytes } = heads[at] as Standing
      const key = 'mint' in conclusion.body ? conclusion.body.mint : name
      const partition = folds.exchange.partitionOf(key)
      if (conclusion.number <= upTo) await into.push({ topic, partition, key: Buffer.from(key, 'latin1'), value: bytes })
      heads[at] = await nextOf(readers[at] as AsyncGenerator<Standing>)
    }
  }
}

/** Index of the head with the lowest number; -1 if there is none. */
const oldestOf = (heads: readonly (Standing | undefined)[]): number => {
  let oldest = -1
  for (const [at, head] of heads.entries())
    if (head !== undefined && (oldest < 0 || head.conclusion.number < (heads[oldest] as Standing).conclusion.number)) oldest = at
  return oldest
}
