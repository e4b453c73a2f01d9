// Coins and SOL that move without an event of the launchpad: derived from balances and system transfers, without trades.
import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { balanceEvents } from '../../../../processors/chains/solana/events/tape-moves.ts'
import { deflateBody, encodeBody } from '../../../../processors/chains/solana/frame.ts'
import { MAYHEM_AGENT } from '../../../../processors/chains/solana/programs.ts'
import { isWallet } from '../../../../processors/chains/solana/wallet-key.ts'
import { type Key, keyOf, type Signature } from '../../../../schemas/keys.ts'
import { TILDE } from '../../../../schemas/position.ts'
import type { Balance, FrameTransaction, OtherBalance, RawFrame, SolTransfer, TapeEvent, Trade } from '../../../../schemas/types.ts'
import { framesOf, open } from './fixtures.ts'

const keys = Array.from({ length: 60 }, (_, n) => keyOf(new Uint8Array(32).fill(n + 1)))
const [A, B, C] = keys.filter(isWallet) as [Key, Key, Key]
const [CURVE, PROXY, POOL] = keys.filter((key) => !isWallet(key)) as [Key, Key, Key]
const MINT = keyOf(new Uint8Array(32).fill(99))
const SIGNATURE = 's'.repeat(64) as Signature
const [template] = framesOf(open('tx/buy-3mpAjSPh.json.gz')) as [RawFrame]

const change = (owner: Key, before: bigint, after: bigint) => ({
  ...{ account: 0, mint: MINT, owner, tokenProgram: null, decimals: 6 },
  ...{ before: String(before), after: String(after) },
})

/** A transaction in which these owners' accounts gained and lost coins of the mint. */
const moving = (changes: readonly (readonly [owner: Key | null, units: number])[]): FrameTransaction => ({
  index: 7,
  indexKnown: true,
  signature: SIGNATURE,
  version: 0,
  signers: 1,
  failed: false,
  failedInstruction: null,
  failedCode: null,
  feeLamports: 5_000,
  keys: [A],
  instructions: [],
  inner: [],
  logs: null,
  lamports: [],
  tokens: changes.map(([owner, units], account) => ({
    account,
    mint: MINT,
    owner,
    tokenProgram: null,
    decimals: 6,
    before: '1000',
    after: String(1_000 + units),
  })),
})
const trade = (user: Key, isBuy: boolean, tokenUnits: number): TapeEvent =>
  ({ type: 'trade', tx: 7, outer: 0, inner: 1, signature: SIGNATURE, mint: MINT, user, isBuy, tokenUnits, quoteMint: null }) as Trade

const movesOf = (changes: Parameters<typeof moving>[0], ...events: TapeEvent[]) =>
  balanceEvents(moving(changes), events).map(({ owner, units, traded, isWallet: is, fromWallets, sender }) => ({
    owner,
    units,
    traded,
    isWallet: is,
    fromWallets,
    sender,
  }))
const lost = (owner: Key, units: number, traded = false) => ({ owner, units, traded, isWallet: false, fromWallets: false, sender: null })

const minted = (units: number) => lost(MAYHEM_AGENT, units)

