// The wallet fold: who paid a wallet in the half hour before a position.
import { walletProcessor } from '../../../../processors/wallet/wallet.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { Fact, Transfer } from '../../../../schemas/types.ts'
import { NaiveEngine } from '../../../naive-context.ts'
import { frame, key, MINT, T0 } from '../mint/market.ts'

const WALLET = key(40)
const paid = (funder: Key, tx: number): Transfer => ({
  ...{ type: 'transfer', tx, outer: 0, inner: 0, signature: 's'.repeat(64) as Transfer['signature'], timestamp: null },
  ...{ funder, wallet: WALLET, amountLamports: 200_000_000 },
})

/** One wallet; frames are as many seconds after T0 as slots after 1,000. */
class Wallet {
  readonly engine = new NaiveEngine(walletProcessor)

  pay(after: number, ...funders: Key[]): this {
    const { header } = frame(after)
    this.engine.frame(
      header,
      funders.map((funder, tx) => paid(funder, tx)),
    )
    return this
  }
  /** The messages that a request from frame `after` causes, which arrives 8 frames later. */
  ask(after: number, launched = false): Fact[] {
    const before = this.engine.sent.length
    const at = { number: 1_000 + after, tx: 0, outer: 5, inner: 1 }
    const body = { type: 'fundingAsked' as const, at: T0 + after, launched }
    this.engine.fact(frame(after + 8).header, { ...at, from: 'mint', fromKey: MINT, to: 'wallet', toKey: WALLET, n: 0, body })
    return this.engine.sent.slice(before)
  }
}
const fundersIn = ([first]: Fact[]): Key[] | undefined =>
  first?.body.type === 'funded' ? first.body.payments.map(({ funder }) => funder) : undefined
const [A, B, C, D, E] = [50, 51, 52, 53, 54].map(key) as [Key, Key, Key, Key, Key]

test('payments before the request count, newest first, each funder once', () => {
  const wallet = new Wallet().pay(1, A).pay(2, B).pay(3, A).pay(5, C)
  expect(fundersIn(wallet.ask(4))).toEqual([A, B])
  expect(wallet.ask(4)[0]).toMatchObject({
    to: 'mint',
    toKey: MINT,
    body: { observedSince: T0 + 1, payments: [{ at: T0 + 3 }, { at: T0 + 2 }] },
  })
})

test('beyond the limit only the newest funders are sent', () => {
  expect(fundersIn(new Wallet().pay(1, A, B, C, D, E).ask(2))).toEqual([E, D, C, B])
})

test('a payment more than half an hour old does not count, and is deleted later', () => {
  const wallet = new Wallet().pay(0, A)
  expect(fundersIn(wallet.ask(1_800))).toEqual([A])
  expect(wallet.ask(1_801)).toEqual([])
  wallet.pay(1_921)
  expect(wallet.engine.keys()).toEqual([])
})

test('the newest 16 payments are kept if there are payments all day', () => {
  const wallet = new Wallet()
  for (let after = 0; after < 4_000; after += 40) wallet.pay(after, key(after % 200))
  expect(wallet.engine.rows(WALLET, 'payments')).toHaveLength(16)
})

test('a buyer without payments is not answered; a creator is, and its newest funder is requested', () => {
  expect(new Wallet().ask(3)).toEqual([])
  expect(fundersIn(new Wallet().ask(3, true))).toEqual([])
  const [, asked] = new Wallet().pay(1, A).pay(2, B).ask(3, true)
  expect(asked).toMatchObject({ to: 'creator', toKey: B, body: { type: 'funderAsked', mint: MINT } })
})
