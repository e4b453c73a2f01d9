// `/v1/wallet/{address}`: a wallet's trading results, launches, holdings and funding. 200 for any address.

import { funderPrior, newestPayment } from '../../../processors/creator/funded-recently.ts'
import { observedSinceOf } from '../../../processors/creator/horizon.ts'
import { creatorEvidence } from '../../../processors/creator/record.ts'
import { figuresOf } from '../../../processors/creator/rows.ts'
import { solOf } from '../../../processors/mint/card/amounts.ts'
import { explain } from '../../../processors/mint/card/explain.ts'
import { HOLDINGS_MINTS_MAX, liveHolding, RESULTS_S } from '../../../processors/wallet/live-holding.ts'
import { FUNDING_S } from '../../../processors/wallet/wallet.ts'
import { type Key, keyText, toBytes } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { WalletPayment, WalletRecord } from '../../../topology/ports/history.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import type { Missing } from '../../answer-schemas/envelope.ts'
import type { Wallet } from '../../answer-schemas/wallet.ts'
import { type Answer, historyUnavailable } from '../../questions/bodies.ts'
import { address } from '../../questions/params.ts'
import { behindText, secondsBehind } from '../market/figures-behind.ts'
import { missingOf } from '../market/missing.ts'
import { newest, type RequestContext } from '../question.ts'
import type { Instant, Service } from '../service.ts'
import { NO_HISTORY } from './base-rates.ts'

export const walletParams = { address: address('Wallet address: base58, 32 bytes.') }

/** Mints scanned before yielding to the event loop: a millisecond or less. */
const SLICE_MINTS = 500

const away = (reason: string): Answer => historyUnavailable(`${reason}; results of wallets come from the history`)

/** Refuses while the history, the only source of results, is not available. */
export const walletPrecheck = (_input: unknown, { service }: RequestContext): Answer | null => {
  const { history } = service.options
  const reason = history === undefined ? NO_HISTORY : history.unavailable()?.reason
  return reason === undefined ? null : away(reason)
}

export const answerWallet = async ({ address: wallet }: { readonly address: Key }, ask: RequestContext): Promise<Answer> => {
  const { service, facts } = ask
  const known = (await service.options.history?.wallet(wallet)) ?? { ok: false as const, reason: NO_HISTORY }
  if (!known.ok) return away(known.reason)
  const holdings = await holdingsOf(wallet, service)
  // The state may have changed during the awaits, so this takes a new snapshot of it.
  const instant = newest(ask)
  const missing = resultsMissing(known.value, instant)
  const data: Wallet = {
    wallet: keyText(wallet),
    leaderboard: leaderboardPart(known.value, instant),
    ...asCreator(wallet, service, instant),
    live_holdings_recent_mints: holdings,
    ...fundingPart(wallet, known.value.payment, service, instant),
    ...(missing ?? {}),
  }
  const coverage = missing === null ? 'full' : 'thin'
  const next = JSON.stringify({ creator: `/v1/creator/${data.wallet}`, mint: '/v1/mint/{mint}' })
  return { status: 200, body: service.envelope(facts, instant, { coverage, data: JSON.stringify(data), next }) }
}

const RESULTS = 'results of wallets'

/** Why trades of the results' window are missing: not captured, no longer kept, or not counted yet. Null if none is missing. */
export const resultsMissing = (
  known: { readonly asOf: number | null; readonly since: number | null },
  instant: Instant,
): Missing | null => {
  const from = instant.moment.asOf - RESULTS_S
  const missing = missingOf(instant, from, 'trades')
  if (missing !== null) return missing
  const behindS = secondsBehind(known.asOf, instant)
  if (behindS !== null) return { coverage_reason: behindText(RESULTS, behindS) }
  if (known.since === null || known.since <= from) return null
  return { coverage_reason: 'trades of the beginning of the window are no longer kept', observed_since: known.since }
}

const NO_TRADE = 'no trade of the wallet is counted in the window'
const NOTHING_COUNTED = 'no trade of any wallet is counted yet'

