// The page `/calibration`: grades and calls of the logged odds by day, from the answers of the API.
import { assert } from '../../../schemas/errors.ts'
import type { CalibrationData, HeadData, ScoresData } from '../../answer-schemas/odds/calibration.ts'
import type { TrackRecordData } from '../../answer-schemas/odds/track-record.ts'
import { answerCalibration } from '../../answers/odds/calibration.ts'
import { answerTrackRecord } from '../../answers/odds/track-record.ts'
import type { RequestContext } from '../../answers/question.ts'
import type { Instant, Service } from '../../answers/service.ts'
import type { Answer } from '../../questions/bodies.ts'
import { sheetOf } from '../document.ts'
import { count, percent, UNKNOWN } from '../figures.ts'
import { type Html, html } from '../html.ts'
import { metersPart } from '../record/meters.ts'
import { callsPart } from './calls.ts'
import { reliabilityPart } from './reliability.ts'

const HEADS = {
  rug_within_300s: 'Rug within 300 s of the launch',
  true_graduation: 'Graduation',
} as const

const dataOf = <Data>(answer: (input: object, ask: RequestContext) => Answer, path: string, service: Service, instant: Instant): Data => {
  const facts = service.options.questions.find((question) => question.path === path)
  assert(facts !== undefined, `${path} is not in the list`)
  return JSON.parse(answer({}, { service, instant, facts }).body).data
}

export const calibrationPage = async (service: Service, instant: Instant): Promise<Html> => {
  const calibration = dataOf<CalibrationData>(answerCalibration, '/v1/calibration', service, instant)
  const record = dataOf<TrackRecordData>(answerTrackRecord, '/v1/track-record', service, instant)
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Odds and outcomes</h1>
<p class="offer">Every value is logged before its outcome is known and graded by day. Odds that grade badly are not shown.</p>
<p class="note">${sinceOf(calibration)} For programs: <a href="/v1/calibration">/v1/calibration</a> and <a href="/v1/track-record">/v1/track-record</a>.</p>
</section>
${await headPart('rug_within_300s', calibration)}
${await headPart('true_graduation', calibration)}
${callsPart(record)}
${ledgerPart(calibration)}`
  const description = 'Grades of the odds of rugs and graduations: reliability, Brier skill against the base rate, and every call by day.'
  return sheetOf(service, instant, { title: 'mintfold: odds and outcomes', main, path: '/calibration', description })
}

const sinceOf = ({ as_of, window_days, as_of_reason }: CalibrationData): string =>
  as_of === null
    ? `Not known: ${as_of_reason}.`
    : `Launches of ${window_days} days, outcomes up to ${new Date(as_of * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC.`

const headPart = async (head: keyof typeof HEADS, { heads }: CalibrationData): Promise<Html> => {
  const { standing, live, live_reason, days } = heads[head]
  return html`<section class="panel" aria-labelledby="${head}">
<h2 id="${head}">${HEADS[head]}</h2>
<p>${standingPart(standing)}</p>
${
  live === null
    ? html`<p class="empty">Not graded: ${live_reason ?? UNKNOWN}.</p>`
    : html`${scoresPart(live)}
<div class="small-drawings">${await reliabilityPart(head, live.bins)}${daysPart(days)}</div>`
}
</section>`
}

const standingPart = ({ is_shown, reason }: HeadData['standing']): Html =>
  is_shown ? html`<b class="good">Shown</b>` : html`<b class="grave">Not shown</b>: ${reason ?? 'no reason is known'}`

/** Four digits: differences of scores are small. */
const score = (value: number | null): string => (value === null ? UNKNOWN : value.toFixed(4))

const scoresPart = (scores: ScoresData): Html =>
  metersPart([
    ['Values graded', count(scores.n), `${count(scores.hits)} came true`],
    ['Mean odds', percent(scores.mean_p), `${percent(scores.base_rate)} came true`],
    ['Brier score', score(scores.brier), '0 is best'],
    ['Skill', score(scores.brier_skill), 'against the base rate'],
    ['Calibration error', score(scores.ece), 'ECE, 10 bins'],
    ['PR-AUC', score(scores.pr_auc)],
  ])

const daysPart = (
  days: HeadData['days'],
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="By day"><table class="rows">
<caption>By day of launch</caption>
<thead><tr><th scope="col">Day</th><th scope="col" class="n">Values</th><th scope="col" class="n">Predicted</th><th scope="col" class="n">Observed</th>
<th scope="col" class="n">Skill</th></tr></thead>
<tbody>${days.map(
  ({ day, n, mean_p, base_rate, brier_skill }) => html`<tr><th scope="row">${day}</th><td class="n">${count(n)}</td>
<td class="n">${percent(mean_p)}</td><td class="n">${percent(base_rate)}</td>
<td class="n${brier_skill !== null && brier_skill < 0 ? ' grave' : ''}">${score(brier_skill)}</td></tr>`,
)}</tbody></table></div>`

const ledgerPart = ({ ledger, ledger_reason }: CalibrationData): Html => html`<section class="panel" aria-labelledby="ledger">
<h2 id="ledger">Proof that nothing was changed</h2>
${
  ledger === null
    ? html`<p class="empty">Not known: ${ledger_reason ?? UNKNOWN}.</p>`
    : html`<p class="note">${count(ledger.hours)} hours have a Merkle root over every value; in ${count(ledger.changed_hours)} of them
the stored values no longer match the root. Keep the roots, and verify proofs of <code>/v1/odds/proof</code> against them
with <code>mintfold verify-odds</code>.</p>
<ul class="roots">${ledger.newest
        .slice(0, 6)
        .map(
          ({ hour, n, root }) =>
            html`<li>${new Date(hour * 1000).toISOString().slice(0, 13).replace('T', ' ')} h, ${count(n)} values: <code>${root}</code></li>`,
        )}</ul>`
}
</section>`
