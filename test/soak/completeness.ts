// The demo, checked for completeness: the reserves of each trade continue those before it, and every removed trade is reported.
import { demoContinuity, unfollowed } from '../fixtures/continuity.ts'
import { type LossReport, lossesOfOne, lossesOfTwo, misreported } from '../fixtures/lost-trades.ts'

/** Blocks come over HTTP from two nodes here, which is slow: a tenth of the time is enough. */
const TWO_SOURCES_SHARE = 0.1

const figuresOf = (report: LossReport, isSecondNamed: boolean) => {
  const { touched, reported } = report
  const counts = { lost: touched.lost, touched: touched.mints.size, withLater: touched.withLater.size, reported: reported.size }
  return { ...counts, ...misreported(report, isSecondNamed) }
}

/** `missed` (mints that should be reported) and `extra` (mints wrongly reported) must be empty for one and for two sources. */
export const runLostTrades = async (minutes: number, seed: number) => {
  const seconds = minutes * 60
  return {
    seed,
    oneSource: figuresOf(await lossesOfOne({ seed, rate: 1, seconds }), false),
    twoSources: figuresOf(await lossesOfTwo({ seed, rate: 1, seconds: seconds * TWO_SOURCES_SHARE }), true),
  }
}

/** `findings` and `unfollowed` must be empty. */
export const runContinuity = (minutes: number, seed: number) => {
  const report = demoContinuity({ seed, rate: 4, seconds: minutes * 60 })
  const { full, kinds, findings, findingsElsewhere } = report
  return { seed, full, kinds, unfollowed: unfollowed(report), findings: [...findings, ...findingsElsewhere] }
}
