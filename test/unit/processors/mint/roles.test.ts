// Roles of wallets at a launch: each is emitted once, where it becomes true, with the other wallets involved.
import { toBase58 } from '../../../../schemas/keys.ts'
import { TILDE, tickOf } from '../../../../schemas/position.ts'
import type { Balance, Fact, Payment } from '../../../../schemas/types.ts'
import { CREATOR, frame, key, Market, MILLION, MINT, SOL, T0, wallet } from './market.ts'
import { fold, type MintThen, rolesIn } from './mint-given.ts'

const FUNDER = key(50)
const [one, two] = [toBase58(wallet(1)), toBase58(wallet(2))]
const dev = `dev ${toBase58(CREATOR)}`
const payment = (funder: Payment['funder']): Payment => ({
  ...{ funder, amountLamports: SOL / 2, at: T0 - 60, number: 900, tx: 1, outer: 0, inner: 0 },
})
const answer = (then: MintThen, from: Fact['fromKey'], launched: boolean, ...payments: Payment[]): string[] => {
  const body = { type: 'funded' as const, launched, observedSince: T0 - 9_000, payments }
  const before = then.engine.outputs.length
  then.engine.fact(frame(10).header, { ...tickOf('solana', 1_010), from: 'wallet', fromKey: from, to: 'mint', toKey: MINT, n: 0, body })
  return then.engine.outputs.slice(before).flatMap(({ output: { conclusion } }) => {
    const { body: role } = conclusion
    return role.type === 'role' ? [`${conclusion.id} of ${role.counterpart && toBase58(role.counterpart)}`] : []
  })
}

test('each member of the dev set has its role from the launch on, once', () => {
  expect(rolesIn(fold(frame(0, [new Market().launch()])))).toEqual([dev])
  const launch = { ...new Market().launch(), creator: wallet(1) }
  expect(rolesIn(fold(frame(0, [launch])))).toEqual([`dev ${toBase58(launch.user)}`, `dev ${one}`])
  expect(rolesIn(fold(frame(0, [{ ...launch, creatorIsWallet: false }])))).toEqual([`dev ${toBase58(launch.user)}`])
})

test('a buyer in the create slot belongs to the bundle, and in the create transaction is also an insider by rule (c); each once', () => {
  const market = new Market()
  const inCreate = [market.launch(), market.sameTx().buy(wallet(1), MILLION)]
  const then = fold(
    frame(0, [...inCreate, market.buy(wallet(2), MILLION), market.buy(wallet(2), MILLION), market.buy(CREATOR, MILLION)]),
    frame(1, [market.at(1).buy(wallet(3), MILLION), market.buy(wallet(1), MILLION)]),
  )
  expect(rolesIn(then)).toEqual([dev, `bundle ${one}`, `insider_c ${one}`, `bundle ${two}`])
  const [, , , bundle] = then.outputs
  const id = `solana:1000.${bundle?.conclusion.tx}.2.${bundle?.conclusion.inner}@Hash0000:bundle:${two}:${toBase58(MINT)}`
  expect(bundle?.conclusion).toMatchObject({ id, at: T0, body: { counterpart: null, t0: T0, slot0: 1_000 } })
})

test('a wallet that receives coins from wallets before completion is an insider by rule (a), with the sender, at the first position', () => {
  const market = new Market()
  const opening = frame(0, [market.launch(), market.buy(CREATOR, 9 * MILLION)])
  const { signature } = market.launch()
  const got = (inner: number): Balance => ({
    type: 'balance',
    ...{ tx: 9, outer: TILDE, inner, signature, mint: MINT, timestamp: null, owner: wallet(2), units: 5 },
    ...{ traded: false, isWallet: true, fromWallets: true, sender: CREATOR },
  })
  const then = fold(opening, frame(1, [got(0), got(1)]))
  expect(rolesIn(then)).toEqual([dev, `insider_a ${two}`])
  expect(then.outputs.at(-1)?.conclusion).toMatchObject({
    id: `solana:1001.9.~.0@Hash0000:insider_a:${two}:${toBase58(MINT)}`,
    body: { counterpart: CREATOR },
  })
})

test('a wallet paid by the creator or its funder is an insider by rule (b) at the tick of the answer, in wallet order', () => {
  const bought = () => {
    const market = new Market()
    const buys = [market.at(1).buy(wallet(2), MILLION), market.buy(wallet(1), MILLION), market.buy(wallet(3), MILLION)]
    return fold(frame(0, [market.launch()]), frame(1, buys))
  }
  const of = (who: string, funder: Fact['fromKey']): string =>
    `solana:1010.~@Hash0000:insider_b:${who}:${toBase58(MINT)} of ${toBase58(funder)}`
  const first = bought()
  expect(answer(first, CREATOR, true, payment(FUNDER))).toEqual([])
  expect(answer(first, wallet(2), false, payment(FUNDER))).toEqual([of(two, FUNDER)])
  expect(answer(first, wallet(3), false, payment(key(77)))).toEqual([])
  const last = bought()
  for (const who of [wallet(2), wallet(1)]) expect(answer(last, who, false, payment(who === wallet(1) ? CREATOR : FUNDER))).toEqual([])
  const inOrder = [of(one, CREATOR), of(two, FUNDER)]
  expect(answer(last, CREATOR, true, payment(FUNDER))).toEqual(wallet(1) < wallet(2) ? inOrder : inOrder.reverse())
})

test('no wallet has a role at a launch that was not observed, or whose slot is unknown', () => {
  const market = new Market()
  market.launch()
  expect(rolesIn(fold(frame(0, [market.buy(wallet(1), MILLION)])))).toEqual([])
  const unplaced = new Market()
  expect(rolesIn(fold(frame(0, [unplaced.launch(), unplaced.buy(wallet(1), MILLION)], { placed: false })))).toEqual([])
})
