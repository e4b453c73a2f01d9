// A log whose compacted topics are read from local snapshots first.
import { withOwners } from '../logs/with-owners.ts'
import type { Log } from '../ports/log.ts'
import type { SnapshotKeeper } from './keeper.ts'

export const withSnapshots = (inner: Log, keeper: Pick<SnapshotKeeper, 'beginning'>): Log => ({
  ...withOwners(inner, (id, isShared) => inner.own(id, isShared)),
  beginning: (topic, partition) => keeper.beginning(topic, partition),
})
