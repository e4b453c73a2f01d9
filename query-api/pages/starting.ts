// What the page says before there is something to show, and while the rest of it is still prepared.
import type { Look } from '../answers/service.ts'
import { span } from './figures.ts'
import { type Html, html } from './html.ts'

/** Above so much lag the page says that it catches up, seconds. */
const CATCHING_UP_S = 10

/** What is being done, one line each, the way they come. */
const worksOf = ({ status, feed }: Look): readonly Html[] => {
  const { preparing, rebuild, trouble } = status
  const works: Html[] = []
  if (preparing) works.push(html`<li>${sentence(preparing.what)} ${preparing.share === null ? '' : bar(preparing.share)}</li>`)
  if (rebuild) works.push(html`<li>${sentence(rebuild)}</li>`)
  else if (!status.ready && !preparing) works.push(html`<li>Reads its stores back, and waits for the first slot</li>`)
  if (status.ready && feed.feedLagS === null) works.push(html`<li>Waits for the first slot of the chain</li>`)
  if (status.ready && feed.feedLagS !== null && feed.feedLagS > CATCHING_UP_S)
    works.push(html`<li>Catches up with the chain: ${span(feed.feedLagS)} behind</li>`)
  if (trouble) works.push(html`<li>Nothing new can be read: ${trouble.reason}</li>`)
  return works
}

const bar = (share: number): Html => {
  const done = Math.floor(share * 100)
  return html`<progress max="100" value="${done}"></progress> <b>${done} %</b>`
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** Empty where nothing is under way. */
export const worksPart = (look: Look): Html => {
  const works = worksOf(look)
  return works.length === 0 ? html`` : html`<ul class="works">${works}</ul>`
}
