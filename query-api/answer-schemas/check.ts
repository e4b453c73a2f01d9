// Schemas of `data` of the compact checks, the free watch, the coverage check and `/v1/evidence/{finding_id}`.
import * as z from 'zod'
import { DEMAND_WINDOW_S, GRADUATION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { causedAt, DETECTOR_HASH, type FlagSchemas } from './flags.ts'
import { finality, sol as inSol, riskLabel, status } from './states.ts'
import {
  address,
  boolean,
  count,
  fields,
  seconds,
  share,
  signedSeconds,
  signedSol,
  sol,
  text,
  unixSeconds,
  usd,
  wholeSeconds,
} from './vocabulary.ts'

/** Mints per check or watch. */
export const MINTS_MAX = 5
/** A cursor's lifetime, seconds on the service clock. */
export const CURSOR_S = 86_400
/** Longest accepted cursor, as published; issued ones have fewer than 80 characters. */
export const CURSOR_CHARS_MAX = 1_024

const CURSOR = `opaque signed cursor over exactly these mints; valid for ${CURSOR_S / 3_600} h on the service clock (see t)`
const cursor = z.string().min(1).max(CURSOR_CHARS_MAX)
const mint = address.describe('token address')
const FLAG_STATUSES = ['flags_observed', 'no_flags_observed'] as const
const within = `in the ${DEMAND_WINDOW_S} s before t`

const finding = (flags: FlagSchemas) =>
  fields({
    code: flags.name.describe('mechanism; see rug_flags'),
    first_seen_at: unixSeconds.nullable().describe('block time of the causing event, unix seconds'),
    finding_id: text.describe('id of the finding; /v1/evidence/{finding_id} returns its current status'),
    finality: z.enum(Object.keys(finality)).describe('confirmed or finalized; see finality'),
    is_new: boolean.describe('true: the finding was confirmed after the cursor that was sent; without a cursor every finding is new'),
    evidence: flags.evidence.describe('what was measured; see rug_flags'),
  })

const concentration = fields({
  top5_share: share.nullable().describe('tokens of the five largest holders / total supply'),
  dev_share: share.nullable().describe('tokens of the dev set / total supply'),
  bundle_share: share.nullable().describe('tokens still held by wallets outside the dev set that bought in the create slot / total supply'),
  insider_share: share
    .nullable()
    .describe('tokens of insiders / total supply, as far as their funding is known; see holders.insider_share of the full card'),
  insider_share_reason: text.optional(),
})

const buyerFlow = fields({
  unique_buyers_60s: count.nullable().describe(`wallets that bought ${within}`),
  buys_60s: count.nullable().describe(`buys ${within}`),
  sells_60s: count.nullable().describe(`sells ${within}`),
  net_sol_60s: signedSol.nullable().describe(`SOL in minus SOL out ${within}, without fees`),
  inflow_stalled: boolean.nullable().describe('as demand.inflow_stalled of the full card'),
})

const curve = fields({
  rs_sol: sol.nullable().describe('real SOL in the curve; after migration, as of the migration'),
  peak_rs_sol: sol.nullable().describe('highest real SOL before migration'),
  drawdown_from_peak: share.nullable().describe('1 - rs_sol / peak_rs_sol'),
  graduated: boolean
    .nullable()
    .describe(
      `true: witnessed at or above ${inSol(GRADUATION_LAMPORTS)} SOL; false: closed or migrated below it, confirmed; null: still open`,
    ),
})

export const checkItem = (flags: FlagSchemas) =>
  fields({
    mint,
    status: z.enum(FLAG_STATUSES).describe('flags_observed or no_flags_observed'),
    lifecycle: z.enum(Object.keys(status)).describe('see lifecycle; confirmed steps only'),
    risk_label: z.enum(Object.keys(riskLabel)).describe('see risk_label; rug_flagged only by confirmed findings'),
    new_events: z
      .array(flags.events)
      .describe(
        'names (see watch_events) of the events of this mint that were confirmed after the cursor that was sent; without a cursor, of all confirmed events; empty if nothing is new',
      ),
    findings: z
      .array(finding(flags))
      .describe('rug flags of confirmed slots, oldest first; a flag is not listed before its slot is confirmed'),
    snapshot_slot: count.nullable().describe('slot of the newest event of the mint, which may be newer than its findings'),
    last_trade_at: unixSeconds.nullable().describe('unix seconds; null before the first trade'),
    concentration,
    buyer_flow: buyerFlow,
    curve,
    full_card_url: z
      .string()
      .regex(/^https?:\/\//)
      .describe('address of the full card'),
  })

const STATUS =
  'flags_observed: at least one finding of at least one mint; no_flags_observed: none, which is not a safety guarantee; no_new_events: nothing was confirmed since the cursor, and nothing is charged'
const COUNT = 'number of items; 0 if nothing is new'
const ITEMS = 'the mints in the requested order; empty if nothing is new'

/** A result, or `no_new_events`. */
export const check = (flags: FlagSchemas, item: ReturnType<typeof checkItem>) =>
  z.discriminatedUnion('status', [
    fields({
      status: z.enum(FLAG_STATUSES).describe(STATUS),
      result_id: text.describe('id of this result; a replay of it has the same id'),
      count: z.int().min(1).max(MINTS_MAX).describe(COUNT),
      items: z.array(item).min(1).max(MINTS_MAX).describe(ITEMS),
      cursor: cursor.describe(CURSOR),
      watch_events: z
        .array(flags.events)
        .describe(
          'events that make a cursor report something new once they are confirmed: every flag, and lifecycle_transition (each step of the lifecycle). Trades, ages and totals do not',
        ),
    }),
    fields({
      status: z.literal('no_new_events').describe(STATUS),
      changed: z.literal(false).describe('false: nothing is new'),
      count: z.literal(0).describe(COUNT),
      items: z.array(item).max(0).describe(ITEMS),
      cursor: cursor.describe(CURSOR),
      charged: z.literal(false).describe('false: nothing was charged, and a payment that was sent remains usable'),
      next_check_after_s: wholeSeconds.describe('suggested time until the next check, seconds'),
    }),
  ])

export const watch = fields({
  has_new_events: boolean.describe('an event was confirmed after the cursor; a compact check with this cursor returns it'),
  cursor: cursor.describe(
    `${CURSOR}. The free watch does not list events, so none counts as shown: a check with this cursor lists the same events as with the one that was sent`,
  ),
  mints: z.array(text).min(1).max(MINTS_MAX).describe('as requested'),
  next_check_after_s: wholeSeconds.describe('suggested time until the next watch, seconds'),
})

export const coverageOfMints = fields({
  items: z.array(
    z.strictObject({
      mint,
      coverage: z.enum(['full', 'thin']).describe('see coverage; only mints with full coverage can be checked and watched'),
      reason: text.describe('why coverage is full or thin'),
    }),
  ),
  all_full: boolean.describe('true: every mint can be checked while feed_lag_s is at most max_feed_lag_s'),
  feed_lag_s: seconds.nullable().describe('as meta.feed_lag_s'),
  prices: z.strictObject({
    single_usd: usd.describe('price of /v1/check/mint/{mint}'),
    watchlist_usd: usd.describe('price of /v1/check/watchlist, the same for 1 to 5 mints'),
  }),
})
export type Coverage = z.output<typeof coverageOfMints>

const FINDING_STATUS =
  'stands: the finding is valid; retracted: a reorg dropped its event, or a newer version of the detector no longer finds it; withheld: its slot is younger than delayed_s, so the answer does not reveal whether the finding exists'
const findingId = { finding_id: text.describe('as requested: position@hash8:detector:mint') }
const detectorId = { detector_id: text.describe('detector of the finding') }
const delayed = { delayed_s: wholeSeconds.describe('findings younger than this are not shown here, seconds') }

const provenEvent = z.strictObject({
  event_id: text.describe('position@hash8'),
  position: text.describe('chain position'),
  type: text.describe('type of the event'),
  signature: text.describe('signature of the transaction in base58, or its hash in hex'),
})
const difference = z.strictObject({
  field: text.describe('field of the finding'),
  stored: z.unknown().describe('stored value'),
  recomputed: z.unknown().describe('recomputed value; null if the detector finds nothing'),
})

/** The parts of a finding's schema that depend on the chain, and the part of `/v1/labels` that explains its flags. */
interface FindingParts {
  readonly token: z.ZodType
  readonly causedAt: z.ZodType
  readonly label: string
}
const OF_MINTS: FindingParts = { token: mint, causedAt, label: 'rug_flags' }

/** A finding, or `withheld`: the answer for every id whose slot is younger than `delayed_s`, whether the finding exists or not. */
export const evidence = (flags: Pick<FlagSchemas, 'name' | 'evidence'>, { token, causedAt: position, label } = OF_MINTS) =>
  z.discriminatedUnion('status', [
    fields({
      ...findingId,
      status: z.enum(['stands', 'retracted']).describe(FINDING_STATUS),
      mint: token,
      flag: flags.name.describe(`mechanism; see ${label}`),
      ...detectorId,
      detector_version: count.nullable().describe('version of the detector'),
      detector_hash: text.nullable().describe(DETECTOR_HASH),
      first_seen_at: unixSeconds.describe('block time of the causing event, unix seconds'),
      mint_age_at_flag_s: signedSeconds.nullable().describe('seconds from the launch to first_seen_at'),
      position,
      finality: text.nullable().describe('see finality; null for a retracted finding'),
      evidence: flags.evidence.describe(`what was measured; see ${label}`),
      events: z.array(text).nullable().describe('ids (position@hash8) of the events that prove it, the causing one last'),
      proof: z.array(provenEvent).nullable().describe('these events from the tape'),
      fires_when: text.nullable().describe('condition of this version of the detector'),
      thresholds: z
        .record(z.string(), z.union([z.number(), z.string()]))
        .nullable()
        .describe('thresholds of the detector by name, whole numbers; as decimal text if a JSON number would not be exact'),
      recomputed: z
        .enum(['same', 'differs'])
        .nullable()
        .describe('result of recomputing the finding from the tape for this answer: same or differs; null if it was not recomputed'),
      differences: z.array(difference).optional().describe('fields that differ'),
      bundle: z
        .record(z.string(), z.unknown())
        .nullable()
        .optional()
        .describe(
          'with bundle=1: the finding with the signed transactions or receipts of its events, for offline verification with verify_finding.py',
        ),
      ...delayed,
    }),
    fields({
      ...findingId,
      status: z.literal('withheld').describe(FINDING_STATUS),
      mint: token,
      ...detectorId,
      position,
      free_at: unixSeconds.describe('withheld: when the finding can be requested, unix seconds, estimated from its slot number'),
      ...delayed,
    }),
  ])
