// The log on Kafka of a role that keeps a data directory, with the check that both belong together.
import { rmSync } from 'node:fs'
import { checkLogName, readLogName, writeLogName } from '../../data-dir/log-of-directory.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../launch-risk.ts'
import type { KafkaLog } from '../../logs/kafka/kafka.ts'
import type { Notice } from '../../ports/notice.ts'
import { stagingFolder } from '../../versions/rebuild/staging-stores.ts'
import type { Settings } from '../settings/settings.ts'
import type { KafkaSettings } from '../settings/settings-kafka.ts'
import type { Closing } from '../start/closing.ts'
import { openForRole } from './open-kafka.ts'

/**
 * Opens the log, and records it in the data directory. If its topics were made again, deletes staging stores of a rebuild, which are of the
 * former topics. @throws EngineError `data_dir_log` before anything is created on the brokers, and as `openForRole`
 */
export const openWithDirectory = async (
  settings: Pick<Settings, 'dataDir' | 'partitions' | 'retention'>,
  kafka: KafkaSettings,
  closing: Closing,
  notice: Notice,
  stop: AbortSignal,
): Promise<KafkaLog> => {
  const { dataDir } = settings
  const { prefix } = kafka
  const found = readLogName(dataDir)
  checkLogName(dataDir, found, { prefix, cluster: '' })
  let cluster = ''
  const log = await openForRole(settings, kafka, closing, notice, stop, (id) => {
    cluster = id
    checkLogName(dataDir, found, { prefix, cluster })
  })
  const topic = (await log.topicIds()).get(LAUNCH_RISK.operations.rebuild.writes.stores.name) ?? ''
  if (found !== undefined && found.topic !== topic) {
    for (const { chain } of TOPOLOGIES) rmSync(stagingFolder(dataDir, chain), { recursive: true, force: true })
    notice('topics_made_again', {
      reason: 'the topics on Kafka are not those of the last start: staging stores in the data directory are deleted',
    })
  }
  writeLogName(dataDir, { cluster, prefix, topic })
  return log
}
