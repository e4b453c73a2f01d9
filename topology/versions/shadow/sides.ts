// The two sides of a comparison: the running version's log, and the staging store of the shadow.
import type { Log, LogReader } from '../../ports/log.ts'
import type { Topology } from '../../topology.ts'
import type { Beginning } from '../folding/fold-begin.ts'
import type { RowWriter } from '../rebuild/put-in-place.ts'

/** One partition of both. */
export interface Sides {
  readonly log: LogReader & Pick<Log, 'refresh'>
  /** The shadow's. A process may be writing it. */
  readonly made: LogReader
  /** Of the shadow's versions. */
  readonly topology: Topology
  readonly partition: number
  /** Where the shadow began. */
  readonly folded: Beginning
  /** What wrote the running version's rows. */
  readonly writerOf: (processor: string) => RowWriter
  readonly stop: AbortSignal
}
