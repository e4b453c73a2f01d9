// What this is, before anything else: what is sold and to whom, and where it is a simulation, that it is one.
import type { Look, Service } from '../answers/service.ts'
import { usd } from './figures.ts'
import { type Html, html } from './html.ts'

/** Sources say what they are in their first word. */
const isSimulated = (service: Service): boolean => /^demo\b/.test(service.source())

/** Beside the name; empty where the market and the money are real. */
export const badge = (service: Service): Html => {
  const { sandbox } = service.options
  const words = isSimulated(service) ? (sandbox ? 'Simulation, play money' : 'Simulation') : sandbox ? 'Play money' : ''
  return words === '' ? html`` : html`<strong class="badge">${words}</strong>`
}

/** What the badge means. */
export const simulationPart = (service: Service, { feed, status }: Look): Html => {
  const { sandbox } = service.options
  const isDemo = isSimulated(service)
  if (!isDemo && !sandbox) return html``
  const clock = isDemo && status.folded !== null ? html` Its clock says ${utc(feed.nowMs)}.` : ''
  const market = isDemo ? html`No launch on this page is real: the market is simulated (${service.source()}).${clock} ` : ''
  const money = sandbox ? 'Payments run for real over play money: nothing that is paid here is worth anything.' : ''
  return html`<p class="demo">${market}${money}</p>`
}

const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** One sentence for who comes here first. */
export const offerPart = (service: Service): Html => {
  const prices = service.options.questions.map((question) => service.priceUsd(question)).filter((price) => price > 0)
  const terms =
    prices.length === 0
      ? html`Payments are off on this server: every answer is free.`
      : html`Each answer is paid by itself, from <b>${usd(Math.min(...prices))}</b> in USDC by x402: no account, no key.`
  return html`<p class="offer">mintfold sells software agents what was observed of token launches: an API over HTTP and MCP
that answers with evidence, seconds after it happened. ${terms}</p>`
}
