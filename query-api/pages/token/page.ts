// The record page of one launch: free, because its data are at least five minutes old; with the card if nothing changed since.
import { assert } from '../../../schemas/errors.ts'
import { type Key, keyText, parseKey } from '../../../schemas/keys.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { answerCard } from '../../answers/cards/mint.ts'
import { DELAY_S } from '../../answers/delay.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { buyPart } from '../buying.ts'
import { addressPart } from '../copy.ts'
import { creatorSentence, launchesTable, shownCreator } from '../creator/record.ts'
import { sheetOf, startingDocument } from '../document.ts'
import { short, span } from '../figures.ts'
import { type Html, html } from '../html.ts'
import type { PageAnswer } from '../page-answer.ts'
import { seriesOf } from '../record/series.ts'
import { timeLinePart } from '../record/time-line.ts'
import { awayPage, noPage } from '../refusals.ts'
import { cardMeters, cardPart, reasonsPart, type Sample } from './card.ts'
import { classSharesOf, holdersPart } from './holders.ts'
import { outcomePart } from './outcome.ts'
import { nameOf, type ShownLaunch, SOL, shownLaunch, walletOf } from './record.ts'

const SAMPLE = '/v1/sample/mint'

/** @param text the path after `/token/`. */
export const tokenPage = async (service: Service, instant: Instant, text: string): Promise<PageAnswer> => {
  if (!instant.status.ready) return { status: 503, page: startingDocument(service, instant) }
  const mint = parseKey(text)
  if (mint === undefined) return noPage(service, instant, 'This is not a token address', NO_ADDRESS)
  const sold = `/v1/mint/${keyText(mint)}`
  const launch = await shownLaunch(service, instant, mint)
  if (launch === undefined) return noPage(service, instant, 'No launch of this address is known here', UNKNOWN_HERE, sold)
  if (launch === 'young') return { status: 200, page: youngPage(service, instant, mint) }
  if ('reason' in launch) return awayPage(service, instant, launch.reason, sold)
  return recordPage(service, instant, launch)
}

const NO_ADDRESS = 'An address is base58: 32 to 44 characters without 0, O, I and l.'
const UNKNOWN_HERE = 'It was not observed. The paid card answers for any address, from the chain and the history.'

const youngPage = (service: Service, instant: Instant, mint: Key): Html => {
  const address = keyText(mint)
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">This launch is young</h1>
${addressPart(address)}
<p class="note">It is younger than ${span(DELAY_S)}. Its record appears here later; its card can be bought now.</p>
</section>
${buyPart(service, 'Buy the card as it is now', `/v1/mint/${address}`)}`
  return sheetOf(service, instant, { title: 'mintfold: a young launch', main })
}

/** The delayed card, as the sample route returns it. */
const sampleOf = (mint: Key, service: Service, instant: Instant): Sample => {
  const facts = service.options.questions.find(({ path }) => path === SAMPLE)
  assert(facts !== undefined, `${SAMPLE} is not in the list`)
  return JSON.parse(answerCard(mint, { service, instant, facts }, { delayedS: DELAY_S }).body)
}

const restedParts = async ({ mint, state }: MintSnapshot, service: Service, instant: Instant) => {
  const sample = sampleOf(mint, service, instant)
  return {
    meters: cardMeters(sample.data),
    reasons: reasonsPart(sample.data),
    holders: await holdersPart(classSharesOf(state)),
    card: cardPart(sample),
  }
}

const CHANGED = html`<p class="note moves">It changed within the last ${span(DELAY_S)}. This page shows the state of ${span(DELAY_S)} ago; current
figures, holders and labels are in the paid card.</p>`
/** The parts of a launch that changed too recently to be shown for free. */
const withheldParts = (launch: ShownLaunch) => ({
  meters: html``,
  reasons: launch.outcome === null ? CHANGED : html``,
  holders: html``,
  card: html``,
})

const recordPage = async (service: Service, instant: Instant, launch: ShownLaunch): Promise<PageAnswer> => {
  const { mint, rested, flags, launchAt, until, pool } = launch
  const address = keyText(mint)
  const parts = rested === undefined ? withheldParts(launch) : await restedParts(rested, service, instant)
  const series = await seriesOf(service, { mint, pool, launchAt, until, money: SOL })
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead" class="token"><bdi>${nameOf(launch)}</bdi> <bdi class="symbol">${launch.symbol}</bdi></h1>
${addressPart(address)}
${parts.reasons}
${parts.meters}
</section>
${outcomePart(launch.outcome)}
${await timeLinePart(series, flags, parts.holders)}
${creatorPart(service, instant, launch)}
${buyPart(service, 'Buy the card as it is now', `/v1/mint/${address}`)}
${parts.card}`
  const path = `/token/${address}`
  const description = `What was observed of the launch ${short(address)}: price, reserves, holders, flags with their evidence.`
  const picture = { path: `${path}/picture.png`, text: `Record of the launch ${short(address)}` }
  const facts = factsOf(service, launch, path)
  const page = sheetOf(service, instant, { title: titleOf(launch), main, path, description, picture, facts })
  return { status: 200, page, ...(!series.ok && { isPassing: true }) }
}

const titleOf = (launch: ShownLaunch): string => `${nameOf(launch)}: record of a token launch`

/** For data set search engines. */
const factsOf = ({ options: { baseUrl } }: Service, launch: ShownLaunch, path: string) => ({
  '@context': 'https://schema.org',
  '@type': 'Dataset',
  name: titleOf(launch),
  description: `Observed trades, reserves, holders and flags of the token ${keyText(launch.mint)}.`,
  url: `${baseUrl}${path}`,
  isAccessibleForFree: true,
  creator: { '@type': 'Organization', name: 'mintfold', url: baseUrl },
  temporalCoverage: `${new Date(launch.launchAt * 1000).toISOString()}/${new Date(launch.until * 1000).toISOString()}`,
})

const creatorPart = (service: Service, instant: Instant, launch: ShownLaunch): Html => {
  const wallet = walletOf(launch, service.options.chain)
  if (wallet === null) return html``
  const shown = shownCreator(service, instant, wallet)
  const address = keyText(wallet)
  return html`<section class="panel" aria-labelledby="creator">
<h2 id="creator">Its creator's other launches</h2>
<p class="note"><a href="/creator/${address}">Record of <code>${short(address)}</code></a></p>
${creatorSentence(shown)}
${launchesTable(shown, instant.moment.asOf, keyText(launch.mint))}
</section>`
}
