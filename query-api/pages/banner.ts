// The pages' header texts: what the service sells, and whether its market and money are simulated.
import type { Look, Service } from '../answers/service.ts'
import { usd } from './figures.ts'
import { type Html, html } from './html.ts'

/** The first word of a source's name states its kind. */
const isSimulated = (service: Service): boolean => /^demo\b/.test(service.source())

/** Shown next to the name; empty when market and money are real. */
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
  const clock = isDemo && status.folded !== null && feed.nowMs !== null ? html` Its clock is at ${utc(feed.nowMs)}.` : ''
  const market = isDemo ? html`No launch on this page is real: the market is simulated (${service.source()}).${clock} ` : ''
  const money = sandbox ? 'Payments work as in production, but use play money without value.' : ''
  return html`<p class="demo">${market}${money}</p>`
}

const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** The offer, for first-time visitors. */
export const offerPart = (service: Service): Html => {
  const prices = service.options.questions.map((question) => service.priceUsd(question)).filter((price) => price > 0)
  const terms =
    prices.length === 0
      ? html`Payments are off on this server: every answer is free.`
      : html`Each answer is paid for separately, from <b>${usd(Math.min(...prices))}</b> in USDC over x402: no account, no key.`
  return html`<p class="offer">mintfold sells observed evidence about token launches to software agents, seconds after the
event, through an API over HTTP and MCP. ${terms}</p>`
}