describe('coins derived from balances', () => {
  test('a trade explains its changes: no event remains', () => {
    expect(
      movesOf(
        [
          [A, 50],
          [CURVE, -50],
        ],
        trade(A, true, 50),
      ),
    ).toEqual([])
    expect(
      movesOf(
        [
          [A, -50],
          [CURVE, 50],
        ],
        trade(A, false, 50),
      ),
    ).toEqual([])
    expect(
      movesOf(
        [
          [CURVE, -30],
          [A, 50],
          [B, -20],
        ],
        trade(A, true, 50),
        trade(B, false, 20),
      ),
    ).toEqual([])
  })

  test('a transfer between wallets is one loss and one gain, by owner', () => {
    const gain = { owner: B, units: 20, traded: false, isWallet: true, fromWallets: true, sender: A }
    expect(
      movesOf([
        [A, -20],
        [B, 20],
      ]),
    ).toEqual([lost(A, -20), gain].sort((a, b) => (a.owner < b.owner ? -1 : 1)))
  })

  test('a transfer between accounts of one owner is no event', () => {
    expect(
      movesOf([
        [A, -20],
        [A, 20],
      ]),
    ).toEqual([])
  })

  test('coins that a router buys and forwards are sent by the router, not by a wallet', () => {
    const events = movesOf(
      [
        [CURVE, -50],
        [A, 50],
      ],
      trade(PROXY, true, 50),
    )
    expect(events).toContainEqual(lost(PROXY, -50, true))
    expect(events).toContainEqual({ owner: A, units: 50, traded: false, isWallet: true, fromWallets: false, sender: PROXY })
    expect(events).toHaveLength(2)
  })

  test('a wallet that loses as much as the curve is distinguished from the curve', () => {
    const events = movesOf(
      [
        [CURVE, -50],
        [A, 50],
        [B, -50],
        [C, 50],
      ],
      trade(A, true, 50),
    )
    expect(events).toEqual(
      [lost(B, -50), { owner: C, units: 50, traded: false, isWallet: true, fromWallets: true, sender: B }].sort((a, b) =>
        a.owner < b.owner ? -1 : 1,
      ),
    )
  })

  test('a burn is a loss without a gain; pools named by events are excluded', () => {
    expect(movesOf([[A, -9]])).toEqual([lost(A, -9)])
    const boost = { type: 'poolBoost', mint: MINT, pool: POOL } as TapeEvent
    expect(movesOf([[POOL, -9]], boost)).toEqual([])
  })
  test('the agent has events only for coins minted to it or burnt, never for those it sends or of a launch', () => {
    expect(movesOf([[MAYHEM_AGENT, 9]])).toEqual([minted(9)])
    expect(movesOf([[MAYHEM_AGENT, -9]])).toEqual([minted(-9)])
    expect(
      movesOf(
        [
          [MAYHEM_AGENT, -9],
          [POOL, 9],
        ],
        { type: 'poolBoost', mint: MINT, pool: POOL } as TapeEvent,
      ),
    ).toEqual([])
    const launch = { type: 'launch', mint: MINT, bondingCurve: POOL, supplyUnits: 1_000 } as TapeEvent
    expect(movesOf([[POOL, 1_000]], launch)).toEqual([])
    expect(
      movesOf(
        [
          [POOL, 900],
          [MAYHEM_AGENT, 1_000],
          [A, 100],
        ],
        launch,
        { type: 'trade', mint: MINT, isBuy: true, user: A, tokenUnits: 100 } as TapeEvent,
      ),
    ).toEqual([minted(1_000)])
  })

  test('a coin with an account whose owner is missing, as in old data, gives no event; nor does a failed transaction', () => {
    expect(
      movesOf([
        [null, 50],
        [A, -50],
      ]),
    ).toEqual([])
    expect(balanceEvents({ ...moving([[A, -50]]), failed: true }, [])).toEqual([])
  })
})

describe('moves in their frame', () => {
  const transfer = (change: Partial<SolTransfer> = {}): SolTransfer => ({
    ...{ index: 3, outer: 1, inner: 0, signature: SIGNATURE, source: A, target: B, amountLamports: '100000000' },
    ...change,
  })
  const balance = (owner: Key, before: string, after: string): OtherBalance => ({
    ...{ index: 3, signature: SIGNATURE, account: owner, mint: MINT, owner, tokenProgram: null, decimals: 6, before, after },
  })
  const decoded = (transfers: SolTransfer[], balances: OtherBalance[], transactions: FrameTransaction[] = []) => {
    const body = { transactions, transfers, failedOthers: 0, transactionsTotal: 9, balances }
    return decodeFrame({ ...template, body: deflateBody(encodeBody(body)) }).events
  }

  test('are in position order among the other events, balances last in their transaction', () => {
    const events = decoded([transfer(), transfer({ index: 9 })], [balance(A, '5', '0'), balance(B, '0', '5')], [moving([[C, -1]])])
    expect(events.map(({ type, tx, outer, inner }) => [type, tx, outer, inner])).toEqual([
      ['transfer', 3, 1, 0],
      ['balance', 3, TILDE, 0],
      ['balance', 3, TILDE, 1],
      ['balance', 7, TILDE, 0],
      ['transfer', 9, 1, 0],
    ])
    expect(events.find((event): event is Balance => event.type === 'balance' && event.units > 0)).toMatchObject({ owner: B, sender: A })
  })

  test('exclude SOL to a program address, to oneself, or of an invalid amount', () => {
    expect(decoded([transfer({ target: CURVE }), transfer({ target: A }), transfer({ amountLamports: 'many' })], [])).toEqual([])
  })

  test('are exact above 9 million SOL and above 2^53 coin units', () => {
    const events = decoded(
      [transfer({ amountLamports: '9007199254740993' })],
      [balance(A, '18446744073709551615', '7'), balance(B, '2', String(2n ** 64n - 1n))],
    )
    expect(events).toMatchObject([
      { type: 'transfer', amountLamports: 9_007_199_254_740_993n },
      { type: 'balance', owner: A, units: 8n - 2n ** 64n },
      { type: 'balance', owner: B, units: 2n ** 64n - 3n },
    ])
  })

  test('are exact for large trades of a user with transfers in the same transaction', () => {
    const large = 2n ** 63n
    const launchpad = { ...moving([]), tokens: [change(A, 0n, large - 5n), change(C, large, 0n), change(B, 0n, 5n)] }
    expect(balanceEvents(launchpad, [{ ...trade(A, true, 1), tokenUnits: large } as Trade])).toMatchObject([
      { owner: A, units: -5 },
      { owner: B, units: 5 },
    ])
  })
})
