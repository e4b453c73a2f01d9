// The odds of a replay: the same that the scorer would log for these judgements with the model in force.
import { isJudged, oddsOf } from '../../../../processors/odds/odds-of.ts'
import type { Chain, Conclusion } from '../../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { UsageError } from '../../command.ts'
import { readModelFile } from '../../wiring/model-file.ts'

export interface OddsPrinter {
  /** @throws UsageError for a chain without odds */
  check(chain: Chain): void
  /** The odds for the judgements among the conclusions of a frame, in order. */
  of(conclusions: readonly Conclusion[]): readonly Conclusion[]
}

/** Undefined unless odds are printed. @throws UsageError for conflicting options, EngineError `file_unreadable`, `model_unfit` */
export const openOddsPrinter = async ({ print, model: path }: { print: string; model?: string }): Promise<OddsPrinter | undefined> => {
  if (print !== 'odds' && path === undefined) return undefined
  if (path === undefined) throw new UsageError('--print odds needs --model FILE: a model file written by mintfold train')
  if (print !== 'odds') throw new UsageError(`--model cannot be used with --print ${print}: use --print odds`)
  const { model } = await readModelFile(path)
  const scorers = [{ model, shadow: false }]
  return {
    check: (chain) => {
      if (chain !== LAUNCH_RISK.chain.name)
        throw new UsageError(`launches of chain ${chain} have no odds: --print odds works only for ${LAUNCH_RISK.chain.name}`)
    },
    of: (conclusions) => conclusions.filter(isJudged).flatMap((judged) => oddsOf(judged, scorers)),
  }
}
