// The commands that a running `up` accepts on its control socket.
import { isAbsolute } from 'node:path'
import * as z from 'zod'
import type { Alerts } from '../../../query-api/alerts/alerts.ts'
import { EngineError } from '../../../schemas/errors.ts'
import { dataDirBackup } from '../../operations/backup/data-dir.ts'
import type { ControlHandler } from '../../operations/control/server.ts'
import type { MintView } from '../../ports/mint-view.ts'
import type { StoreSnapshot } from '../../ports/snapshot.ts'
import type { Settings } from '../settings/settings.ts'
import { versionOf } from '../version.ts'

/** Repeated without progress too, so that the client knows that the work continues. */
const PROGRESS_EVERY_MS = 200
const publishSchema = z.object({ path: z.string().max(4_096).refine(isAbsolute) })
const testSchema = z.object({ id: z.string().max(64) })
const backupSchema = z.object({ out: z.string().max(4_096).refine(isAbsolute) })

export interface Running {
  readonly settings: Settings
  /** Address of the API. */
  readonly url: string
  readonly view: MintView
  /** Snapshots of the open stores. */
  readonly live: readonly (() => StoreSnapshot)[]
  readonly alerts: Pick<Alerts, 'test'>
  /** Set if this process decodes and folds; returns the outcome. */
  readonly redrive?: (stop: AbortSignal) => Promise<object>
  /** Publishes a model file; returns the state of the model. */
  readonly publish: (path: string) => Promise<object>
}

/**
 * `status`; `backup` with the absolute path `out`; `publish-model` with the absolute path `path`; `alerts-test` with the `id` of a
 * subscription; `redrive`.
 */
export const controlHandlers = ({
  settings,
  url,
  view,
  live,
  alerts,
  redrive,
  publish,
}: Running): Readonly<Record<string, ControlHandler>> => {
  const version = versionOf()
  const startedAt = new Date().toISOString()
  const snapshots = (): readonly StoreSnapshot[] => live.map((snapshot) => snapshot())
  const backup = dataDirBackup({ dataDir: settings.dataDir, version, now: Date.now, live: snapshots })
  return {
    status: () => ({ pid: process.pid, version, url, startedAt, payments: settings.payments, ...view.status() }),
    redrive: async (_args, { progress, stop }) => {
      if (redrive === undefined) throw new EngineError('control_failed', 'this process does not decode: run it against one that does')
      const timer = setInterval(() => progress({ words: view.status().rebuild ?? 'waiting for the tasks to pause' }), PROGRESS_EVERY_MS)
      try {
        return await redrive(stop)
      } finally {
        clearInterval(timer)
      }
    },
    'publish-model': (args) => {
      const parsed = publishSchema.safeParse(args)
      if (!parsed.success) throw new EngineError('control_failed', 'publish-model takes the absolute path `path`')
      return publish(parsed.data.path)
    },
    'alerts-test': (args) => {
      const parsed = testSchema.safeParse(args)
      if (!parsed.success) throw new EngineError('control_failed', 'alerts-test takes the `id` of a subscription')
      return alerts.test(parsed.data.id)
    },
    backup: async (args, { progress, stop }) => {
      const parsed = backupSchema.safeParse(args)
      if (!parsed.success) throw new EngineError('control_failed', 'backup takes the absolute path `out`')
      let counts = { rows: 0, rowsAll: 0 }
      const timer = setInterval(() => progress(counts), PROGRESS_EVERY_MS)
      const reportRows = (rows: number, rowsAll: number): void => {
        counts = { rows, rowsAll }
      }
      try {
        const report = await backup({ out: parsed.data.out, progress: reportRows, stop })
        if (report === undefined) throw new EngineError('control_failed', 'the backup was stopped; no file was written')
        return report
      } finally {
        clearInterval(timer)
      }
    },
  }
}
