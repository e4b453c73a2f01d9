// The shape of a launch: what was known of it when its create slot was over. Figures are of launches that are alike in it.
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

/** Something of a launch, or why it is not known. */
type Known<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string }

/** What a shape is made of. */
export interface ShapeFacts {
  /** Launch, unix seconds. */
  readonly t0: number
  readonly mayhem: boolean
  /** Null stands for SOL. */
  readonly quoteMint: Key | null
  readonly createSlot: Known<{ readonly devBuyQuoteUnits: Amount; readonly bundleWallets: number }>
  /** Record of the dev set's member with the most launches before this one, and whose it is. */
  readonly prior: Known<CreatorPrior & { readonly of: Key }>
}

/** Of the rows of a mint; undefined where they hold no launch. Frames are whole, so that rows never show a create slot half way. */
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

/** The bands of a launch. Of a later part nothing is known where one before it is null. */
export interface Shape {
  readonly isMayhem: boolean
  readonly devBuy: DevBuyBand | null
  readonly bundle: BundleBand | null
  readonly creatorKind: CreatorKind | null
}

/** Of launches on SOL curves alone: amounts of other quotes have no bands. */
export const shapeOf = ({ mayhem, createSlot, prior }: ShapeFacts): Shape => ({
  isMayhem: mayhem,
  devBuy: createSlot.ok ? devBuyBandOf(createSlot.value.devBuyQuoteUnits) : null,
  bundle: createSlot.ok ? bundleBandOf(createSlot.value.bundleWallets) : null,
  creatorKind: createSlot.ok && prior.ok ? creatorKindOf(prior.value) : null,
})
