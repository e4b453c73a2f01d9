// A mint's card: evidence as a pure function of rows and a moment. Confidence, base rates, links and finality are added when it is sent.
import { assert } from '../../../schemas/errors.ts'
import { type Key, keyOfText, keyText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { CurveRow, LaunchRow, MintState, StubRow } from '../../../schemas/types.ts'
import type { ChainFacts } from '../../chains/chain.ts'
import { cleanText } from '../../text.ts'
import type { DetectorSet } from '../detectors/set.ts'
import { warmLaunchPart } from '../fold/funding.ts'
import { devSetOf, holdingsOf } from '../fold/holdings.ts'
import { priorAtLaunchPart, priorPart } from '../fold/prior.ts'
import { NAME_CHARS_MAX, QUIET_S, SYMBOL_CHARS_MAX } from '../thresholds.ts'
import {
  creatorChangesPart,
  curvePart,
  curveSolOf,
  demandPart,
  exitSignalsPart,
  flagsPart,
  poolPart,
  rugFlagsPart,
  UNSEEN,
} from './card-parts.ts'
import { explain } from './explain.ts'
import { type OutcomeRecord, recordOf } from './history.ts'
import { holdersPart } from './holders-part.ts'
import { ageOf, riskLabelOf, statusOf } from './labels.ts'
import { type Coverage, coverageOf, type Moment } from './moment.ts'
import { whyFull, whyThin } from './why.ts'

export type { Moment } from './moment.ts'

const namePart = (launch: LaunchRow) => ({
  name: cleanText(launch.name, NAME_CHARS_MAX),
  symbol: cleanText(launch.symbol, SYMBOL_CHARS_MAX),
})

const creatorPart = (launch: LaunchRow) => ({ creator: keyText(launch.creator), creator_is_wallet: launch.creatorIsWallet })

const LAUNCH_NOT_HELD = 'its launch is not stored'

/** What a stub or its record tells of a launch whose row is gone. Unknown fields are absent, except the creator's, which are null. */
const knownIdentity = (stub: StubRow | null, record: OutcomeRecord | null, moment: Moment, chain: ChainFacts) => {
  const creator = stub?.creator ?? (record === null ? null : keyOfText(record.creator))
  return {
    ...(stub?.name == null ? {} : { name: cleanText(stub.name, NAME_CHARS_MAX) }),
    ...(stub?.symbol == null ? {} : { symbol: cleanText(stub.symbol, SYMBOL_CHARS_MAX) }),
    ...creatorOf(creator, chain),
    ...(stub?.launchAt == null ? {} : { created_at: stub.launchAt, age_s: ageOf({ at: stub.launchAt }, moment) }),
  }
}

/** The creator of a launch whose row is gone; null where it is not known. */
export const creatorOf = (creator: Key | null, { isWallet }: ChainFacts) =>
  explain(
    { creator: creator && keyText(creator), creator_is_wallet: creator && isWallet(creator) },
    { creator: LAUNCH_NOT_HELD, creator_is_wallet: LAUNCH_NOT_HELD },
  )

const beforeLaunchPart = (state: MintState, chain: ChainFacts) => ({
  ...priorAtLaunchPart(state),
  ...warmLaunchPart(state, chain),
})

const outcomeOf = (mint: Key, launch: LaunchRow, curve: CurveRow, { outcome }: MintState) =>
  explain(
    { outcome: outcome === null ? null : recordOf(mint, launch, curve, outcome) },
    { outcome: `not settled: neither migrated nor ${QUIET_S} s without a trade` },
  )

/** Inputs of the evidence other than rows and moment. */
export interface CardContext {
  readonly chain: ChainFacts
  readonly detectors: DetectorSet
}

interface Full extends CardContext {
  readonly launch: LaunchRow
  readonly curve: CurveRow
  readonly coverage: Coverage
}

const fullEvidence = (mint: Key, state: MintState, moment: Moment, { launch, curve, coverage, detectors, chain }: Full) => {
  const holdings = holdingsOf(state)
  const label = riskLabelOf(state, moment, coverage, holdings)
  return {
    mint: keyText(mint),
    ...namePart(launch),
    ...creatorPart(launch),
    dev_wallets: devSetOf(launch).map(keyText),
    created_at: launch.at,
    age_s: ageOf(launch, moment),
    coverage: 'full' as const,
    status: statusOf(state, moment, coverage),
    risk_label: label,
    why: whyFull(launch, curve, state, holdings, label, moment),
    curve: curvePart(launch, curve, chain),
    ...poolPart(curve, state.pools, chain),
    demand: demandPart(launch, curve, state, moment, chain),
    holders: holdersPart(launch, curve, state, holdings, moment),
    exit_signals: exitSignalsPart(launch, curve, moment),
    ...beforeLaunchPart(state, chain),
    rug_flags: rugFlagsPart(state.flags, chain),
    flags: flagsPart(state, curve, detectors),
    creator_changes: creatorChangesPart(state.changes, chain),
    ...outcomeOf(mint, launch, curve, state),
    as_of: { position: positionOf(curve, chain), at: curve.lastAt },
  }
}

const positionOf = (curve: CurveRow, { name: chain }: ChainFacts): string =>
  formatPosition({ chain, number: curve.lastNumber, tx: curve.lastTx, outer: curve.lastOuter, inner: curve.lastInner })

/** The last known state of a mint that is not covered: it may have changed since. */
const lastSeenPart = (curve: CurveRow, chain: ChainFacts) =>
  explain(
    {
      position: positionOf(curve, chain),
      at: curve.lastAt,
      rs_sol: curveSolOf(curve),
      complete: curve.completeAt !== 0 || curve.migratedAt !== 0,
      migrated: curve.migratedAt !== 0,
      is_mayhem: curve.mayhem,
    },
    { rs_sol: curve.quoteMint === null ? 'no event stated the reserves of the curve' : 'the curve is not paired with SOL' },
  )

const historyOf = (mint: Key, { launch, curve, outcome, stub }: MintState): OutcomeRecord | null => {
  if (stub !== null) return stub.outcome === null ? null : (JSON.parse(stub.outcome) as OutcomeRecord)
  return launch === null || curve === null || outcome === null ? null : recordOf(mint, launch, curve, outcome)
}

const thinEvidence = (mint: Key, state: MintState, moment: Moment, coverage: Coverage, chain: ChainFacts) => {
  const { launch, curve, stub } = state
  const record = historyOf(mint, state)
  const flagsFired = stub === null || stub.flags === '' ? {} : { flags_fired: stub.flags.split(',') }
  return {
    mint: keyText(mint),
    ...(launch === null
      ? knownIdentity(stub, record, moment, chain)
      : { ...namePart(launch), ...creatorPart(launch), created_at: launch.at, age_s: ageOf(launch, moment) }),
    coverage: 'thin' as const,
    coverage_reason: coverage.reason,
    ...(coverage.gap === null ? {} : { coverage_range: { from_slot: coverage.gap.from, to_slot: coverage.gap.to } }),
    status: statusOf(state, moment, coverage),
    risk_label: riskLabelOf(state, moment, coverage),
    why: whyThin(state, coverage),
    ...explain({ history: record }, { history: 'no resolved launch record of this mint is held' }),
    onchain: null,
    onchain_reason: UNSEEN.onchain,
    ...priorPart(state),
    ...(curve === null ? {} : { last_seen: lastSeenPart(curve, chain) }),
    ...(state.flags.length === 0 ? {} : { rug_flags: rugFlagsPart(state.flags, chain) }),
    ...flagsFired,
  }
}

export type FullEvidence = ReturnType<typeof fullEvidence>
export type ThinEvidence = ReturnType<typeof thinEvidence>
/** `data` of the mint card without its context. */
export type MintEvidence = FullEvidence | ThinEvidence

/** The card's evidence. The same rows, moment and detectors give the same JSON, in any order of the rows. */
export const mintEvidence = (mint: Key, state: MintState, moment: Moment, context: CardContext): MintEvidence => {
  const coverage = coverageOf(state, moment)
  const { launch, curve } = state
  if (coverage.coverage === 'full' && launch !== null && curve !== null)
    return fullEvidence(mint, state, moment, { launch, curve, coverage, ...context })
  return thinEvidence(mint, state, moment, coverage, context.chain)
}

const NOT_COVERED = 'null: coverage is thin'

/**
 * An item of the launch list: blocks of the card, with the same names; for thin mints only their last known state. Requires a launch row.
 */
export const launchItem = (mint: Key, state: MintState, moment: Moment, chain: ChainFacts) => {
  const { launch, curve } = state
  assert(launch !== null && curve !== null, 'a launch item needs a launch')
  const coverage = coverageOf(state, moment)
  const head = {
    mint: keyText(mint),
    ...namePart(launch),
    ...creatorPart(launch),
    created_at: launch.at,
    age_s: ageOf(launch, moment),
    coverage: coverage.coverage,
    ...(coverage.reason === null ? {} : { coverage_reason: coverage.reason }),
    status: statusOf(state, moment, coverage),
  }
  const tail = { ...beforeLaunchPart(state, chain), rug_flags: rugFlagsPart(state.flags, chain) }
  if (coverage.coverage === 'thin') {
    const blocks = {
      curve: lastSeenPart(curve, chain),
      demand: null,
      demand_reason: NOT_COVERED,
      holders: null,
      holders_reason: NOT_COVERED,
    }
    return { ...head, risk_label: 'unknown' as const, ...blocks, ...tail }
  }
  const holdings = holdingsOf(state)
  return {
    ...head,
    risk_label: riskLabelOf(state, moment, coverage, holdings),
    curve: curvePart(launch, curve, chain),
    demand: demandPart(launch, curve, state, moment, chain),
    holders: holdersPart(launch, curve, state, holdings, moment),
    ...tail,
  }
}
