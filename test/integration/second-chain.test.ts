// A chain with other keys, positions and epochs than the shipped one runs through the product's unchanged code.
import { fundedRecentlyPart, newestPayment } from '../../processors/creator/funded-recently.ts'
import { WALLET } from '../../processors/wallet/wallet.ts'
import { HEX_KEYS, type Key, keyText, mustHexKey, signatureText } from '../../schemas/keys.ts'
import { findingId, formatPosition, NONE, numberIn, parseFindingId, parsePosition, tickOf } from '../../schemas/position.ts'
import type { RawFrame, Transfer, WalletState } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { murmur2 } from '../../topology/engine/partition.ts'
import { Task } from '../../topology/engine/task.ts'
import { type ToyPayment, toy, toyTopology } from '../fixtures/toy-chain.ts'

const addressOf = (byte: string): string => HEX_KEYS.print(mustHexKey(`0x${byte.repeat(20)}`))
const FUNDER = addressOf('a1')
const WALLETS = ['b2', 'c3', 'd4', 'e5', 'f6'].map(addressOf)
const [PAID = ''] = WALLETS
const keyIn = (text: string): Key => toy.keys.parse(text) as Key
const eventsOf = (payments: readonly ToyPayment[]): Transfer[] =>
  toy.decoder.decode({ body: Buffer.from(JSON.stringify(payments)) } as unknown as RawFrame).events as Transfer[]

test('positions have the numbers of their chain, and others are refused', () => {
  const at = { chain: toy.name, number: 27_823_772, tx: 11, outer: NONE, inner: NONE }
  expect(formatPosition(at)).toBe('alt:27823772.11')
  expect(parsePosition('alt:27823772.11', toy.positions)).toEqual(at)
  expect(parsePosition('alt:27823772.~', toy.positions)).toEqual(tickOf('alt', 27_823_772))
  expect(numberIn('alt:27823772.11')).toBe(27_823_772)
  for (const text of ['alt:27823772.4.11', 'alt:27823772.4.11.0', 'solana:27823772.11', 'alt:27823772', 'alt:27823772.011'])
    expect([text, parsePosition(text, toy.positions)]).toEqual([text, undefined])
  const id = findingId(at, '0badcafe', 'curve-drained', PAID)
  expect(parseFindingId(id, toy.positions)).toEqual({ id, at, detector: 'curve-drained', mint: PAID })
})

test('keys are read and printed in the form of the chain', () => {
  const key = keyIn(PAID.toUpperCase().replace('0X', '0x'))
  expect(key).toHaveLength(HEX_KEYS.bytes)
  expect([toy.keys.print(key), keyText(key)]).toEqual([PAID, PAID])
  for (const text of [PAID.slice(2), `${PAID}00`, PAID.slice(0, -2), 'So11111111111111111111111111111111111111112'])
    expect(toy.keys.parse(text)).toBeUndefined()
  const [{ signature } = { signature: undefined }] = eventsOf([{ log: 1, from: FUNDER, to: PAID, wei: 1 }])
  expect(signature && signatureText(signature)).toBe(`0x${'01'.repeat(32)}`)
})

test('partitions follow from the printed keys', () => {
  const { exchange } = toyTopology().folds(4)
  for (const text of WALLETS) expect(exchange.partitionOf(keyIn(text))).toBe((murmur2(Buffer.from(text)) & 0x7fffffff) % 4)
  expect(exchange).toMatchObject({ chain: 'alt', framesPerEpoch: toy.framesPerEpoch })
})

test('for payments in two blocks that a task folds and commits, the card names funder and position in the form of the chain', () => {
  const task = new Task(toyTopology().folds(1), 0, DEFAULT_LIMITS)
  task.begin({ input: 0, exchange: 0 })
  const frame = (number: number, payments: readonly ToyPayment[]) => ({
    header: {
      ...{ chain: toy.name, number, hash8: `h${number}`, sequence: number, time: 1_000 + number, final: false },
      ...{ gapFrom: null, gapTo: null, vouched: false, placed: true },
    },
    events: eventsOf(payments),
  })
  task.fold(frame(7, [{ log: 2, from: WALLETS[1] ?? '', to: PAID, wei: 5 }]))
  task.fold(frame(8, [{ log: 3, from: FUNDER, to: PAID, wei: 3_000_000_000 }]))
  const store = task.store(WALLET)
  const [page] = store.pagesOf(keyIn(PAID))
  const state = store.type.decode(page?.value as Buffer) as unknown as WalletState
  expect(state.payments).toHaveLength(2)
  expect(fundedRecentlyPart(newestPayment(state, 1_010), undefined, 1_010, null, toy)).toMatchObject({
    funded_recently_by: { funder: FUNDER, position: 'alt:8.3', funded_at: 1_008 },
  })
  const { outputs } = task.takeCommit()
  expect(outputs.map(({ topic }) => topic.name)).toEqual(expect.arrayContaining(['alt-wallet.changelog']))
})
