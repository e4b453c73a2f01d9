// The HTML page of `dev`: the findings of the newest save. All text from a chain or a file is escaped.
import { escapeHidden } from '../../../../processors/text.ts'
import { type Html, html } from '../../../../query-api/pages/html.ts'
import type { MarkedFinding } from '../../../backtest/dev/changes.ts'
import type { Mistake } from '../../../backtest/report-types.ts'
import type { Shown, View } from './session.ts'
import { changeWords, countWords, detectorWords, gradeWords, MARK_WORDS, oldWords, outcomeWords, timeWords } from './words.ts'

/** Maximum findings on the page; changed ones come first. */
const ROWS_MAX = 300

/** The tape being read. */
export interface Read {
  readonly path: string
  readonly words: string
  /** `reading`: frames available at the start are still being read; `following`: newer frames are read as they come. */
  readonly doing: 'reading' | 'following' | 'read'
  readonly isShortened: boolean
  /** The command that shows a launch. */
  look(mint: string): string
}

export const documentOf = (read: Read, view: View): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>mintfold dev: ${clean(read.path)}</title>
<link rel="stylesheet" href="/dev.css">
<script src="/dev.js" defer></script>
</head>
<body>
<main id="main">
${mainOf(read, view)}
</main>
<p id="lost" role="status" hidden>mintfold dev does not respond: this page may be out of date.</p>
<footer><p>Findings are observations, and the outcomes are of the same launches that you tune on: a detector fitted to
them may not work on others. Grade it with <code>mintfold backtest</code>. Names are written by token creators.</p></footer>
</body>
</html>
`

/** The part of the page that is replaced on each change. */
export const mainOf = (read: Read, view: View): Html => html`<h1>${clean(read.path)}</h1>
<p class="state" role="status">${stateWords(read, view)}</p>
${faultPart(view)}
${view.shown === undefined ? '' : shownPart(view.shown, view, read)}`

const clean = (text: string): string => escapeHidden(text)

const DOING: Readonly<Record<Read['doing'], string>> = {
  reading: 'is reading it',
  following: 'follows its newest frames, except those that a fork may still roll back',
  read: 'has read it to its end',
}

const stateWords = ({ words, doing, isShortened }: Read, { save, isAsking, types }: View): string => {
  const typeWords =
    typeof types === 'object' ? 'errors' : types === 'unchecked' ? 'not checked: no TypeScript compiler is installed' : types
  const short = isShortened ? ' The memory for rows is full: the oldest launches were dropped.' : ''
  return clean(`Save ${save}${isAsking ? ' (running)' : ''}. Types: ${typeWords}. Tape: ${words}; mintfold ${DOING[doing]}.${short}`)
}

const faultPart = ({ fault, types }: View): Html => {
  const parts = [
    ...(fault === null ? [] : [html`<section class="fault"><h2>The detector does not run</h2><pre>${cleanLines(fault)}</pre></section>`]),
    ...(typeof types === 'object'
      ? [html`<section class="fault"><h2>Type errors</h2><pre>${cleanLines(types.wrong)}</pre></section>`]
      : []),
  ]
  return html`${parts}`
}
const cleanLines = (text: string): string => text.split('\n').map(clean).join('\n')

const shownPart = (shown: Shown, view: View, { look }: Read): Html => {
  const old = oldWords(view)
  const rows = shown.changes.slice(0, ROWS_MAX)
  return html`<section class="${old === undefined ? 'found' : 'found old'}">
${old === undefined ? '' : html`<p class="banner">${old}</p>`}
<h2>${detectorWords(shown)}</h2>
<p>Fires when ${clean(shown.answer.detector.firesWhen)}.</p>
<p>${countWords(shown)}</p>
<p>${gradeWords(shown)}</p>
${shown.isCompared ? html`<p>${changeWords(shown)}</p>` : ''}
<table>
<thead><tr><th>Change</th><th>At</th><th>Age</th><th>Launch</th><th>Evidence</th><th>Outcome</th></tr></thead>
<tbody>
${rows.map(rowOf)}
</tbody>
</table>
${shown.changes.length > rows.length ? html`<p>${shown.changes.length - rows.length} more are not shown.</p>` : ''}
${mistakesPart(shown.answer.graded.mistakes, look)}
</section>`
}

const rowOf = ({ mark, finding, before }: MarkedFinding): Html => {
  const { at, ageS, name, symbol, mint, position, evidence } = finding
  const was = before === undefined ? '' : html`<br><del>${clean(before.evidence)}</del> at ${before.ageS} s`
  return html`<tr class="${mark}"><td>${MARK_WORDS[mark]}</td><td title="${position}">${timeWords(at)}</td><td>${ageS} s</td>
<td><bdi>${clean(`${name} ${symbol}`)}</bdi> <code>${mint}</code></td><td><code>${clean(evidence)}</code>${was}</td><td>${outcomeWords(finding)}</td></tr>
`
}

const KINDS: Readonly<Record<Mistake['kind'], string>> = {
  missed: 'rugged without a finding',
  false_alarm: 'found, but not rugged',
  killed_winner: 'found, but graduated',
  late: 'found too late before the rug, or after it',
}

const mistakesPart = (mistakes: readonly Mistake[], look: Read['look']): Html =>
  mistakes.length === 0
    ? html``
    : html`<h2>The most costly mistakes</h2>
<ul>${mistakes.map(({ kind, mint }) => html`<li>${KINDS[kind]}: <code>${clean(look(mint))}</code></li>`)}</ul>`
