// The odds of a process: followed where they are shown, scored where no group shares the work out.
import { readFile } from 'node:fs/promises'
import type { Registry } from 'prom-client'
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { LAUNCH_RISK } from '../../launch-risk.ts'
import { type ChainOdds, oddsOfChain } from '../../odds/odds-parts.ts'
import { type Published, publishModel } from '../../odds/publish.ts'
import { oddsMetrics } from '../../operations/metrics/odds-metrics.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { chainPlaceOf } from '../../runtime/runtime.ts'
import { Workers } from '../../runtime/workers.ts'
import type { Closing } from '../start/closing.ts'

export interface OpenOdds extends ChainOdds {
  /** See `publishFile`. */
  publish(path: string): Promise<Published>
  /** True when every judgement has its odds, as far as that is this process's to do. */
  isScored(): boolean
}

/** Of the primary chain, with their figures. Nothing is read before it is shown or scored. */
export const openOdds = (log: Log, notice: Notice, closing: Closing, registry: Registry): OpenOdds => {
  const odds = oddsOfChain(log, LAUNCH_RISK, notice, Date.now)
  closing.add('odds', () => odds.graded.stop())
  oddsMetrics(registry, [{ chain: LAUNCH_RISK.chain.name, odds }])
  return { ...odds, publish: (path) => publishFile(log, path), isScored: () => odds.scorer()?.isCaughtUp ?? true }
}

/** Follows the odds in the background. Rejects with what ends that; never resolves. */
export const showOdds = ({ graded }: Pick<ChainOdds, 'graded'>): Promise<never> => {
  const failed = graded.start().then(() => graded.failed)
  failed.catch(() => {})
  return failed
}

/** Also scores, where this process has the log to itself. Rejects with what ended either; never resolves. */
export const showAndScore = (odds: Pick<ChainOdds, 'graded' | 'parts'>, isAlone: boolean, closing: Closing): Promise<unknown> => {
  const shown = showOdds(odds)
  if (!isAlone) return shown
  const workers = new Workers(odds.parts, 0)
  closing.add('scorer', () => workers.stop())
  const scored = workers.setMine(new Set([chainPlaceOf(LAUNCH_RISK)])).then(() => workers.done)
  const both = Promise.all([shown, scored])
  both.catch(() => {})
  return both
}

/** Publishes a model file, which `mintfold train` wrote. @throws EngineError `file_unreadable`, and as `publishModel` */
const publishFile = async (log: Log, path: string): Promise<Published> => {
  const file = await readFile(path).catch((cause: unknown) => {
    throw new EngineError('file_unreadable', `the model ${path} cannot be read: ${messageOf(cause)}`, { cause })
  })
  return publishModel(log, LAUNCH_RISK, file)
}
