// The odds of a process: followed to be shown, and scored here if no consumer group does it.
import type { Registry } from 'prom-client'
import { LAUNCH_RISK } from '../../launch-risk.ts'
import { type ChainOdds, oddsOfChain } from '../../odds/odds-parts.ts'
import { type Published, publishModel } from '../../odds/publish.ts'
import { oddsMetrics } from '../../operations/metrics/odds-metrics.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { TaskManager } from '../../runtime/task-manager.ts'
import { chainPartitionOf } from '../../runtime/task-parts.ts'
import type { Closing } from '../start/closing.ts'
import { readModelFile } from './model-file.ts'

export interface OpenOdds extends ChainOdds {
  /** See `publishFile`. */
  publish(path: string): Promise<Published>
  /** True when every judgement has its odds, as far as this process scores. */
  isScored(): boolean
}

/** The odds of the primary chain, with their metrics. Reads nothing until they are shown or scored. */
export const openOdds = (log: Log, notice: Notice, closing: Closing, registry: Registry): OpenOdds => {
  const odds = oddsOfChain(log, LAUNCH_RISK, notice, Date.now)
  closing.add('odds', () => odds.graded.stop())
  oddsMetrics(registry, [{ chain: LAUNCH_RISK.chain.name, odds }])
  return { ...odds, publish: (path) => publishFile(log, path), isScored: () => odds.scorer()?.isCaughtUp ?? true }
}

/** Follows the odds in the background. Rejects with the failure that ends it; never resolves. */
export const showOdds = ({ graded }: Pick<ChainOdds, 'graded'>): Promise<never> => {
  const failed = graded.start().then(() => graded.failed)
  failed.catch(() => {})
  return failed
}

/** Also scores if the log is embedded. Rejects with the failure that ended either; never resolves. */
export const showAndScore = (odds: Pick<ChainOdds, 'graded' | 'parts'>, isAlone: boolean, closing: Closing): Promise<unknown> => {
  const shown = showOdds(odds)
  if (!isAlone) return shown
  const workers = new TaskManager(odds.parts, 0)
  closing.add('scorer', () => workers.stop())
  const scored = workers.setAssigned(new Set([chainPartitionOf(LAUNCH_RISK)])).then(() => workers.done)
  const both = Promise.all([shown, scored])
  both.catch(() => {})
  return both
}

/** Publishes a model file written by `mintfold train`. @throws EngineError as `readModelFile` and `publishModel` */
const publishFile = async (log: Log, path: string): Promise<Published> => {
  const { file } = await readModelFile(path)
  return publishModel(log, LAUNCH_RISK, file)
}
