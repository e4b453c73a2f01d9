// Schemas of `data` of `/v1/mint/{mint}`, full and thin, and of the items of `/v1/launches/recent`.
import * as z from 'zod'
import { DEMAND_WINDOW_S, QUIET_S, REVERSED_PERCENT } from '../../processors/mint/thresholds.ts'
import {
  coverage,
  coverageReason,
  curve,
  curveState,
  demand,
  holders,
  identity,
  isMayhem,
  pool,
  rsNow,
  statusAndRisk,
} from './card-parts.ts'
import { prior, priorAtLaunch, warmLaunch } from './creator.ts'
import { slotRange } from './envelope.ts'
import type { FlagSchemas } from './flags.ts'
import { onchain } from './onchain.ts'
import { confidence } from './states.ts'
import { address, boolean, count, days, fields, position, seconds, share, sol, text, unixSeconds } from './vocabulary.ts'

/** The settled record of a launch. */
export const settledRecord = fields({
  mint: address.describe('token address'),
  creator: address.describe('creator named at launch'),
  t0: unixSeconds.describe('time of the launch, unix seconds'),
  slot0: count.describe('slot of the launch'),
  settled_at: unixSeconds.describe('time of the settlement, unix seconds; the first settlement is final'),
  settled_by: text.describe('event that settled it'),
  graduated: boolean.nullable().describe('as curve.graduated, settled'),
  rugged: boolean
    .nullable()
    .describe(
      'DRAIN (real SOL reached 5 and fell to 25 % of its peak or less before migration) or DEV DUMP (the dev set sold at least half of all tokens it ever received); measured differently from rug_flags',
    ),
  rug_kind: text.nullable().describe('drain or dev_dump, whichever came first'),
  rug_dt_s: seconds.nullable().describe('seconds from launch to the rug'),
  peak_rs: sol.nullable().describe('highest real SOL of the curve until the settlement'),
  terminal_rs: sol.nullable().describe('real SOL of the curve at the settlement'),
  dev_first_sell_dt_s: seconds
    .nullable()
    .describe('seconds from launch to the first sell of the dev set, if it sold before the settlement'),
  dev_buy_sol: sol.nullable().describe('SOL the dev set spent in the create slot'),
  reached_5_sol: boolean.nullable().describe('real SOL reached 5'),
  n_trades: count.describe('trades until the settlement'),
  n_buyers: count.describe('wallets that bought until the settlement'),
  is_mayhem: boolean.describe('launched in mayhem mode'),
  self_graduated: boolean.describe('the dev set bought out the curve within the create slot'),
  censored: text.nullable().describe('why labels are missing; null for a complete record'),
  reopened_at: unixSeconds.nullable().describe('first trade after the settlement, unix seconds'),
})
const record = settledRecord.nullable()

const baseRates = fields({
  window_days: days.describe('length of the window, days'),
  launches: count.describe('resolved launches in the window: denominator of all rates'),
  grad_rate: share.nullable().describe('share that graduated'),
  rug_rate: share.nullable().describe('share that rugged, by the rule of outcome.rugged'),
  dev_sold_rate: share.nullable().describe('share whose dev set sold'),
  reached_5_sol_rate: share.nullable().describe('share whose curve reached 5 SOL'),
  as_of: unixSeconds.describe('time of the rates, unix seconds; they are updated every minute'),
})
  .nullable()
  .describe('context: rates over resolved launches of the trailing 7 days, by launch time')

const why = { why: z.array(text).describe('the facts behind risk_label, in sentences') }
/** Fields that are added to the cached card when it is sent. */
const addedWhenSent = {
  confidence: z.enum(Object.keys(confidence)).describe('how much data the card is based on, not how likely a rug is; see confidence'),
  base_rates: baseRates,
}
const NEXT = 'paths of related resources, relative to the base address'
const link = text.nullable()
const next = {
  creator: link.describe(
    'record of the launching wallet (creator_prior_of; until that is known, the caller of create). If the launch is not stored: record of the creator, if the creator is a wallet',
  ),
  regime: link.describe('market regime'),
}

