// Flags for people: what was measured, and whether it is grave.
import type { CardContext } from '../../processors/mint/card/card.ts'
import { rugFlagsPart } from '../../processors/mint/card/card-parts.ts'
import type { Headline } from '../../processors/mint/detectors/detector.ts'
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'
import { percent, sol, span, words } from './figures.ts'
import { type Html, html } from './html.ts'

/** A sale of at least this share of the supply is shown as grave, as is every loss. */
export const GRAVE_SHARE = 0.05

type Evidence = Readonly<Record<string, unknown>>

const figure = (evidence: Evidence, name: string): number | null => {
  const value = evidence[name]
  return typeof value === 'number' ? value : null
}

/** The share of `from` that was lost. */
const lost = (from: number | null, to: number | null): string =>
  from === null || to === null || from <= 0 ? '' : `lost ${percent(1 - to / from)}`
const known = (value: number | null, show: (value: number) => string): string => (value === null ? '' : show(value))

/** The evidence's main figure; empty if it has none. */
export const measureOf = (headline: Headline | undefined, evidence: Evidence): string => {
  switch (headline?.is) {
    case 'soldShare':
      return known(figure(evidence, headline.field), (share) => `${percent(share)} of supply`)
    case 'loss':
      return lost(figure(evidence, headline.before), figure(evidence, headline.after))
    case 'peakSol':
      return known(figure(evidence, headline.field), (most) => `at most ${sol(most)} SOL`)
    case undefined:
      return ''
  }
}

export const isGrave = (headline: Headline | undefined, evidence: Evidence): boolean =>
  headline?.is === 'loss' || (headline?.is === 'soldShare' && (figure(evidence, headline.field) ?? 0) >= GRAVE_SHARE)

export interface ShownFlag {
  readonly flag: string
  readonly findingId: string
  /** Seconds after the launch. */
  readonly ageS: number
  /** What was measured, in words; may be empty. */
  readonly measure: string
  readonly isGrave: boolean
}

type Flagged = Pick<MintSnapshot['head'], 'launch' | 'flags'>

/** Flags of a mint, oldest first. */
export const shownFlags = ({ launch, flags }: Flagged, { chain, detectors: { byFlag } }: CardContext): readonly ShownFlag[] =>
  rugFlagsPart(flags, chain).map(({ flag, first_seen_at, finding_id, evidence }) => ({
    flag,
    findingId: finding_id,
    ageS: Math.max(0, first_seen_at - (launch?.at ?? first_seen_at)),
    measure: measureOf(byFlag.get(flag)?.headline, evidence),
    isGrave: isGrave(byFlag.get(flag)?.headline, evidence),
  }))

/** One flag with its measurement and time. */
export const chip = ({ flag, ageS, measure, isGrave }: ShownFlag): Html =>
  html`<li class="flag${isGrave ? ' grave' : ''}">${words(flag)} <span class="at">${measure === '' ? '' : `${measure}, `}<span class="when">${span(ageS)}</span></span></li>`
