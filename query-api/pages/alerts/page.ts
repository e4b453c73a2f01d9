// The page `/alerts`: what is pushed, how to subscribe, and how a receiver verifies alerts.

import { ALERT_HEAD } from '../../alerts/feeds/odds-source.ts'
import { alertLabels } from '../../alerts/labels.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { buyingPart } from '../buying.ts'
import { command } from '../copy.ts'
import { sheetOf } from '../document.ts'
import { usd } from '../figures.ts'
import { type Html, html } from '../html.ts'

export const ALERTS_PATH = '/alerts'
const ROUTE = '/v1/alerts/webhook'
/** Only the sandbox accepts a target on the same machine. */
const LOCAL = 'http://127.0.0.1:9000/'
/** Prints what it gets, and answers with the same, which is how a target accepts a subscription. */
const RECEIVER =
  `node -e 'require("http").createServer((q, s) => { q.pipe(process.stdout, { end: false }); ` +
  `s.setHeader("content-type", "application/json"); q.pipe(s) }).listen(9000, "127.0.0.1")'`
/** What can be bought now. */
const shownOf = ({ options: { odds, sandbox } }: Service): string => {
  const kinds = odds.headState(ALERT_HEAD).isShown ? 'graduation_odds,rug_flags' : 'rug_flags'
  const minimum = kinds === 'rug_flags' ? '' : '&min_odds=0.6'
  return `${ROUTE}?kinds=${kinds}&target=generic&url=${encodeURIComponent(sandbox ? LOCAL : 'https://example.com/hook')}${minimum}`
}

export const alertsPage = (service: Service, instant: Instant): Html => {
  const question = service.options.questions.find(({ path }) => path === ROUTE)
  const price = question === undefined ? 0 : service.priceUsd(question)
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Alerts</h1>
<p>${question?.description ?? ''} ${price === 0 ? 'Free here' : usd(price)}, for ${alertLabels.limits.term_days} days. No account, no polling.</p>
<p class="reading" data-live="standing">${standingPart(service)}</p>
</section>
<section class="kinds" aria-labelledby="kinds">
<h2 id="kinds" tabindex="-1">What is pushed</h2>
<p>${alertLabels.about}.</p>
</section>
<section class="buy" aria-labelledby="subscribe">
<h2 id="subscribe" tabindex="-1">Subscribe</h2>
${receiverPart(service)}${buyingPart(service, shownOf(service))}
${parametersPart(service)}
</section>
<section class="receive" aria-labelledby="receive">
<h2 id="receive" tabindex="-1">Receive</h2>
<p>${alertLabels.delivery}.</p>
${listOf(alertLabels.headers)}
${listOf(alertLabels.targets)}
</section>
<section class="limits" aria-labelledby="limits">
<h2 id="limits" tabindex="-1">Limits</h2>
${listOf(alertLabels.limits)}
</section>`
  const description = 'Graduation odds that reach your minimum, and rug flags, pushed to a webhook or a chat: 30 days for one payment.'
  return sheetOf(service, instant, { title: 'mintfold: alerts', main, path: ALERTS_PATH, description })
}

/** For the commands of the sandbox, which name a target on this machine. */
const receiverPart = ({ options: { sandbox, buyCommand } }: Service): Html =>
  !sandbox || buyCommand === undefined
    ? html``
    : html`<p>First run a receiver, in a terminal of its own. It prints each alert, and answers with what it gets:</p>${command(RECEIVER)}`

/** Whether alerts about odds are sold now; if not, the reason. */
const standingPart = ({ options: { odds } }: Service): Html => {
  const { isShown, reason } = odds.headState(ALERT_HEAD)
  return isShown
    ? html`Odds of graduation are shown now: alerts of both kinds are sold.`
    : html`Odds of graduation are not shown now (${reason ?? 'no reason is known'}): only alerts about rug flags are sold.`
}

const parametersPart = ({ options: { questions } }: Service): Html => {
  const params = questions.find(({ path }) => path === ROUTE)?.params ?? {}
  return html`<ul class="free">${Object.entries(params).map(([name, { schema }]) => html`<li><code>${name}</code> <span>${schema.description}</span></li>`)}</ul>`
}

const listOf = (named: Readonly<Record<string, string | number>>): Html =>
  html`<ul class="free">${Object.entries(named).map(([name, what]) => html`<li><code>${name}</code> <span>${what}</span></li>`)}</ul>`
