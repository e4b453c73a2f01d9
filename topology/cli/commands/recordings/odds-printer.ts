// Odds of a replay: what the scorer logs of the same judgements while the model is in force.
import { readFile } from 'node:fs/promises'
import { readModel } from '../../../../processors/odds/model.ts'
import { isJudged, oddsOf } from '../../../../processors/odds/odds-of.ts'
import { EngineError, messageOf } from '../../../../schemas/errors.ts'
import type { Chain, Conclusion } from '../../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { UsageError } from '../../command.ts'

export interface OddsPrinter {
  /** @throws UsageError for a chain whose launches are not judged */
  check(chain: Chain): void
  /** Of the judgements among the conclusions of a frame, in their order. */
  of(conclusions: readonly Conclusion[]): readonly Conclusion[]
}

/** Undefined unless odds are printed. @throws UsageError for options that do not go together, EngineError `file_unreadable`, `model_unfit` */
export const openOddsPrinter = async ({ print, model: path }: { print: string; model?: string }): Promise<OddsPrinter | undefined> => {
  if (print !== 'odds' && path === undefined) return undefined
  if (path === undefined) throw new UsageError('--print odds needs --model FILE: a model that mintfold train wrote')
  if (print !== 'odds') throw new UsageError(`--model is for --print odds, not for --print ${print}`)
  const file = await readFile(path).catch((cause: unknown) => {
    throw new EngineError('file_unreadable', `the model ${path} cannot be read: ${messageOf(cause)}`, { cause })
  })
  const scorers = [{ model: readModel(file), shadow: false }]
  return {
    check: (chain) => {
      if (chain !== LAUNCH_RISK.chain.name)
        throw new UsageError(`launches of chain ${chain} have no odds: --print odds is for ${LAUNCH_RISK.chain.name}`)
    },
    of: (conclusions) => conclusions.filter(isJudged).flatMap((judged) => oddsOf(judged, scorers)),
  }
}
