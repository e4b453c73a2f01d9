// Free samples of what is sold: the same shapes, of launches and flags at least five minutes old.
import { coverageOf } from '../../processors/mint/moment.ts'
import { CONFIDENT_TRADES } from '../../processors/mint/thresholds.ts'
import type { FlagSighting, MintSnapshot } from '../../topology/ports/mint-view.ts'
import { type Answer, RESTORING, refusal } from '../bodies.ts'
import type { Ask } from '../question.ts'
import type { Look, Service } from '../service.ts'
import { withFinality } from './finality-text.ts'
import { passes } from './launches.ts'
import { answerCard } from './mint.ts'
import { listParts, missingOf } from './missing.ts'
import { rugItem } from './rugs.ts'

/** Nothing that is shown for free is younger: launches by their launch, flags by their cause, seconds. */
export const DELAY_S = 300
/** How far back samples look: what the lists reach back to, seconds. */
const REACH_S = 21_600
const ITEMS = 3
/** Launches looked at for a sample. */
const LOOKED_AT_MAX = 500

/** What the paid list leaves out by itself. */
const PAID_DEFAULTS = { limit: ITEMS, max_age_s: REACH_S, exclude_mayhem: true, min_rs: 0, only_alive: false }

/** Launches of the last 6 h that may be shown for free, newest first: no flag on them is younger than the delay either. */
export function* oldLaunches({ options: { view } }: Service, { moment: { asOf } }: Look): Iterable<MintSnapshot> {
  let looked = 0
  for (const snapshot of view.launchesSince(asOf - REACH_S, asOf - DELAY_S)) {
    if (snapshot.head.flags.every(({ firstSeenAt }) => firstSeenAt <= asOf - DELAY_S)) yield snapshot
    looked += 1
    if (looked >= LOOKED_AT_MAX) return
  }
}

export const answerSampleLaunches = (_input: object, ask: Ask): Answer => {
  const { service, look } = ask
  const items: string[] = []
  let oldest = look.moment.asOf - REACH_S
  for (const snapshot of oldLaunches(service, look)) {
    if (!passes(snapshot.state, PAID_DEFAULTS, look.moment)) continue
    items.push(withFinality(service.launches.get(snapshot, look.moment), service.finalityOf))
    if (items.length < ITEMS) continue
    oldest = snapshot.state.launch?.at ?? oldest
    break
  }
  return listed(ask, items, oldest, 'launches')
}

export const answerSampleRugs = (_input: object, ask: Ask): Answer => {
  const { service, look } = ask
  const shown: FlagSighting[] = []
  for (const sighting of service.options.view.flagsSince(look.moment.asOf - REACH_S, look.moment.asOf - DELAY_S)) {
    shown.push(sighting)
    if (shown.length >= ITEMS) break
  }
  const oldest = shown[ITEMS - 1]?.at ?? look.moment.asOf - REACH_S
  const items = shown.map((sighting) => JSON.stringify(rugItem(service, sighting)))
  return listed(ask, items, oldest, 'flags')
}

/** Coverage is about the time from the oldest item on, or about all that was looked through where there are fewer than asked. */
const listed = ({ service, look, facts }: Ask, items: readonly string[], since: number, what: string): Answer => {
  if (!look.status.ready) return RESTORING
  const parts = listParts(items, missingOf(look, since, what), `,"delayed_s":${DELAY_S}`)
  return { status: 200, body: service.envelope(facts, look, { ...parts, next: '{"mint":"/v1/mint/{mint}"}', delayedS: DELAY_S }) }
}

export const answerSampleMint = (_input: object, ask: Ask): Answer => {
  if (!ask.look.status.ready) return RESTORING
  const launch = sampleLaunch(ask.service, ask.look)
  return launch === undefined ? NO_SAMPLE : answerCard(launch.mint, ask, { delayedS: DELAY_S })
}

/** The newest with a full card and enough trades to say something; else the newest with a full card; else the newest. */
export const sampleLaunch = (service: Service, look: Look): MintSnapshot | undefined => {
  let [newest, full]: (MintSnapshot | undefined)[] = []
  for (const snapshot of oldLaunches(service, look)) {
    newest ??= snapshot
    if (coverageOf(snapshot.head, look.moment).coverage === 'thin') continue
    full ??= snapshot
    if ((snapshot.head.curve?.trades ?? 0) >= CONFIDENT_TRADES) return snapshot
  }
  return full ?? newest
}

/** The newest that may be shown for free. */
export const sampleFlag = ({ options: { view } }: Service, { moment: { asOf } }: Look): FlagSighting | undefined => {
  for (const sighting of view.flagsSince(asOf - REACH_S, asOf - DELAY_S)) return sighting
  return undefined
}

const NO_SAMPLE = refusal(503, 'no_sample', `no launch of the last 6 h is ${DELAY_S} s old yet: try again later, or see /v1/labels`)
