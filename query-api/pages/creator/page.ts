// The record page of one creator's wallet.
import { type Key, keyText, parseKey } from '../../../schemas/keys.ts'
import { DELAY_S } from '../../answers/delay.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { buyPart } from '../buying.ts'
import { addressPart } from '../copy.ts'
import { sheetOf, startingDocument } from '../document.ts'
import { count, percent, short, sol, span } from '../figures.ts'
import { html } from '../html.ts'
import type { PageAnswer } from '../page-answer.ts'
import { metersPart } from '../record/meters.ts'
import { noPage } from '../refusals.ts'
import { creatorSentence, launchesTable, type ShownCreator, shownCreator } from './record.ts'

/** @param text the path after `/creator/`. */
export const creatorPage = (service: Service, instant: Instant, text: string): PageAnswer => {
  if (!instant.status.ready) return { status: 503, page: startingDocument(service, instant) }
  const wallet = parseKey(text)
  if (wallet === undefined)
    return noPage(service, instant, 'This is not a wallet address', 'An address is base58: 32 to 44 characters without 0, O, I and l.')
  const shown = shownCreator(service, instant, wallet)
  const address = keyText(wallet)
  if (shown.launches.length === 0)
    return noPage(
      service,
      instant,
      'No launch of this wallet is known here',
      `None older than ${span(DELAY_S)} was seen. The paid record answers for any wallet.`,
      `/v1/creator/${address}`,
    )
  return { status: 200, page: pageOf(service, instant, wallet, shown) }
}

const pageOf = (service: Service, instant: Instant, wallet: Key, shown: ShownCreator) => {
  const address = keyText(wallet)
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Creator <code>${short(address)}</code></h1>
${addressPart(address)}
${creatorSentence(shown)}
${metersOf(shown)}
</section>
<section class="panel" aria-labelledby="launches">
<h2 id="launches">Its newest launches</h2>
<p class="note">As of <b>${span(DELAY_S)}</b> ago. A launch's outcome is settled when it migrates or is silent for an hour.</p>
${launchesTable(shown, instant.moment.asOf)}
</section>
${buyPart(service, 'Buy the record as it is now', `/v1/creator/${address}`)}`
  const description = `Launches of ${address} and what became of them, as observed.`
  return sheetOf(service, instant, { title: `Creator ${short(address)}: its launches`, main, path: `/creator/${address}`, description })
}

const metersOf = ({ stats, since }: ShownCreator) => {
  const from = since === null ? '' : `since ${new Date(since * 1000).toISOString().slice(0, 10)}`
  if (stats === null) return html``
  return metersPart([
    ['Launches', count(stats.n_launches), from],
    ['Settled', count(stats.n_resolved)],
    ['Rugged', percent(stats.rug_rate), 'of those settled'],
    ['Graduated', percent(stats.grad_rate), 'of those settled'],
    ['First sale', stats.median_dev_sell_s === null ? '–' : span(stats.median_dev_sell_s), 'median, after launch'],
    ['Bought at launch', `${sol(stats.total_dev_buy_sol)} SOL`, 'in all'],
  ])
}
