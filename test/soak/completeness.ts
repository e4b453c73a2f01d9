// An hour of the demo: no trade that does not follow from the one before it, and none of those that are taken out goes unnoticed.
import { demoContinuity, unfollowed } from '../fixtures/continuity.ts'
import { type LossReport, lossesOfOne, lossesOfTwo, wrongs } from '../fixtures/lost-trades.ts'

/** Blocks go through two nodes over HTTP here: a tenth of the time is asked for of them. */
const TWO_SOURCES_SHARE = 0.1

const said = (report: LossReport, isSecondNamed: boolean) => {
  const { touched, told } = report
  const counts = { lost: touched.lost, touched: touched.mints.size, withLater: touched.withLater.size, told: told.size }
  return { ...counts, ...wrongs(report, isSecondNamed) }
}

/** Both `missed` and `extra` must be empty. */
export const runLostTrades = async (minutes: number, seed: number) => {
  const seconds = minutes * 60
  return {
    seed,
    oneSource: said(await lossesOfOne({ seed, rate: 1, seconds }), false),
    twoSources: said(await lossesOfTwo({ seed, rate: 1, seconds: seconds * TWO_SOURCES_SHARE }), true),
  }
}

/** `findings` and `unfollowed` must be empty. */
export const runContinuity = (minutes: number, seed: number) => {
  const report = demoContinuity({ seed, rate: 4, seconds: minutes * 60 })
  const { full, kinds, findings, findingsElsewhere } = report
  return { seed, full, kinds, unfollowed: unfollowed(report), findings: [...findings, ...findingsElsewhere] }
}
