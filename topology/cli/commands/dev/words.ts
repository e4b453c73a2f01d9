// Texts about findings shared by the terminal and the page of `dev`.
import type { DevFinding } from '../../../backtest/dev/answer.ts'
import type { Mark } from '../../../backtest/dev/changes.ts'
import type { Share } from '../../../backtest/report-types.ts'
import type { Shown, View } from './session.ts'

export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  new: 'new',
  gone: 'gone',
  other: 'changed',
  arrived: 'arrived',
  same: '',
}

const percent = (value: number): string => (value * 100).toFixed(1)
/** `51.5 % (45.1 to 57.8)` */
const shareWords = ({ value, low, high }: Share): string =>
  value === null ? 'not known' : `${percent(value)} %${low === null || high === null ? '' : ` (${percent(low)} to ${percent(high)})`}`

export const timeWords = (second: number): string => new Date(second * 1_000).toISOString().replace('.000Z', 'Z')

/** `half-gone, version 1 (2726f7ac), percent 50` */
export const detectorWords = ({ answer: { detector } }: Shown): string => {
  const settings = Object.entries(detector.settings).map(([name, value]) => `, ${name} ${value}`)
  return `${detector.id}, version ${detector.version} (${detector.hash.slice(0, 8)})${settings.join('')}`
}

export const countWords = ({ answer: { findings, omitted: left, launches, from, to }, calls, tookMs }: Shown): string =>
  `${findings.length + left} findings in ${launches} launches of ${timeWords(from)} to ${timeWords(to)}; ${calls} calls in ${(tookMs / 1_000).toFixed(2)} s`

/** Precision and recall, judged by the outcomes of the same launches and compared with chance. */
export const gradeWords = ({ answer: { graded, unresolved } }: Shown): string => {
  const { precision, recall, baseRate, placebo } = graded
  const chance =
    placebo.precision === null || placebo.p === null ? '' : `; chance ${percent(placebo.precision)} %, p ${placebo.p.toPrecision(2)}`
  return (
    `precision ${shareWords(precision)}, recall ${shareWords(recall)}; base rate ${baseRate.value === null ? 'not known' : `${percent(baseRate.value)} %`}` +
    `${chance}; ${unresolved} launches without an outcome yet`
  )
}

export const changeWords = ({ counts }: Shown): string =>
  `since the previous save: ${counts.new} new, ${counts.gone} gone, ${counts.other} changed, ${counts.same} unchanged` +
  `${counts.arrived > 0 ? `; ${counts.arrived} from newer events` : ''}`

/** The outcome of the launch relative to the finding, as far as it is known. */
export const outcomeWords = ({ label, at }: DevFinding): string => {
  if (label === null) return 'no outcome yet'
  const { rugged, rugDtS, t0, graduated, censored } = label
  if (rugged === null || censored !== null) return 'outcome not known'
  if (rugged && rugDtS !== null) {
    const leadS = t0 + rugDtS - at
    return leadS < 0 ? `late: rugged ${-leadS} s earlier` : `rugged ${leadS} s later`
  }
  return graduated === true ? 'graduated' : 'not rugged'
}

/** Why the shown findings are old; undefined if they are not. */
export const oldWords = ({ shown, save, fault, types, isAsking }: View): string | undefined => {
  if (shown?.isOld !== true) return undefined
  const why = fault !== null ? 'does not run' : typeof types === 'object' ? 'has type errors' : isAsking ? 'is running' : 'was not run'
  return `OLD: these ${shown.answer.findings.length + shown.answer.omitted} findings are of save ${shown.save}; save ${save} ${why}`
}
