// The shape of a launch: what was known when its create slot was over. A launch is compared with launches of the same shape.
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { MintState } from '../../../schemas/types.ts'
import { knownPrior, unknownPrior } from '../fold/prior.ts'
import {
  type BundleBand,
  bundleBandOf,
  type CreatorKind,
  type CreatorPrior,
  creatorKindOf,
  type DevBuyBand,
  devBuyBandOf,
} from './bands.ts'

/** A fact of a launch, or why it is unknown. */
type Known<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string }

/** The facts that define a shape. */
export interface ShapeFacts {
  /** Launch, unix seconds. */
  readonly t0: number
  readonly mayhem: boolean
  /** Null means SOL. */
  readonly quoteMint: Key | null
  readonly createSlot: Known<{ readonly devBuyQuoteUnits: Amount; readonly bundleWallets: number }>
  /** The dev set's member with the most launches before this one (`of`), and its record as of this launch. */
  readonly prior: Known<CreatorPrior & { readonly of: Key }>
}

/** The facts in a mint's rows; undefined without a launch row. A frame is folded in one step, so rows never show part of a create slot. */
export const shapeFactsOf = (state: Pick<MintState, 'launch' | 'curve' | 'prior' | 'stub'>): ShapeFacts | undefined => {
  const { launch, curve } = state
  if (launch === null || curve === null) return undefined
  const prior = knownPrior(state)
  return {
    t0: launch.at,
    mayhem: launch.mayhem,
    quoteMint: curve.quoteMint,
    createSlot: launch.placed ? { ok: true, value: curve } : { ok: false, reason: 'the slot of the launch is not known' },
    prior:
      prior === null || prior.of === null ? { ok: false, reason: unknownPrior(state) } : { ok: true, value: { ...prior, of: prior.of } },
  }
}

/** The bands of a launch. Where one part is null, all later ones are too. */
export interface Shape {
  readonly isMayhem: boolean
  readonly devBuy: DevBuyBand | null
  readonly bundle: BundleBand | null
  readonly creatorKind: CreatorKind | null
}

/** Only for launches on SOL curves: amounts of other quotes have no bands. */
export const shapeOf = ({ mayhem, createSlot, prior }: ShapeFacts): Shape => ({
  isMayhem: mayhem,
  devBuy: createSlot.ok ? devBuyBandOf(createSlot.value.devBuyQuoteUnits) : null,
  bundle: createSlot.ok ? bundleBandOf(createSlot.value.bundleWallets) : null,
  creatorKind: createSlot.ok && prior.ok ? creatorKindOf(prior.value) : null,
})
