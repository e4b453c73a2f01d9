// The feed lag, as shown in every header.
import type { Look } from '../answers/service.ts'
import { count, span, UNKNOWN } from './figures.ts'
import { type Html, html } from './html.ts'

export const pulsePart = ({ feed, status }: Look, isLate: boolean): Html => {
  if (feed.feedLagS === null)
    return html`<span class="lamp late" aria-hidden="true"></span> waiting for ${status.folded === null ? 'the first slot' : 'the clock of the source'}`
  const slot = feed.lastSlot === null ? UNKNOWN : count(feed.lastSlot)
  return html`<span class="lamp${isLate ? ' late' : ''}" aria-hidden="true"></span> ${isLate ? 'late: ' : ''}<b>${feed.feedLagS < 60 ? `${feed.feedLagS.toFixed(1)} s` : span(feed.feedLagS)}</b> behind the chain <span class="slot">slot ${slot}${status.gap === null ? '' : ', with a gap'}</span>`
}
