// The decoder of the alt chain finds the route of each trade and the wallet behind it.
import type { AltLog, AltTrade } from '../../../../schemas/types.ts'
import {
  AXIOM,
  address,
  CURVE,
  Decoding,
  frame,
  GMGN,
  keyAt,
  LAUNCH_ROUTER,
  launchFrame,
  log,
  TOKEN,
  transaction,
  WALLET,
  word,
  ZERO_ADDRESS,
} from './fixtures.ts'

const [USER, OTHER, CONTRACT] = [address(0x51), address(0x52), address(0x60)] as const
const [user, other, wallet] = [keyAt(0x51), keyAt(0x52), keyAt(0x40)] as const

const buy = (index: number, buyer: string, recipient = buyer, tokens = 1_000n): AltLog =>
  log(index, CURVE, 'CurveBuy', buyer, recipient, 100n, tokens, 1n, 1n)
const sell = (index: number, seller: string, recipient = seller): AltLog =>
  log(index, CURVE, 'CurveSell', seller, recipient, 1_000n, 90n, 1n, 1n)
const move = (index: number, from: string, to: string, units = 1_000n): AltLog => log(index, TOKEN, 'Transfer', from, to, units)
const fill = (index: number, topic: string, router: string, ...topics: readonly string[]): AltLog => ({
  ...log(index, router, 'Initialized', ZERO_ADDRESS),
  topics: [Buffer.from(topic, 'hex').toString('latin1'), ...topics.map(word)],
})
const GMGN_FILL = '8619026a40d38bedb4002fe511cea4bc4a9b336710efe8f21a61869a7ee0f02a'
const AXIOM_FILL = '982b660b9985e587951b1aedb098a83fb5db903099865476bba451abb83416c8'

/** Trades of one transaction of WALLET. */
const tradesOf = (to: string | null, logs: readonly AltLog[], from: string | null = WALLET): AltTrade[] =>
  new Decoding().add(launchFrame(), frame(2, transaction(3, logs, to, from))).of('trade')

type Case = readonly [string, string | null, readonly AltLog[], Partial<AltTrade>]

test.each<Case>([
  ['the wallet calls the curve', CURVE, [buy(5, WALLET)], { route: 'direct', wallet, walletBy: 'direct' }],
  ['the wallet calls the curve to sell', CURVE, [sell(5, WALLET)], { route: 'direct', wallet, walletBy: 'direct' }],
  [
    'the launch router buys for its caller',
    LAUNCH_ROUTER,
    [move(4, CURVE, USER), buy(5, LAUNCH_ROUTER, USER)],
    { route: 'pons_launchbuy', wallet: user, walletBy: 'recipient' },
  ],
  [
    'a terminal forwards the tokens',
    GMGN,
    [move(4, CURVE, GMGN), buy(5, GMGN), move(6, GMGN, USER)],
    { route: 'gmgn', wallet: user, walletBy: 'transfer' },
  ],
  [
    'a terminal keeps a fee in tokens: the larger part goes to the wallet',
    GMGN,
    [buy(5, GMGN), move(6, GMGN, OTHER, 10n), move(7, GMGN, USER, 990n)],
    { route: 'gmgn', wallet: user, walletBy: 'transfer' },
  ],
  [
    'tokens pass through a second contract',
    GMGN,
    [buy(5, GMGN), move(6, GMGN, CONTRACT), move(7, CONTRACT, USER)],
    { route: 'gmgn', wallet: user, walletBy: 'transfer' },
  ],
  [
    'tokens move in a circle',
    GMGN,
    [buy(5, GMGN), move(6, GMGN, USER), move(7, USER, GMGN), move(8, GMGN, USER)],
    { route: 'gmgn', wallet: user, walletBy: 'transfer' },
  ],
  [
    'a terminal first takes the tokens of a sell from the wallet',
    AXIOM,
    [move(4, USER, AXIOM), sell(5, AXIOM), move(6, AXIOM, OTHER)],
    { route: 'axiom', wallet: user, walletBy: 'transfer' },
  ],
  [
    'without transfers, the terminal names the wallet',
    GMGN,
    [buy(5, GMGN), fill(6, GMGN_FILL, GMGN, USER, USER, ZERO_ADDRESS)],
    { route: 'gmgn', wallet: user, walletBy: 'fill' },
  ],
  [
    'the terminal names a wallet for another token',
    AXIOM,
    [buy(5, AXIOM), fill(6, AXIOM_FILL, AXIOM, USER, OTHER)],
    { route: 'axiom', wallet, walletBy: 'sender' },
  ],
  [
    "a foreign contract emits the terminal's event",
    GMGN,
    [buy(5, GMGN), fill(6, GMGN_FILL, CONTRACT, USER, USER)],
    { route: 'gmgn', wallet, walletBy: 'sender' },
  ],
  [
    'two wallets receive equal amounts: neither is chosen',
    GMGN,
    [buy(5, GMGN), move(6, GMGN, USER, 500n), move(7, GMGN, OTHER, 500n)],
    { route: 'gmgn', wallet, walletBy: 'sender' },
  ],
  ['an unknown contract buys', CONTRACT, [buy(5, CONTRACT)], { route: 'other', wallet, walletBy: 'sender' }],
  ['a contract buys behind a router', GMGN, [buy(5, CONTRACT)], { route: 'gmgn', wallet, walletBy: 'sender' }],
])('%s', (_what, to, logs, expected) => {
  expect(tradesOf(to, logs)).toMatchObject([expected])
})

test('without the transaction, a caller that is not a known router is the wallet, and a router has none', () => {
  expect(tradesOf(null, [buy(5, USER)], null)).toMatchObject([{ route: 'direct', wallet: user, walletBy: 'direct' }])
  expect(tradesOf(null, [buy(5, GMGN)], null)).toMatchObject([{ route: 'gmgn', wallet: null, walletBy: null }])
})

test('two buys of a router for two wallets are matched by amount', () => {
  const logs = [buy(5, GMGN, GMGN, 700n), buy(6, GMGN, GMGN, 300n), move(7, GMGN, OTHER, 300n), move(8, GMGN, USER, 700n)]
  expect(tradesOf(GMGN, logs).map((trade) => trade.wallet)).toEqual([user, other])
})
