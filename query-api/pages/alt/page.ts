// The record page of one curve of the alt chain: free, because its data are at least five minutes old.

import { inNative, inTokens } from '../../../processors/curve/card/amounts.ts'
import { curveEvidence, type FullCurve } from '../../../processors/curve/card/card.ts'
import { HEX_KEYS, type Key, keyText } from '../../../schemas/keys.ts'
import type { CurveSnapshot } from '../../../topology/ports/curve-view.ts'
import { rests } from '../../answers/curves/rested.ts'
import { DELAY_S } from '../../answers/delay.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { buyPart } from '../buying.ts'
import { addressPart } from '../copy.ts'
import { sheetOf, startingDocument } from '../document.ts'
import { count, percent, short, sol, span, words } from '../figures.ts'
import { isGrave, measureOf, type ShownFlag } from '../flags.ts'
import { type Html, html } from '../html.ts'
import type { PageAnswer } from '../page-answer.ts'
import { metersPart } from '../record/meters.ts'
import { type Money, seriesOf } from '../record/series.ts'
import { timeLinePart } from '../record/time-line.ts'
import { noPage } from '../refusals.ts'
import { structurePart } from './structure.ts'

const TOKENS_OF_A_PRICE = 1_000_000

const ETH: Money = {
  name: 'ETH',
  inWhole: inNative,
  priceOf: (quote, tokens) => (inNative(quote) / inTokens(tokens)) * TOKENS_OF_A_PRICE,
}

/** @param instant of the alt chain. @param text the path after `/alt/`. */
export const curvePage = async (service: Service, instant: Instant, text: string): Promise<PageAnswer> => {
  const { context } = service.curves
  if (!context.isFollowed) return noPage(service, instant, 'No curves here', 'This server does not follow the alt chain.')
  if (!instant.status.ready) return { status: 503, page: startingDocument(service, instant) }
  const address = HEX_KEYS.parse(text)
  if (address === undefined)
    return noPage(
      service,
      instant,
      'This is not the address of a curve',
      'The address of a curve or of its token is 0x and 40 hexadecimal digits.',
    )
  const sold = `/v1/alt/curve/${keyText(address)}`
  const then = instant.moment.asOf - DELAY_S
  const snapshot = context.view.find(address)
  if (snapshot === undefined || snapshot.head.launch === null || snapshot.head.launch.at > then)
    return noPage(
      service,
      instant,
      'No curve of this address can be shown',
      `It was not observed, its data were removed, or it is younger than ${span(DELAY_S)}: buy its card instead.`,
      sold,
    )
  return recordPage(service, instant, snapshot, then)
}

const recordPage = async (service: Service, instant: Instant, snapshot: CurveSnapshot, then: number): Promise<PageAnswer> => {
  const { context } = service.curves
  const { token, head } = snapshot
  const { launch, figures } = head
  const [curve, launchAt] = [keyText(launch?.curve ?? token), launch?.at ?? then]
  const isResting = rests(head, then)
  const until = isResting ? Math.min(then, figures?.lastAt ?? then) : then
  const series = await seriesOf(service, { mint: token, pool: null, launchAt, until, money: ETH })
  const flags = flagsOf(snapshot, then, service)
  const data = isResting ? evidenceOf(snapshot, instant, then, service) : undefined
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Curve <code>${short(curve)}</code></h1>
${addressPart(curve)}
<p class="note">Token <code>${keyText(token)}</code>, on the alt chain. As of <b>${span(DELAY_S)}</b> ago.</p>
${data === undefined ? MOVES : metersOf(data)}
</section>
${await timeLinePart(series, flags, data === undefined ? html`` : await structurePart(data))}
${launch === null ? '' : deployerPart(context.view.launchesSince(0, then), launch.deployer, token)}
${buyPart(service, 'Buy the card as it is now', `/v1/alt/curve/${curve}`)}`
  const description = `What was observed of the curve ${curve}: reserves, price, flow and findings.`
  const page = sheetOf(service, instant, { title: `Curve ${short(curve)}: record of a launch`, main, path: `/alt/${curve}`, description })
  return { status: 200, page, ...(!series.ok && { isPassing: true }) }
}

const MOVES = html`<p class="note moves">It changed within the last ${span(DELAY_S)}. This page shows the state of ${span(DELAY_S)} ago; current
figures and holders are in the paid card.</p>`

/** Undefined if coverage is thin. */
const evidenceOf = (
  { token, state }: CurveSnapshot,
  instant: Instant,
  asOf: number,
  { curves: { context } }: Service,
): FullCurve | undefined => {
  const evidence = curveEvidence({ address: token, token, state }, { ...instant.moment, asOf, tip: null }, context)
  return evidence.coverage === 'full' ? evidence : undefined
}

const flagsOf = ({ head }: CurveSnapshot, then: number, { curves: { context } }: Service): readonly ShownFlag[] =>
  head.flags
    .filter(({ firstSeenAt }) => firstSeenAt <= then)
    .map(({ flag, findingId, firstSeenAt, evidence }) => {
      const headline = context.detectors.byFlag.get(flag)?.headline
      const measured = JSON.parse(evidence) as Readonly<Record<string, unknown>>
      const ageS = Math.max(0, firstSeenAt - (head.launch?.at ?? firstSeenAt))
      return { flag, findingId, ageS, measure: measureOf(headline, measured), isGrave: isGrave(headline, measured) }
    })
    .sort((a, b) => a.ageS - b.ageS)

const metersOf = ({ status, raised, flow, structure, snipe_tax: tax }: FullCurve): Html =>
  metersPart([
    ['Status', words(status)],
    ['ETH held', sol(raised.eth), raised.progress === null ? '' : `${percent(raised.progress)} of the way`],
    ['Buyers', count(flow.unique_buyers), `${count(flow.n_buys)} buys, ${count(flow.n_sells)} sells`],
    ['Holders', count(structure.n_holders), `largest holds ${percent(structure.top1_share)}`],
    ['Deployer', percent(structure.deployer_holding_share), 'of circulating supply held'],
    ['Taxed buys', count(tax.n_taxed_buys), 'in the first seconds'],
  ])

const LOOKED_AT_MAX = 2_000
const OTHERS_MAX = 12

/** Other curves of a deployer, newest first. @param but the token of the page's curve. */
const deployerPart = (launches: Iterable<CurveSnapshot>, deployer: Key, but: Key): Html => {
  const others: CurveSnapshot[] = []
  let looked = 0
  for (const snapshot of launches) {
    if (others.length >= OTHERS_MAX || ++looked > LOOKED_AT_MAX) break
    if (snapshot.head.launch?.deployer === deployer && snapshot.token !== but) others.push(snapshot)
  }
  const list = others.map(({ token, head: { launch } }) => {
    const curve = keyText(launch?.curve ?? token)
    return html`<li><a href="/alt/${curve}"><code>${short(curve)}</code></a></li>`
  })
  return html`<section class="panel" aria-labelledby="creator">
<h2 id="creator">Its deployer's other curves</h2>
<p class="note">Deployer <code>${keyText(deployer)}</code>.</p>
${others.length === 0 ? html`<p class="empty">No other curve of this deployer is known now.</p>` : html`<ul class="links">${list}</ul>`}
</section>`
}
