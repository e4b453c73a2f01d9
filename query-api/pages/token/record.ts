// The data of a launch's record page: its state of five minutes ago, or its settled launch from the history.
import type { ChainFacts } from '../../../processors/chains/chain.ts'
import { solOf, tokensOf } from '../../../processors/mint/card/amounts.ts'
import { type OutcomeRecord, recordFrom, recordOf } from '../../../processors/mint/card/history.ts'
import { launcherOf } from '../../../processors/mint/fold/prior.ts'
import { cleanText } from '../../../processors/text.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { SettledLaunch, Unanswered } from '../../../topology/ports/history.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { DELAY_S, restsSince } from '../../answers/delay.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { type ShownFlag, shownFlags } from '../flags.ts'
import type { Money } from '../record/series.ts'

const NAME_CHARS_MAX = 64
const TOKENS_OF_A_PRICE = 1_000_000

export const SOL: Money = {
  name: 'SOL',
  inWhole: solOf,
  priceOf: (quote, tokens) => (solOf(quote) / tokensOf(tokens)) * TOKENS_OF_A_PRICE,
}

/** A launch that is at least five minutes old, as of five minutes ago. */
export interface ShownLaunch {
  readonly mint: Key
  readonly name: string
  readonly symbol: string
  /** Unix seconds. */
  readonly launchAt: number
  /** The wallet whose record it counts in; null if not known. */
  readonly creator: Key | null
  readonly flags: readonly ShownFlag[]
  /** Null while it is not settled. */
  readonly outcome: OutcomeRecord | null
  /** The pool of its migration. */
  readonly pool: Key | null
  /** Time of the last trade that may be shown, unix seconds. */
  readonly until: number
  /** Set if the rows have not changed for five minutes; absent if they have, or if the launch is evicted. */
  readonly rested?: MintSnapshot
}

export const nameOf = ({ name }: Pick<ShownLaunch, 'name'>): string => (name === '' ? 'no name' : name)

/** `young`: known, but launched less than five minutes ago. Unanswered: the history, which may know it, does not answer. */
export const shownLaunch = async (
  service: Service,
  instant: Instant,
  mint: Key,
): Promise<ShownLaunch | 'young' | Unanswered | undefined> => {
  const { options } = service
  const then = instant.moment.asOf - DELAY_S
  const snapshot = options.view.get(mint)
  if (snapshot === undefined || snapshot.head.launch === null) {
    const settled = await options.history?.settled(mint, 'free')
    if (settled?.ok === false) return settled
    const launch = settled?.value
    return launch !== null && launch !== undefined && launch.settlement.settledAt <= then ? fromHistory(mint, launch) : undefined
  }
  return snapshot.head.launch.at > then ? 'young' : fromRows(snapshot, then, service)
}

const fromRows = (snapshot: MintSnapshot, then: number, { options }: Service): ShownLaunch => {
  const { mint, head } = snapshot
  const { launch, curve, flags, outcome, pools } = head
  const isResting = restsSince(head, then)
  const shown = { launch, flags: flags.filter(({ firstSeenAt }) => firstSeenAt <= then) }
  const migrated = curve !== null && curve.migratedAt !== 0 && curve.migratedAt <= then
  const pool = migrated ? curve.pool : null
  const lastAt = Math.max(curve?.lastAt ?? 0, pools.find((row) => row.pool === pool)?.lastAt ?? 0)
  return {
    mint,
    ...namesOf(launch ?? { name: '', symbol: '' }),
    launchAt: launch?.at ?? then,
    creator: launcherOf(head),
    flags: shownFlags(shown, options),
    outcome: outcome !== null && outcome.settledAt <= then && launch !== null && curve !== null ? outcomeOf(snapshot) : null,
    pool,
    until: isResting ? Math.min(then, lastAt) : then,
    ...(isResting && { rested: snapshot }),
  }
}

const outcomeOf = ({ mint, head: { launch, curve, outcome } }: MintSnapshot): OutcomeRecord | null =>
  launch === null || curve === null || outcome === null ? null : recordOf(mint, launch, curve, outcome)

const namesOf = ({ name, symbol }: { readonly name: string; readonly symbol: string }) => ({
  name: cleanText(name, NAME_CHARS_MAX),
  symbol: cleanText(symbol, NAME_CHARS_MAX),
})

/** Without flags: the history has only the names of an evicted launch's flags. */
const fromHistory = (mint: Key, { settlement, launch }: SettledLaunch): ShownLaunch => ({
  mint,
  ...namesOf(launch ?? { name: '', symbol: '' }),
  launchAt: settlement.t0,
  creator: launch?.user ?? settlement.creator,
  flags: [],
  outcome: recordFrom(settlement),
  pool: null,
  until: settlement.settledAt,
})

/** The creator if it is a wallet, else null. */
export const walletOf = ({ creator }: ShownLaunch, { isWallet }: ChainFacts): Key | null =>
  creator !== null && isWallet(creator) ? creator : null
