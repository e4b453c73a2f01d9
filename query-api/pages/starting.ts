// The progress that pages show during startup, rebuilds and catching up.
import type { Look } from '../answers/service.ts'
import { span } from './figures.ts'
import { type Html, html } from './html.ts'

/** Feed lag above which the page shows that it is catching up, seconds. */
const CATCHING_UP_S = 10

/** One line per work in progress. */
const worksOf = ({ status, feed }: Look): readonly Html[] => {
  const { preparing, rebuild, trouble } = status
  const works: Html[] = []
  if (preparing) works.push(html`<li>${sentence(preparing.what)} ${preparing.share === null ? '' : bar(preparing.share)}</li>`)
  if (rebuild) works.push(html`<li>${sentence(rebuild)}</li>`)
  else if (!status.ready && !preparing) works.push(html`<li>Restoring the stores, then waiting for the first slot</li>`)
  if (status.ready && feed.feedLagS === null)
    works.push(html`<li>Waiting for ${status.folded === null ? 'the first slot of the chain' : 'the clock of the source'}</li>`)
  if (status.ready && feed.feedLagS !== null && feed.feedLagS > CATCHING_UP_S)
    works.push(html`<li>Catching up with the chain: ${span(feed.feedLagS)} behind</li>`)
  if (trouble) works.push(html`<li>The source cannot be read: ${trouble.reason}</li>`)
  return works
}

const bar = (share: number): Html => {
  const done = Math.floor(share * 100)
  return html`<progress max="100" value="${done}"></progress> <b>${done} %</b>`
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Empty if no work is in progress. */
export const worksPart = (instant: Look): Html => {
  const works = worksOf(instant)
  return works.length === 0 ? html`` : html`<ul class="works">${works}</ul>`
}
