// A creator's record: a pure function of its rows and a RecordContext. Funding is not in these rows.
import { type Key, keyText } from '../../schemas/keys.ts'
import { comparePositions, formatPosition } from '../../schemas/position.ts'
import type { CreatorLaunchRow, CreatorState } from '../../schemas/types.ts'
import type { ChainFacts } from '../chains/chain.ts'
import { shareOf, solOf } from '../mint/card/amounts.ts'
import { explain } from '../mint/card/explain.ts'
import { CENSORED } from '../mint/card/history.ts'
import { dayOf, firstDayOf, LIVE_SHOWN_MAX, observedSinceOf } from './horizon.ts'
import { type CreatorFigures, figuresOf } from './rows.ts'

/** Inputs of a record other than rows. `asOf`: its moment, of which only the UTC day counts; `since`: when folding began. Unix seconds. */
export interface RecordContext {
  readonly asOf: number
  /** Null before the first frame. */
  readonly since: number | null
  /** Launches that still trade on their curves, newest first: known from the rows of mints, not from those of the creator. */
  readonly live: readonly Key[]
  readonly chain: ChainFacts
}

/** Why rates and the median are null. */
interface StatsWords {
  readonly noneResolved: string
  readonly noSell: string
}
const WORDS: StatsWords = {
  noneResolved: 'no launch of the creator has resolved',
  noSell: 'in no resolved launch of the creator did the dev set sell',
}
const UNSETTLED = 'not settled'

/** A label as the API returns it: 0 or 1; null while it is unknown, never a provisional 0. */
const bit = (label: boolean | null): 0 | 1 | null => (label === null ? null : label ? 1 : 0)

const recentItem = (row: CreatorLaunchRow, { name: chain }: ChainFacts) => {
  const unlabelled = row.censored === null ? UNSETTLED : (CENSORED[row.censored] ?? row.censored)
  const isSettled = row.settledAt !== null
  return explain(
    {
      mint: keyText(row.mint),
      t0: row.at,
      position: formatPosition({ chain, ...row }),
      settled_at: row.settledAt,
      graduated: bit(row.graduated),
      rugged: bit(row.rugged),
      rug_dt_s: row.rugDtS,
      peak_rs: isSettled && row.quoteMint === null ? solOf(row.peakQuoteUnits) : null,
      self_graduated: isSettled ? row.selfGraduated : null,
    },
    {
      settled_at: UNSETTLED,
      graduated: unlabelled,
      rugged: unlabelled,
      rug_dt_s: row.rugged === false ? 'no rug was observed' : unlabelled,
      peak_rs: isSettled ? 'the curve is not paired with SOL' : UNSETTLED,
      self_graduated: UNSETTLED,
    },
  )
}

/** The figures of a creator for cards and records; `since` is null before the first frame. */
export const statsPart = (figures: Omit<CreatorFigures, 'devBuyLamports'>, since: number | null, words: StatsWords) => {
  const { launches, resolved, graduated, rugged, medianDevSellS } = figures
  return explain(
    {
      n_launches: launches,
      n_resolved: resolved,
      grad_rate: resolved === 0 ? null : shareOf(graduated, resolved),
      rug_rate: resolved === 0 ? null : shareOf(rugged, resolved),
      median_dev_sell_s: medianDevSellS,
      is_first_time: launches === 0,
      observed_since: since,
    },
    {
      grad_rate: words.noneResolved,
      rug_rate: words.noneResolved,
      median_dev_sell_s: resolved === 0 ? words.noneResolved : words.noSell,
      observed_since: 'no frame was folded yet',
    },
  )
}

const newestFirst = (a: CreatorLaunchRow, b: CreatorLaunchRow): number => comparePositions(b, a) || (a.mint < b.mint ? -1 : 1)

const NOTHING: CreatorState = { launches: [], days: [], sells: [], changes: [], figures: null, timers: [] }

/**
 * Stats over the horizon; the newest launches, newest first; and the live ones. `state` is undefined for a wallet that never launched, or whose
 * last launch left the horizon at least a day ago.
 */
export const creatorEvidence = (creator: Key, state: CreatorState | undefined, { asOf, since, live, chain }: RecordContext) => {
  const rows = state ?? NOTHING
  const first = firstDayOf(asOf)
  const figures = figuresOf(rows.days, rows.sells, asOf)
  const recent = rows.launches.filter(({ at }) => dayOf(at) >= first).sort(newestFirst)
  return {
    creator: keyText(creator),
    stats: {
      ...statsPart(figures, since === null ? null : observedSinceOf(since, asOf), WORDS),
      total_dev_buy_sol: solOf(figures.devBuyLamports),
    },
    recent_launches: recent.map((row) => recentItem(row, chain)),
    n_live_mints: live.length,
    live_mints: live.slice(0, LIVE_SHOWN_MAX).map(keyText),
  }
}
