// The pages of records that cannot be shown, with the reason.
import type { Look, Service } from '../answers/service.ts'
import { buyPart } from './buying.ts'
import { sheetOf } from './document.ts'
import { type Html, html } from './html.ts'
import type { PageAnswer } from './page-answer.ts'

/** A 404. @param sold path of the paid answer that knows more; absent: there is none. */
export const noPage = (service: Service, instant: Look, title: string, text: string, sold?: string): PageAnswer => ({
  status: 404,
  page: reasonPage(service, instant, title, text, sold),
})

/** A 503: whether there is a record is not known now. */
export const awayPage = (service: Service, instant: Look, reason: string, sold: string): PageAnswer => ({
  status: 503,
  page: reasonPage(service, instant, 'This record cannot be read now', `Not known: ${reason}. Reload this page in a few seconds.`, sold),
})

const reasonPage = (service: Service, instant: Look, title: string, text: string, sold?: string): Html => {
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">${title}</h1>
<p class="note">${text} <a href="/#launches">Launches that can be shown</a>.</p>
</section>
${sold === undefined ? '' : buyPart(service, 'Buy the answer', sold)}`
  return sheetOf(service, instant, { title, main })
}
