// Account reads of the demo follow from its market's events.

import type { AccountsRead, MintAccounts } from '../../../processors/accounts.ts'
import { solana } from '../../../processors/chains/solana/chain.ts'
import { MAYHEM_AGENT } from '../../../processors/chains/solana/programs.ts'
import { withAccounts } from '../../../processors/mint/card/onchain-part.ts'
import type { Key } from '../../../schemas/keys.ts'
import { demoAccounts } from '../../../topology/simulator/solana/accounts.ts'
import { CoinBook } from '../../../topology/simulator/solana/bytes/coins.ts'
import { tapeEventsOf } from '../../../topology/simulator/solana/bytes.ts'
import { DEMO_DEFAULTS } from '../../../topology/simulator/solana/defaults.ts'
import { Market } from '../../../topology/simulator/solana/market.ts'
import { mintEvidence } from '../../shipped.ts'
import { key } from '../query-api/given-mint.ts'
import { unexplainedNulls } from '../query-api/null-walk.ts'

const HOUR_MS = 3_600_000
const coins = new CoinBook()
let newestSlot = 0
const reader = demoAccounts(coins, () => newestSlot)
/** The newest event values of each coin. */
interface Seen {
  readonly mayhem: boolean
  readonly quoteMint: Key | null
  token: number
  quote: number
  real: number
  burnt: number
  complete: boolean
  migrated: boolean
}
const seen = new Map<Key, Seen>()
const NO_ROWS = {
  launch: null,
  curve: null,
  holders: [],
  flows: [],
  flags: [],
  proofs: [],
  changes: [],
  outcome: null,
  stub: null,
  prior: null,
  pools: [],
  steps: [],
  warm: null,
  waiting: [],
  folded: null,
  timers: [],
}

beforeAll(() => {
  for (const slot of new Market({ ...DEMO_DEFAULTS, rate: 4 })) {
    if (slot.timeMs > DEMO_DEFAULTS.startMs + HOUR_MS) break
    coins.follow(slot)
    newestSlot = slot.number
    for (const event of tapeEventsOf(slot)) {
      if (event.type === 'transfer' || event.type === 'balance') continue
      const known = seen.get(event.mint)
      if (event.type === 'launch') {
        const { mayhem, quoteMint, virtualTokenUnits: token, virtualQuoteUnits: quote } = event
        const reserves = { token: token ?? 0, quote: quote ?? 0, real: 0 }
        seen.set(event.mint, { mayhem, quoteMint, ...reserves, burnt: 0, complete: false, migrated: false })
      } else if (known !== undefined && (event.type === 'trade' || event.type === 'mayhemReserves'))
        Object.assign(known, { token: event.virtualTokenUnits, quote: event.virtualQuoteUnits, real: event.realQuoteUnits })
      else if (known !== undefined && event.type === 'poolTrade' && event.isAgent) known.burnt += Number(event.tokenUnits)
      else if (known !== undefined && event.type === 'complete') known.complete = true
      else if (known !== undefined && event.type === 'migrate') Object.assign(known, { migrated: true, token: 0, quote: 0, real: 0 })
    }
  }
})

const accountsOf = async (mint: Key): Promise<MintAccounts> => {
  const read = await reader.read(mint)
  if (!read.ok) throw new Error(read.reason)
  return read.value
}
const cardOf = (mint: Key, accounts: AccountsRead) => {
  const card = mintEvidence(mint, NO_ROWS, { asOf: 0, gap: null })
  if (card.coverage !== 'thin') throw new Error('a card without rows must be thin')
  return withAccounts(card, accounts, solana)
}

test('after an hour of the market, every coin has the curve that follows from its events, at the tip', async () => {
  expect(seen.size).toBeGreaterThan(400)
  for (const [mint, { mayhem, quoteMint, token, quote, real, burnt, complete, migrated }] of seen) {
    const { slot, exists, mint: account, curve } = await accountsOf(mint)
    expect({ slot, exists }).toEqual({ slot: newestSlot, exists: true })
    const supplyUnits = (mayhem ? 2n : 1n) * 10n ** 15n - BigInt(burnt)
    expect(account).toMatchObject({ ok: true, value: { decimals: 6, supplyUnits } })
    const reserves = { virtualTokenUnits: token, virtualQuoteUnits: quote, realQuoteUnits: real }
    expect(curve).toMatchObject({ ok: true, value: { ...reserves, mayhem, quoteMint, complete: complete || migrated } })
  }
  const kinds = [...seen.values()]
  for (const kind of [
    kinds.some(({ mayhem }) => mayhem),
    kinds.some(({ migrated }) => migrated),
    kinds.some(({ quoteMint }) => quoteMint !== null),
  ])
    expect(kind).toBe(true)
})
test('the card of any coin unknown to the folds has no null without a reason', async () => {
  for (const mint of [...seen.keys()].slice(0, 200)) {
    const card = cardOf(mint, await reader.read(mint))
    expect(card).toMatchObject({ status: 'onchain_only', onchain: { exists: true, launchpad: { is_launchpad: true } } })
    expect(unexplainedNulls(card)).toEqual([])
  }
})
test('an address that is no coin of the market has no account; the mayhem agent has one', async () => {
  expect(cardOf(key(1), await reader.read(key(1)))).toMatchObject({ status: 'not_launchpad', onchain: { exists: false } })
  expect(await accountsOf(MAYHEM_AGENT)).toMatchObject({ exists: true, mint: { ok: true, value: null } })
})
