// How far behind the chain the pages are.
import type { Look } from '../answers/service.ts'
import { count, span, UNKNOWN } from './figures.ts'
import { type Html, html } from './html.ts'

/** How far behind the page is, in words. */
export const pulsePart = ({ feed, status }: Look, isLate: boolean): Html => {
  if (feed.feedLagS === null) return html`<span class="lamp late" aria-hidden="true"></span> waiting for the first slot`
  const slot = feed.lastSlot === null ? UNKNOWN : count(feed.lastSlot)
  return html`<span class="lamp${isLate ? ' late' : ''}" aria-hidden="true"></span> ${isLate ? 'late: ' : ''}<b>${feed.feedLagS < 60 ? `${feed.feedLagS.toFixed(1)} s` : span(feed.feedLagS)}</b> behind the chain <span class="slot">slot ${slot}${status.gap === null ? '' : ', with a gap'}</span>`
}
