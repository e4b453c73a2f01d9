// `data` of the compact checks, of the free watch, of coverage and of `/v1/evidence/{finding_id}`.
import { z } from 'zod'
import { DEMAND_WINDOW_S, GRADUATION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { causedAt, type FlagSchemas, HASH_WORDS } from './flags.ts'
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

/** Of one check or watch. */
export const MINTS_MAX = 5
/** A cursor is good for so long, seconds on the clock of the cards. */
export const CURSOR_S = 86_400
/** As the contract bounds what is accepted; ours have fewer than 80 characters. */
export const CURSOR_CHARS_MAX = 1_024

const CURSOR = `what the holder of this text was shown of exactly these mints, signed; good for ${CURSOR_S / 3_600} h by the clock of the cards`
const cursor = z.string().min(1).max(CURSOR_CHARS_MAX)
const mint = address.describe('token address')
const FOUND = ['flags_observed', 'no_flags_observed'] as const
const within = `in the ${DEMAND_WINDOW_S} s before t`

const finding = (flags: FlagSchemas) =>
  fields({
    code: flags.name.describe('mechanism; see rug_flags'),
    first_seen_at: unixSeconds.nullable().describe('block time of the causing event, unix seconds'),
    finding_id: text.describe('names the finding; /v1/evidence/{finding_id} tells what became of it'),
    finality: z.enum(Object.keys(finality)).describe('confirmed or finalized; see finality'),
    is_new: boolean.describe('true: the cursor sent does not know this finding; without a cursor every finding is new'),
    evidence: flags.evidence.describe('what was measured; see rug_flags'),
  })

const concentration = fields({
  top5_share: share.nullable().describe('coins of the five largest holders / total supply'),
  dev_share: share.nullable().describe('coins of the dev set / total supply'),
  bundle_share: share.nullable().describe('coins still held by wallets that bought in the create slot, dev set apart / total supply'),
  insider_share: share
    .nullable()
    .describe('coins of insiders / total supply, as far as payments are known; see holders.insider_share of mint'),
  insider_share_reason: text.optional(),
})

const buyerFlow = fields({
  unique_buyers_60s: count.nullable().describe(`wallets that bought ${within}`),
  buys_60s: count.nullable().describe(`buys ${within}`),
  sells_60s: count.nullable().describe(`sells ${within}`),
  net_sol_60s: signedSol.nullable().describe(`SOL in less SOL out ${within}, without fees`),
  inflow_stalled: boolean.nullable().describe('as demand.inflow_stalled of mint'),
})

const curve = fields({
  rs_sol: sol.nullable().describe('real SOL in the curve; as of the migration once it has migrated'),
  peak_rs_sol: sol.nullable().describe('highest real SOL before migration'),
  drawdown_from_peak: share.nullable().describe('1 - rs / peak'),
  graduated: boolean
    .nullable()
    .describe(
      `true: witnessed at or above ${inSol(GRADUATION_LAMPORTS)} SOL; false: closed or migrated without, confirmed; null: still open`,
    ),
})

export const checkItem = (flags: FlagSchemas) =>
  fields({
    mint,
    status: z.enum(FOUND).describe('flags_observed or no_flags_observed'),
    lifecycle: z.enum(Object.keys(status)).describe('see lifecycle; by steps that the chain has confirmed'),
    risk_label: z.enum(Object.keys(riskLabel)).describe('see risk_label; rug_flagged by confirmed findings alone'),
    new_events: z
      .array(flags.events)
      .describe(
        'confirmed events of this mint that the cursor sent does not know, by the names of watch_events; without a cursor all that were confirmed; empty where this mint has nothing new',
      ),
    findings: z
      .array(finding(flags))
      .describe('rug flags of slots that the chain has confirmed, oldest first; a flag of a processed slot is left out until then'),
    snapshot_slot: count.nullable().describe('slot of the newest event of the mint, not of its findings'),
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
  'flags_observed: at least one finding of at least one mint; no_flags_observed: none, which is no guarantee; no_new_events: nothing was confirmed that the cursor does not know, and nothing is charged'
const COUNT = 'items; 0 where nothing is new'
const ITEMS = 'the mints in the order asked; empty where nothing is new'

/** A result, or the news that there is none. */
export const check = (flags: FlagSchemas, item: ReturnType<typeof checkItem>) =>
  z.discriminatedUnion('status', [
    fields({
      status: z.enum(FOUND).describe(STATUS),
      result_id: text.describe('names this result: copies of it have the same'),
      count: z.int().min(1).max(MINTS_MAX).describe(COUNT),
      items: z.array(item).min(1).max(MINTS_MAX).describe(ITEMS),
      cursor: cursor.describe(CURSOR),
      watch_events: z
        .array(flags.events)
        .describe(
          'what moves a cursor, once it is confirmed: every flag, and lifecycle_transition (each step of the lifecycle). Trades, ages and totals never do',
        ),
    }),
    fields({
      status: z.literal('no_new_events').describe(STATUS),
      changed: z.literal(false).describe('false: nothing is new'),
      count: z.literal(0).describe(COUNT),
      items: z.array(item).max(0).describe(ITEMS),
      cursor: cursor.describe(CURSOR),
      charged: z.literal(false).describe('false: nothing was charged, and a payment that was sent can still be used'),
      next_check_after_s: wholeSeconds.describe('suggested time until the next check, seconds'),
    }),
  ])

export const watch = fields({
  has_new_events: boolean.describe('something was confirmed that the cursor does not know; a compact check with this cursor shows what'),
  cursor: cursor.describe(`${CURSOR}. The free watch shows nothing, so that its cursor knows no more than the one it was given`),
  mints: z.array(text).min(1).max(MINTS_MAX).describe('as asked'),
  next_check_after_s: wholeSeconds.describe('suggested time until the next look, seconds'),
})

export const coverageOfMints = fields({
  items: z.array(
    z.strictObject({
      mint,
      coverage: z.enum(['full', 'thin']).describe('see coverage; only mints with full coverage can be checked and watched'),
      reason: text.describe('why coverage is what it is'),
    }),
  ),
  all_full: boolean.describe('every mint can be checked, while feed_lag_s is at most max_feed_lag_s'),
  feed_lag_s: seconds.nullable().describe('as meta.feed_lag_s'),
  prices: z.strictObject({
    single_usd: usd.describe('what /v1/check/mint/{mint} costs'),
    watchlist_usd: usd.describe('what /v1/check/watchlist costs, 1 to 5 mints alike'),
  }),
})
export type Coverage = z.output<typeof coverageOfMints>

const FINDING_STATUS =
  'stands; retracted: a fork took it back, or a newer version of a detector no longer finds it; withheld: its slot is younger than delayed_s, so that nothing is said of whether there is such a finding'
const findingId = { finding_id: text.describe('as asked: position@hash8:detector:mint') }
const detectorId = { detector_id: text.describe('who found it') }
const delayed = { delayed_s: wholeSeconds.describe('findings younger than this are not shown here, seconds') }

const provenEvent = z.strictObject({
  event_id: text.describe('position@hash8'),
  position: text.describe('place on the chain'),
  type: text.describe('what happened'),
  signature: text.describe('of the transaction: base58, or its hash in hex'),
})
const difference = z.strictObject({
  field: text.describe('of the finding'),
  stored: z.unknown().describe('as it was concluded'),
  recomputed: z.unknown().describe('as it comes out now; null where nothing is found'),
})

interface FoundIn {
  readonly token: z.ZodType
  readonly at: z.ZodType
  readonly label: string
}
const OF_MINTS: FoundIn = { token: mint, at: causedAt, label: 'rug_flags' }

/** A finding, or that it is not free yet: so is every id in a slot so young. */
export const evidence = (flags: Pick<FlagSchemas, 'name' | 'evidence'>, { token, at, label } = OF_MINTS) =>
  z.discriminatedUnion('status', [
    fields({
      ...findingId,
      status: z.enum(['stands', 'retracted']).describe(FINDING_STATUS),
      mint: token,
      flag: flags.name.describe(`mechanism; see ${label}`),
      ...detectorId,
      detector_version: count.nullable().describe('version of the detector'),
      detector_hash: text.nullable().describe(HASH_WORDS),
      first_seen_at: unixSeconds.describe('block time of the causing event, unix seconds'),
      mint_age_at_flag_s: signedSeconds.nullable().describe('seconds since the launch then'),
      position: at,
      finality: text.nullable().describe('see finality; null for a finding that was retracted'),
      evidence: flags.evidence.describe(`what was measured; see ${label}`),
      events: z.array(text).nullable().describe('ids (position@hash8) of the events that prove it, the causing one last'),
      proof: z.array(provenEvent).nullable().describe('these events as the tape has them'),
      fires_when: text.nullable().describe('what has to happen, as the detector of this version has it'),
      thresholds: z
        .record(z.string(), z.union([z.number(), z.string()]))
        .nullable()
        .describe('settings of the detector by name, whole numbers; decimal digits where a JSON number is not exact'),
      recomputed: z
        .enum(['same', 'differs'])
        .nullable()
        .describe('computed once more from the tape just now: same or differs; null where that was not done'),
      differences: z.array(difference).optional().describe('what differs'),
      bundle: z
        .record(z.string(), z.unknown())
        .nullable()
        .optional()
        .describe(
          'with bundle=1: the finding with the signed transactions or receipts of its events, which verify_finding.py checks offline',
        ),
      ...delayed,
    }),
    fields({
      ...findingId,
      status: z.literal('withheld').describe(FINDING_STATUS),
      mint: token,
      ...detectorId,
      position: at,
      free_at: unixSeconds.describe('withheld: when it may be asked again, unix seconds, by the number of its slot'),
      ...delayed,
    }),
  ])
