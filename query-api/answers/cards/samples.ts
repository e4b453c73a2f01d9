// Free samples of what is sold: the same shapes, as of five minutes ago.
import { coverageOf } from '../../../processors/mint/card/moment.ts'
import { CONFIDENT_TRADES } from '../../../processors/mint/thresholds.ts'
import type { FlagSighting } from '../../../topology/ports/chain-view.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { type Answer, RESTORING, refusal } from '../../questions/bodies.ts'
import { DELAY_S, delayed, restsSince } from '../delay.ts'
import { passes } from '../market/launches.ts'
import { first, listed } from '../market/missing.ts'
import { rugItem } from '../market/rugs.ts'
import type { Ask } from '../question.ts'
import type { Look, Service } from '../service.ts'
import { withFinality } from './finality-text.ts'
import { answerCard } from './mint.ts'

/** How far back samples look: what the lists reach back to, seconds. */
const REACH_S = 21_600
const ITEMS = 3
/** Launches looked at for a sample. */
const LOOKED_AT_MAX = 500

/** What the paid list leaves out by itself. */
const PAID_DEFAULTS = { limit: ITEMS, max_age_s: REACH_S, exclude_mayhem: true, min_rs: 0, only_alive: false }

/** Launches of the 6 h before then that may be shown for free and were so old then, newest first. */
function* oldLaunches({ options: { view } }: Service, look: Look, ageS: number): Iterable<MintSnapshot> {
  const { asOf } = delayed(look).moment
  let looked = 0
  for (const snapshot of view.launchesSince(asOf - REACH_S, asOf - ageS)) {
    if (restsSince(snapshot.head, asOf)) yield snapshot
    looked += 1
    if (looked >= LOOKED_AT_MAX) return
  }
}

export const answerSampleLaunches = (_input: object, ask: Ask): Answer => {
  const { service, look } = ask
  const { moment } = delayed(look)
  const items: string[] = []
  let oldest = moment.asOf - REACH_S
  for (const snapshot of oldLaunches(service, look, DELAY_S)) {
    if (!passes(snapshot.head, PAID_DEFAULTS, moment)) continue
    items.push(withFinality(service.launches.get(snapshot, moment), service.finalityOf))
    if (items.length < ITEMS) continue
    oldest = snapshot.head.launch?.at ?? oldest
    break
  }
  return sampled(ask, items, oldest, 'launches')
}

export const answerSampleRugs = (_input: object, ask: Ask): Answer => {
  const { service, look } = ask
  const shown = sampleFlags(service, look, ITEMS)
  const oldest = shown[ITEMS - 1]?.at ?? look.moment.asOf - REACH_S
  const items = shown.map((sighting) => JSON.stringify(rugItem(service, sighting)))
  return sampled(ask, items, oldest, 'flags')
}

/** Coverage is about the time from the oldest item on, or about all that was looked through where there are fewer than asked. */
const sampled = (ask: Ask, items: readonly string[], since: number, what: string): Answer =>
  ask.look.status.ready ? listed(ask, { items, since, what, delayedS: DELAY_S }) : RESTORING

export const answerSampleMint = (_input: object, ask: Ask): Answer => {
  if (!ask.look.status.ready) return RESTORING
  const launch = sampleLaunch(ask.service, ask.look)
  return launch === undefined ? NO_SAMPLE : answerCard(launch.mint, ask, { delayedS: DELAY_S })
}

/** The newest with a full card and enough trades to say something; else the newest with a full card; else the newest. */
export const sampleLaunch = (service: Service, look: Look): MintSnapshot | undefined => {
  const { moment } = delayed(look)
  let [newest, full]: (MintSnapshot | undefined)[] = []
  for (const snapshot of oldLaunches(service, look, DELAY_S)) {
    newest ??= snapshot
    if (coverageOf(snapshot.head, moment).coverage === 'thin') continue
    full ??= snapshot
    if ((snapshot.head.curve?.trades ?? 0) >= CONFIDENT_TRADES) return snapshot
  }
  return full ?? newest
}

/** The newest that may be shown for free. */
export const sampleFlags = ({ options: { view } }: Service, { moment: { asOf } }: Look, most: number): readonly FlagSighting[] =>
  first(view.flagsSince(asOf - REACH_S, asOf - DELAY_S), most)

const NO_SAMPLE = refusal(
  503,
  'no_sample',
  `no launch of the last 6 h was ${DELAY_S} s old ${DELAY_S} s ago and has not changed since: try again later, or see /v1/labels`,
)
