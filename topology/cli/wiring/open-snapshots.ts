// Snapshots of compacted topics in the data directory of a process on Kafka, so that its next start need not read them from their start.
import { join } from 'node:path'
import { messageOf } from '../../../schemas/errors.ts'
import { holdDirectory } from '../../data-dir/hold-directory.ts'
import type { KafkaLog } from '../../logs/kafka/kafka.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { SnapshotStore } from '../../ports/partition-snapshots.ts'
import { openFileStore } from '../../snapshots/file-store.ts'
import { SnapshotKeeper } from '../../snapshots/keeper.ts'
import { SNAPSHOT_LIMITS, type SnapshotLimits } from '../../snapshots/limits.ts'
import { withSnapshots } from '../../snapshots/with-snapshots.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'

/** Folder in the data directory. */
const FOLDER = 'snapshots'

/**
 * The log, read from the snapshots in the data directory first; it keeps them up to date until `closing`. If they cannot be used, as
 * while another process uses them, this is the log itself, with the notice `snapshots_off`.
 */
export const openSnapshots = async (
  log: KafkaLog,
  { dataDir, retention }: Pick<Settings, 'dataDir' | 'retention'>,
  closing: Closing,
  notice: Notice,
  limits: Partial<SnapshotLimits> = {},
): Promise<Log> => {
  const dir = join(dataDir, FOLDER)
  const off = (reason: string): Log => {
    notice('snapshots_off', { reason })
    return log
  }
  const identities = await log.topicIds()
  if (identities.size === 0) return off('the brokers give no topic ids (Kafka does from 2.8 on)')
  const keepSinceMs = Date.now() - SNAPSHOT_LIMITS.ageMsMax
  const opened = async (): Promise<SnapshotStore> => {
    closing.add('snapshots directory', await holdDirectory(join(dir, 'held')))
    return openFileStore({ dir, bytesMax: retention.capBytes, keepSinceMs, notice })
  }
  const store = await opened().catch(messageOf)
  if (typeof store === 'string') return off(store)
  const keeper = new SnapshotKeeper({ log, store, identities, notice, limits })
  keeper.start()
  closing.add('snapshots', () => keeper.stop())
  return withSnapshots(log, keeper)
}
