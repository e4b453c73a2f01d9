// The 404 page of a record, with the reason.
import type { Look, Service } from '../answers/service.ts'
import { buyPart } from './buying.ts'
import { sheetOf } from './document.ts'
import { html } from './html.ts'
import type { PageAnswer } from './page-answer.ts'

/** A 404. @param sold path of the paid answer that knows more; absent: there is none. */
export const noPage = (service: Service, instant: Look, title: string, text: string, sold?: string): PageAnswer => {
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">${title}</h1>
<p class="note">${text} <a href="/#launches">Launches that can be shown</a>.</p>
</section>
${sold === undefined ? '' : buyPart(service, 'Buy the answer', sold)}`
  return { status: 404, page: sheetOf(service, instant, { title, main }) }
}