const exitSignals = fields({
  creator_sold: boolean.describe('the dev set has sold'),
  top5_holder_sold_recent: boolean.nullable().describe(`a wallet that was in the top 5 sold in the last ${DEMAND_WINDOW_S} s`),
  inflow_stalled: boolean.describe('as demand.inflow_stalled'),
  progress_reversed: boolean.nullable().describe(`the curve is open and its real SOL is below ${REVERSED_PERCENT} % of its peak`),
})

const creatorChange = z.strictObject({
  creator: address.describe('the new creator'),
  kind: text.describe('how it was changed'),
  at: unixSeconds.describe('time of the change, unix seconds'),
  position: position.describe('chain position of the change'),
})

export const fullCard = (flags: FlagSchemas) =>
  fields({
    ...identity,
    dev_wallets: z.array(address).describe('the dev set: the caller of create, and the creator it named if that is a wallet'),
    ...coverage('full'),
    ...statusAndRisk,
    ...why,
    curve,
    pool,
    demand,
    holders,
    exit_signals: exitSignals,
    ...priorAtLaunch,
    ...warmLaunch,
    rug_flags: flags.list,
    flags: flags.fired.describe('each mechanism: true: fired; false: checked and not fired; null: not checked'),
    creator_changes: z
      .array(creatorChange)
      .describe('changes of the creator after launch, the newest 20, oldest first; they do not change the dev set'),
    outcome: record.describe(`the settled record; null until the mint migrates or has no trade for ${QUIET_S} s`),
    as_of: z.strictObject({
      position: position.describe('newest event of this mint in the card'),
      at: unixSeconds.describe('its time, unix seconds'),
    }),
    ...addedWhenSent,
    next: fields({
      ...next,
      wallet: link.describe('trading results of the same wallet'),
      rugs: link.describe('recent rugs'),
    }).describe(NEXT),
  })

const lastSeen = fields({
  position: position.describe('thin: newest event of this mint'),
  at: unixSeconds.describe('its time, unix seconds'),
  rs_sol: sol.nullable().describe('real SOL of the curve after it, 0 after migration'),
  complete: boolean.describe('curve.complete as of that event'),
  migrated: boolean.describe('curve.migrated as of that event'),
  is_mayhem: boolean.describe('as curve.is_mayhem'),
})

/** Name and age are absent if the launch was not witnessed. */
export const thinCard = (flags: FlagSchemas) =>
  fields({
    mint: identity.mint,
    name: identity.name.optional(),
    symbol: identity.symbol.optional(),
    created_at: identity.created_at.optional(),
    age_s: identity.age_s.optional(),
    creator: identity.creator.nullable(),
    creator_is_wallet: identity.creator_is_wallet.nullable(),
    ...coverage('thin'),
    ...coverageReason,
    coverage_range: slotRange.optional().describe('gap in which trades of the mint may be missing: slots that were not delivered'),
    ...statusAndRisk,
    ...why,
    history: record.describe('thin: the settled record of the launch'),
    onchain,
    ...prior('thin: as creator_prior_at_launch, shortened', 'the wallet whose record creator_prior is'),
    last_seen: lastSeen.optional(),
    rug_flags: flags.list.optional(),
    flags_fired: z.array(flags.name).optional().describe('thin: flags that had fired before the rows were evicted'),
    ...addedWhenSent,
    next: fields(next).describe(NEXT),
  })

export const fullLaunch = (flags: FlagSchemas) =>
  fields({
    ...identity,
    ...coverage('full'),
    ...statusAndRisk,
    curve,
    demand,
    holders,
    ...priorAtLaunch,
    ...warmLaunch,
    rug_flags: flags.list,
  })

const nullWhereThin = z.null().describe('null if coverage is thin')

export const thinLaunch = (flags: FlagSchemas) =>
  fields({
    ...identity,
    ...coverage('thin'),
    ...coverageReason,
    ...statusAndRisk,
    curve: fields({
      position: position.describe('thin: newest event of this mint'),
      at: unixSeconds.describe('thin: its time, unix seconds'),
      rs_sol: rsNow,
      ...curveState,
      is_mayhem: isMayhem,
    }),
    demand: nullWhereThin,
    demand_reason: text,
    holders: nullWhereThin,
    holders_reason: text,
    ...priorAtLaunch,
    ...warmLaunch,
    rug_flags: flags.list,
  })