const leaderboardPart = ({ result, asOf, ranked, rankedMax }: WalletRecord, instant: Instant) => {
  const behindS = secondsBehind(asOf, instant)
  const late = behindS === null ? null : behindText(RESULTS, behindS)
  const unranked =
    ranked < rankedMax
      ? 'not ranked yet: ranks are computed every two minutes'
      : `not among the ${rankedMax} wallets with the best results; only these are ranked`
  return explain(
    {
      class: late === null ? (result?.class ?? null) : null,
      rank: late === null ? (result?.rank ?? null) : null,
      stats: {
        n_positions: result?.positions ?? 0,
        realized_sol: solOf(result?.realizedLamports ?? 0),
        n_closed: result?.closed ?? 0,
        n_won: result?.won ?? 0,
        n_sniped: result?.sniped ?? 0,
        n_with_role: result?.withRole ?? 0,
        n_trades: result?.trades ?? 0,
      },
      as_of: asOf,
      window_s: RESULTS_S,
    },
    { class: late ?? NO_TRADE, rank: late ?? (result === null ? NO_TRADE : unranked), as_of: NOTHING_COUNTED },
  )
}

const asCreator = (wallet: Key, { options: { records, chain } }: Service, { moment: { asOf }, status: { observedSince } }: Instant) => {
  const state = records.creator(wallet)?.state
  const { stats } = creatorEvidence(wallet, state, { asOf, since: observedSince, live: [], chain })
  const since = observedSince === null ? asOf : observedSinceOf(observedSince, asOf)
  return explain(
    { as_creator: stats.n_launches === 0 ? null : stats },
    { as_creator: `no launch of the wallet was observed since ${since} (unix seconds)` },
  )
}

/** Copied synchronously, because the list changes when the event loop runs. */
const newestLaunches = (view: Service['options']['view']): readonly MintSnapshot[] => {
  const newest: MintSnapshot[] = []
  for (const snapshot of view.launchesSince(Number.NEGATIVE_INFINITY)) if (newest.push(snapshot) === HOLDINGS_MINTS_MAX) break
  return newest
}

/** Newest launches first. Decodes only mints whose bytes contain the wallet. */
const holdingsOf = async (wallet: Key, { options: { view } }: Service) => {
  const bytes = toBytes(wallet)
  const held: NonNullable<ReturnType<typeof liveHolding>>[] = []
  for (const [index, snapshot] of newestLaunches(view).entries()) {
    const item = snapshot.mentions(bytes) ? liveHolding(snapshot.mint, snapshot.state, wallet) : undefined
    if (item !== undefined) held.push(item)
    if (index % SLICE_MINTS === SLICE_MINTS - 1) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return held
}

/** The newest payment of the last half hour from the stream, else from the history. */
const fundingPart = (wallet: Key, older: WalletPayment | null, { options: { records, chain } }: Service, instant: Instant) => {
  const { asOf } = instant.moment
  const recent = newestPayment(records.wallet(wallet)?.state, asOf)
  const payment = recent === undefined ? older : { ...recent, place: recent }
  if (payment === null) return { funding_source: null, funding_source_reason: noPayment(instant) }
  const { days = [], sells = [] } = records.creator(payment.funder)?.state ?? {}
  return {
    funding_source: {
      funder: keyText(payment.funder),
      amount_sol: solOf(payment.amountLamports),
      funded_at: payment.at,
      position: formatPosition({ chain: chain.name, ...payment.place }),
      seconds_ago: Math.max(0, asOf - payment.at),
      funder_prior: funderPrior(figuresOf(days, sells, asOf), 'no launch of the funder has resolved'),
    },
  }
}

const noPayment = (instant: Instant): string => {
  const unseen = missingOf(instant, instant.moment.asOf - FUNDING_S, 'payments')?.coverage_reason
  return `no payment of 0.1 SOL or more to the wallet is known${unseen === undefined ? '' : `; ${unseen}`}`
}
