// A launch's settled outcome.
import type { OutcomeRecord } from '../../../processors/mint/card/history.ts'
import { count, sol, span, words } from '../figures.ts'
import { type Html, html } from '../html.ts'
import { metersPart } from '../record/meters.ts'

/** The outcome in a few words, and the colour class for it. */
export const outcomeText = ({ graduated, rugged, rug_kind, rug_dt_s }: OutcomeRecord): readonly [kind: string, words: string] => {
  if (graduated === true) return ['good', 'graduated']
  if (rugged === true) return ['grave', `${words(rug_kind ?? 'rugged')}${rug_dt_s === null ? '' : ` after ${span(rug_dt_s)}`}`]
  return rugged === null ? ['soft', 'not labelled'] : ['soft', 'neither graduated nor rugged']
}

/** Empty while the launch is not settled. */
export const outcomePart = (outcome: OutcomeRecord | null): Html => {
  if (outcome === null) return html``
  const [kind, became] = outcomeText(outcome)
  return html`<section class="panel outcome" aria-labelledby="outcome">
<h2 id="outcome">Outcome: <span class="${kind}">${became}</span></h2>
<p class="note">Settled ${span(Math.max(0, outcome.settled_at - outcome.t0))} after launch, ${outcome.settled_by === 'migrated' ? 'when it migrated' : 'when it had been silent for an hour'}.${
    outcome.censored === null ? '' : ` ${outcome.censored_reason ?? `Labels are withheld: ${words(outcome.censored)}`}.`
  }</p>
${metersPart([
  ['Peak', `${sol(outcome.peak_rs)} SOL`],
  ['At the end', `${sol(outcome.terminal_rs)} SOL`],
  ['Trades', count(outcome.n_trades), `${count(outcome.n_buyers)} buyers`],
  ['Creator bought', `${sol(outcome.dev_buy_sol)} SOL`],
  ['Creator sold', outcome.dev_first_sell_dt_s === null ? 'not seen' : `after ${span(outcome.dev_first_sell_dt_s)}`],
])}
</section>`
}
