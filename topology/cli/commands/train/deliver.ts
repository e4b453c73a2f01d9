// Publishes a new model to the running mintfold of the data directory, else to its log, or to Kafka.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod'
import { readModel } from '../../../../processors/odds/model.ts'
import { hasCode } from '../../../../schemas/errors.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { openLmdbLog } from '../../../logs/lmdb/lmdb.ts'
import { publishModel } from '../../../odds/publish.ts'
import { askControl } from '../../../operations/control/client.ts'
import type { Io } from '../../command.ts'
import { createLogger, noticesTo } from '../../output/logger.ts'
import { writeWhole } from '../../output/whole-file.ts'
import { type Settings, settingsWithoutApi } from '../../settings/settings.ts'
import { Closing } from '../../start/closing.ts'
import { logFolderIn } from '../../wiring/open-reader.ts'

const publishedSchema = z.object({ state: z.string(), reason: z.string(), isNew: z.boolean() })

/** @throws EngineError as `publishModel` and the log; UsageError if the data directory has no log */
export const deliver = async (file: Uint8Array, io: Io): Promise<void> => {
  const { id } = readModel(file)
  const settings = settingsWithoutApi(io.env)
  const { state, reason, isNew } = publishedSchema.parse(await (settings.kafka === null ? embedded : shared)(file, settings, io))
  io.printNotice(`model ${id} ${isNew ? 'is' : 'already existed and is'} ${state}: ${reason}`)
}

const embedded = async (file: Uint8Array, { dataDir, partitions }: Settings, io: Io): Promise<unknown> => {
  const folder = logFolderIn(dataDir)
  // A model is larger than the line limit of the control socket.
  const path = resolve(dataDir, `model-${process.pid}.json`)
  writeWhole(path, file)
  try {
    return await askControl({ dataDir, command: 'publish-model', args: { path }, stop: io.stop })
  } catch (failure) {
    if (!hasCode(failure, 'control_unreachable')) throw failure
  } finally {
    rmSync(path, { force: true })
  }
  const log = await openLmdbLog({ dir: folder, partitions })
  try {
    return await publishModel(log, LAUNCH_RISK, file)
  } finally {
    await log.close()
  }
}

const shared = (file: Uint8Array, settings: Settings, io: Io): Promise<unknown> =>
  new Closing(io.printNotice).after(async (closing) => {
    const { kafka } = settings
    if (kafka === null) return undefined
    const { openShared } = await import('../../wiring/open-kafka.ts')
    const notice = noticesTo(createLogger({ logLevel: settings.logLevel, terminal: io.terminal }))
    return publishModel(await openShared(settings, kafka, closing, notice), LAUNCH_RISK, file)
  })
