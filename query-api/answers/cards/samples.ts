// Free samples of paid answers: the same shapes, as of five minutes ago.
import { coverageOf } from '../../../processors/mint/card/moment.ts'
import { CONFIDENT_TRADES } from '../../../processors/mint/thresholds.ts'
import type { FlagRecord } from '../../../topology/ports/chain-view.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { type Answer, RESTORING, refusal } from '../../questions/bodies.ts'
import { DELAY_S, delayed, restsSince } from '../delay.ts'
import { passes } from '../market/launches.ts'
import { first, listed } from '../market/missing.ts'
import { rugItem } from '../market/rugs.ts'
import type { RequestContext } from '../question.ts'
import type { Instant, Service } from '../service.ts'
import { withFinality } from './finality-text.ts'
import { answerCard } from './mint.ts'

/** How far back samples search, seconds: as far as the list routes. */
const REACH_S = 21_600
const ITEMS = 3
/** Launches examined for a sample. */
const LOOKED_AT_MAX = 500

/** The default filter of the paid list. */
const PAID_DEFAULTS = { limit: ITEMS, max_age_s: REACH_S, exclude_mayhem: true, min_rs: 0, only_alive: false }

/** Launches that may be shown for free, newest first: not changed since `DELAY_S` ago, when they were `ageS` to `REACH_S` old. */
function* oldLaunches({ options: { view } }: Service, instant: Instant, ageS: number): Iterable<MintSnapshot> {
  const { asOf } = delayed(instant).moment
  let looked = 0
  for (const snapshot of view.launchesSince(asOf - REACH_S, asOf - ageS)) {
    if (restsSince(snapshot.head, asOf)) yield snapshot
    looked += 1
    if (looked >= LOOKED_AT_MAX) return
  }
}

export const answerSampleLaunches = (_input: object, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const { moment } = delayed(instant)
  const items: string[] = []
  let oldest = moment.asOf - REACH_S
  for (const snapshot of oldLaunches(service, instant, DELAY_S)) {
    if (!passes(snapshot.head, PAID_DEFAULTS, moment)) continue
    items.push(withFinality(service.launches.get(snapshot, moment), service.finalityOf))
    if (items.length < ITEMS) continue
    oldest = snapshot.head.launch?.at ?? oldest
    break
  }
  return sampled(ask, items, oldest, 'launches')
}

export const answerSampleRugs = (_input: object, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const shown = sampleFlags(service, instant, ITEMS)
  const oldest = shown[ITEMS - 1]?.at ?? instant.moment.asOf - REACH_S
  const items = shown.map((record) => JSON.stringify(rugItem(service, record)))
  return sampled(ask, items, oldest, 'flags')
}

/** Coverage refers to the time since the oldest item, or to the searched time if there are fewer items than requested. */
const sampled = (ask: RequestContext, items: readonly string[], since: number, what: string): Answer =>
  ask.instant.status.ready ? listed(ask, { items, since, what, delayedS: DELAY_S }) : RESTORING

export const answerSampleMint = (_input: object, ask: RequestContext): Answer => {
  if (!ask.instant.status.ready) return RESTORING
  const launch = sampleLaunch(ask.service, ask.instant)
  return launch === undefined ? NO_SAMPLE : answerCard(launch.mint, ask, { delayedS: DELAY_S })
}

/** The newest with full coverage and enough trades for high confidence; else the newest with full coverage; else the newest. */
export const sampleLaunch = (service: Service, instant: Instant): MintSnapshot | undefined => {
  const { moment } = delayed(instant)
  let [newest, full]: (MintSnapshot | undefined)[] = []
  for (const snapshot of oldLaunches(service, instant, DELAY_S)) {
    newest ??= snapshot
    if (coverageOf(snapshot.head, moment).coverage === 'thin') continue
    full ??= snapshot
    if ((snapshot.head.curve?.trades ?? 0) >= CONFIDENT_TRADES) return snapshot
  }
  return full ?? newest
}

/** The newest flags that may be shown for free. */
export const sampleFlags = ({ options: { view } }: Service, { moment: { asOf } }: Instant, most: number): readonly FlagRecord[] =>
  first(view.flagsSince(asOf - REACH_S, asOf - DELAY_S), most)

const NO_SAMPLE = refusal(
  503,
  'no_sample',
  `no launch of the last 6 h that was at least ${DELAY_S} s old ${DELAY_S} s ago has stayed unchanged since: retry later, or see /v1/labels`,
)
