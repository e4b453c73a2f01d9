// `/health`: feed lag, counters and problems.

import { explain } from '../../../processors/mint/card/explain.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { ChainView } from '../../../topology/ports/chain-view.ts'
import type { Health } from '../../answer-schemas/health.ts'
import type { Answer } from '../../questions/bodies.ts'
import { CALLS_UNSEEN, isStale, NO_FRAME, NO_TIP, NODE_BLIND, preparingText, SLOTS_BEHIND_MAX } from '../feed.ts'
import type { TimelessContext } from '../question.ts'
import type { Look, Service } from '../service.ts'
import { detectionPart, historyPart, lagText, viewsPart } from './health-parts.ts'

/** 503 only while no answer can be served; any other problem is 200 with `degraded`. */
export const answerHealth = (_input: object, { service, instant, facts }: TimelessContext): Answer => {
  const { status, shownMs } = instant
  const lags = service.options.view.lags()
  const body: Health = {
    ok: status.ready,
    t: shownMs / 1000,
    uptime_s: Math.floor((service.options.wallClock.now() - service.startedAtMs) / 1000),
    sources: [sourceOf(service.options.chain.name, instant, service.options.view, service.finalityOf), ...curveSources(service)],
    mints_tracked: status.tracked,
    curves_tracked: service.curves.context.view.status().tracked,
    counters: status.counters,
    ...detectionPart(service.options.view.detection()),
    ...viewsPart(lags),
    ...historyPart(service, instant),
    new_layouts: (status.newLayouts ?? []).map(([event, bytes, first]) => ({ event, unknown_bytes: bytes, first_slot: first })),
    version: service.options.version,
    degraded: [
      ...degradedReasons(instant, facts.feedLagSMax),
      ...curveReasons(service, facts.feedLagSMax),
      ...lagText(service, instant, lags),
    ],
  }
  return { status: status.ready ? 200 : 503, body: JSON.stringify(body) }
}

const sourceOf = (chain: Chain, { status, feed }: Look, view: Pick<ChainView, 'finality'>, finalityOf: Service['finalityOf']) => {
  const finality = view.finality()
  return {
    chain,
    ...explain(
      {
        tip: status.tip?.number ?? null,
        folded: status.folded?.number ?? null,
        feed_lag_s: feed.feedLagS,
        chain_lag_s: feed.chainLagS,
        slots_behind: feed.slotsBehind,
        finality: status.folded && finalityOf(status.folded.number),
        confirmed: known(finality?.confirmed),
        finalized: known(finality?.finalized),
      },
      {
        tip: NO_TIP,
        folded: NO_FRAME,
        feed_lag_s: feed.feedLagReason ?? '',
        chain_lag_s: feed.chainLagReason ?? '',
        slots_behind: NO_FRAME,
        finality: NO_FRAME,
        confirmed: finality === null ? NOT_REPORTED : NONE_YET,
        finalized: finality === null ? NOT_REPORTED : NONE_YET,
      },
    ),
  }
}

/** Empty if the alt chain is not followed. */
const curveSources = (service: Service) => {
  const { context, finalityOf } = service.curves
  return context.isFollowed ? [sourceOf(context.chain.name, service.look('curves'), context.view, finalityOf)] : []
}

/** The problems of the alt chain, with the chain's name before each sentence; empty if the chain is not followed. */
const curveReasons = (service: Service, feedLagSMax: number): string[] => {
  const { context } = service.curves
  if (!context.isFollowed) return []
  return degradedReasons(service.look('curves'), feedLagSMax).map((reason) => reason.replace(': ', `: ${context.chain.name}: `))
}

const NOT_REPORTED = 'the source does not report it: every frame arrives with its final state'
const NONE_YET = 'no applied slot has reached it yet'

/** A slot; null for -1 and undefined. */
const known = (slot = -1): number | null => (slot < 0 ? null : slot)

const degradedReasons = ({ status, feed, unit }: Look, feedLagSMax: number): string[] => {
  const reasons: string[] = []
  if (status.rebuild) reasons.push(`rebuilding: ${status.rebuild}`)
  else if (status.preparing) reasons.push(`starting: ${preparingText(status)}`)
  else if (!status.ready) reasons.push('restoring: the stores are being restored')
  if (status.trouble) reasons.push(`log_away: the log cannot be read: ${status.trouble.reason}`)
  if (status.folded === null) reasons.push('no_frames: no frame was applied yet')
  else if (feed.feedLagS === null) reasons.push(`stale: ${feed.feedLagReason}`)
  else if (isStale(feed, feedLagSMax)) reasons.push(`stale: the feed is ${feed.feedLagS} s behind, the limit is ${feedLagSMax} s`)
  if (feed.slotsBehind !== null && feed.slotsBehind > SLOTS_BEHIND_MAX)
    reasons.push(`tape_behind: ${feed.slotsBehind} ${unit}s behind the source`)
  if (status.unseen?.isBlind) reasons.push(`node_blind: ${NODE_BLIND}`)
  else if (status.unseen?.areCalls) reasons.push(`calls_unseen: ${CALLS_UNSEEN}`)
  if (status.gap !== null) {
    const why = status.gap.reason === undefined ? '' : ` (${status.gap.reason})`
    reasons.push(
      `gap: ${unit}s ${status.gap.from} to ${status.gap.to} are missing${why}; ${unit === 'slot' ? 'mints' : 'curves'} that were open then are thin`,
    )
  }
  return reasons
}
