// A creator's free record: launches at least five minutes old, with their outcomes as of five minutes ago.
import { observedSinceOf } from '../../../processors/creator/horizon.ts'
import { creatorEvidence } from '../../../processors/creator/record.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { CreatorLaunchRow, CreatorState } from '../../../schemas/types.ts'
import { DELAY_S, delayed } from '../../answers/delay.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { count, percent, short, sol, span, UNKNOWN, words } from '../figures.ts'
import { type Html, html } from '../html.ts'

type Evidence = ReturnType<typeof creatorEvidence>

export interface ShownCreator {
  /** Null, with the reason, if the sums changed in the last five minutes: only current sums are stored. */
  readonly stats: Evidence['stats'] | null
  readonly statsReason: string
  /** Newest first. */
  readonly launches: Evidence['recent_launches']
  /** Start of the known launches, unix seconds; null before the first frame. */
  readonly since: number | null
}

const MOVES = `a launch of this wallet began or settled within the last ${span(DELAY_S)}; the paid record has the current sums`

/** The launch as of `then`: later settlements are removed. */
const asOfThen = (row: CreatorLaunchRow, then: number): CreatorLaunchRow =>
  row.settledAt !== null && row.settledAt <= then
    ? row
    : { ...row, settledAt: null, graduated: null, rugged: null, rugDtS: null, censored: null }

/** A slot takes 0.4 s on average; some are faster. */
const SLOT_S_MIN = 0.3

/** Whether the sums are those of five minutes ago. */
const isUnchanged = (state: CreatorState | undefined, { status: { folded } }: Instant): boolean =>
  state === undefined || state.figures === null || (folded !== null && (folded.number - state.figures.number) * SLOT_S_MIN >= DELAY_S)

export const shownCreator = ({ options }: Service, instant: Instant, wallet: Key): ShownCreator => {
  const { asOf } = delayed(instant).moment
  const { observedSince } = instant.status
  const since = observedSince === null ? null : observedSinceOf(observedSince, asOf)
  const state: CreatorState | undefined = options.records.creator(wallet)?.state
  const launches = (state?.launches ?? []).filter(({ at }) => at <= asOf)
  const isResting = isUnchanged(state, instant)
  const then = state && { ...state, launches: launches.map((row) => asOfThen(row, asOf)) }
  const evidence = creatorEvidence(wallet, then, { asOf, since: observedSince, live: [], chain: options.chain })
  return { stats: isResting ? evidence.stats : null, statsReason: isResting ? '' : MOVES, launches: evidence.recent_launches, since }
}

const became = ({ graduated, rugged, rug_dt_s }: Evidence['recent_launches'][number]): Html => {
  if (graduated === 1) return html`<span class="good">graduated</span>`
  if (rugged === 1) return html`<span class="grave">rugged${rug_dt_s === null ? '' : ` after ${span(rug_dt_s)}`}</span>`
  return rugged === 0 ? html`neither` : html`<span class="soft">${words('not settled')}</span>`
}

/** @param but a launch to leave out, because the page is about it. */
export const launchesTable = ({ launches }: ShownCreator, nowS: number, but?: string): Html => {
  const others = launches.filter(({ mint }) => mint !== but)
  if (others.length === 0)
    return html`<p class="empty">No ${but === undefined ? '' : 'other '}launch of this wallet older than ${span(DELAY_S)} was seen.</p>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Launches"><table class="rows">
<thead><tr><th scope="col">Token</th><th scope="col" class="n">Launched</th><th scope="col" class="n">Peak SOL</th>
<th scope="col">Became</th></tr></thead>
<tbody>${others.map(
    (launch) => html`<tr><th scope="row"><a href="/token/${launch.mint}"><code>${short(launch.mint)}</code></a></th>
<td class="n">${span(Math.max(0, nowS - launch.t0))} ago</td><td class="n">${sol(launch.peak_rs)}</td><td>${became(launch)}</td></tr>`,
  )}</tbody></table></div>`
}

/** The sums as a sentence. */
export const creatorSentence = ({ stats, statsReason }: ShownCreator): Html => {
  if (stats === null) return html`<p class="note">Sums are not shown: ${statsReason}.</p>`
  const rate = (share: number | null): string => (share === null ? UNKNOWN : percent(share))
  return html`<p class="note">${count(stats.n_launches)} seen, ${count(stats.n_resolved)} of them settled: ${rate(stats.rug_rate)} rugged,
${rate(stats.grad_rate)} graduated.</p>`
}
