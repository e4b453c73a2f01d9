// The terminal lines of `dev`: a block per evaluated save, and faults.
import { escapeHidden, escapeHiddenInLines } from '../../../../processors/text.ts'
import type { MarkedFinding } from '../../../backtest/dev/changes.ts'
import type { Shown, View } from './session.ts'
import { changeWords, countWords, detectorWords, gradeWords, MARK_WORDS, oldWords, outcomeWords, timeWords } from './words.ts'

/** Maximum findings per block; changed ones come first. */
const SHOWN_MAX = 20
const EVIDENCE_CHARACTERS = 240

/** `isFirst`: there is no previous save to compare with. */
export const answerLines = (shown: Shown, isFirst: boolean): readonly string[] => {
  const changed = shown.changes.filter(({ mark }) => mark !== 'same')
  const all = isFirst ? shown.answer.findings.map((finding): MarkedFinding => ({ mark: 'same', finding })) : changed
  const listed = all.slice(0, SHOWN_MAX)
  const left = all.length - listed.length
  return [
    `save ${shown.save}: ${detectorWords(shown)}: ${countWords(shown)}`,
    `  ${gradeWords(shown)}`,
    ...(isFirst ? [] : [`  ${changeWords(shown)}`]),
    ...listed.map(findingLine),
    ...(left > 0 ? [`  and ${left} more: the page has them`] : []),
  ].map(escapeHidden)
}

/** `  new      2026-10-15T11:59:12Z +34 s  GOOSE  jCp3...  {"peak":3}  rugged 12 s later` */
export const findingLine = ({ mark, finding, before }: MarkedFinding): string => {
  const { at, ageS, symbol, mint, evidence } = finding
  const was = before === undefined ? '' : `  before: ${shortened(before.evidence)} at +${before.ageS} s`
  const mark8 = MARK_WORDS[mark].padEnd(8)
  return escapeHidden(
    `  ${mark8} ${timeWords(at)} +${ageS} s  ${symbol === '' ? '-' : symbol.slice(0, 16)}  ${mint}  ${shortened(evidence)}  ${outcomeWords(finding)}${was}`,
  )
}

const shortened = (evidence: string): string =>
  evidence.length <= EVIDENCE_CHARACTERS ? evidence : `${evidence.slice(0, EVIDENCE_CHARACTERS)}...`

/** The newest save's `fault` or type errors, and which findings are still shown. */
export const wrongLines = (view: View, fault: string): readonly string[] => {
  const old = oldWords(view)
  return [
    `save ${view.save}: ${fault === view.fault ? 'it does not run' : 'type errors'}:`,
    ...escapeHiddenInLines(fault)
      .split('\n')
      .map((line) => `  ${line}`),
    ...(old === undefined ? [] : [`  ${old}`]),
  ]
}
