// `why`: sentences for people, with times relative to the launch.
import { ROLE_BUNDLE } from '../../../../processors/mint/rows.ts'
import type { MintState } from '../../../../schemas/types.ts'
import { mintEvidence } from '../../../shipped.ts'
import { CREATOR, curveRow, flagRow, holderRow, key, launchRow, liveState, NOW_S } from '../../query-api/given-mint.ts'

const whyOf = (change: Partial<MintState> = {}): readonly string[] =>
  mintEvidence(key(1), liveState(change), { asOf: NOW_S, gap: null }).why.filter((sentence) => sentence !== null)
const flow = (buys: number, sells: number) => [{ slot: 0, second: NOW_S - 5, buys, sells, netQuoteUnits: 1 }]

describe('a flag', () => {
  test.each([
    [80, 'creator_sold was observed 80 s after launch'],
    [0, 'creator_sold was observed 0 s after launch'],
    [-3, 'creator_sold was observed 0 s after launch'],
  ])('is dated %i s after launch', (afterS, text) => {
    expect(whyOf({ flags: [flagRow('creator_sold', { firstSeenAt: NOW_S - 100 + afterS })] })[0]).toBe(text)
  })
  test('is dated the same on a thin card, and in unix seconds if the launch is unknown', () => {
    const flags = [flagRow('creator_sold', { firstSeenAt: NOW_S - 20 })]
    expect(whyOf({ launch: launchRow({ placed: false }), flags })).toContain('creator_sold was observed 80 s after launch')
    expect(whyOf({ launch: null, flags })).toContain(`creator_sold was observed at ${NOW_S - 20} (unix seconds; the launch was not seen)`)
  })
})

describe('counts', () => {
  test.each([
    [1, 0, 1, '1 buy and 0 sells in the last 60 s, 1 buyer so far'],
    [2, 1, 12, '2 buys and 1 sell in the last 60 s, 12 buyers so far'],
  ])('%i buys, %i sells, %i buyers: nouns agree with their numbers', (buys, sells, uniqueBuyers, text) => {
    expect(whyOf({ flows: flow(buys, sells), curve: curveRow({ uniqueBuyers }) })).toContain(text)
  })
  test.each([
    [1, '1 other wallet bought in the create slot and holds 3.0 %'],
    [2, '2 other wallets bought in the create slot and hold 3.0 %'],
  ])('%i bundle wallets: noun and verb agree with the number', (bundleWallets, text) => {
    const holders = [holderRow(CREATOR, 0), holderRow(key(210), 30_000_000_000_000, { roles: ROLE_BUNDLE })]
    expect(whyOf({ holders, curve: curveRow({ bundleWallets }) })).toContain(text)
  })
})

describe('a stall names its single cause', () => {
  const launch = launchRow({ at: NOW_S - 500 })
  test.each([
    [{ lastNewBuyerAt: NOW_S - 45, lastBuyAt: NOW_S - 3 }, 'inflow has stalled: no new buyer for 45 s'],
    [{ lastNewBuyerAt: NOW_S - 90, lastBuyAt: NOW_S - 70 }, 'inflow has stalled: no new buyer for 90 s'],
    [{ lastNewBuyerAt: 0, lastBuyAt: 0 }, 'inflow has stalled: no buyer since the launch'],
  ])('%j', (times, text) => {
    expect(whyOf({ launch, curve: curveRow(times) }).filter((one) => one.startsWith('inflow'))).toEqual([text])
  })
  test('and none is named without a cause', () => {
    expect(whyOf({ launch, curve: curveRow({ lastNewBuyerAt: NOW_S - 29 }) }).join()).not.toContain('stalled')
  })
})

describe('the curve', () => {
  test.each([
    [curveRow({ realQuoteUnits: 0, peakQuoteUnits: 2_000_000_000 }), 'launched 100 s ago, the curve holds 0.00 SOL; peak 2.00 SOL'],
    [curveRow({ realQuoteUnits: -1 }), 'launched 100 s ago'],
    [
      curveRow({ completeAt: NOW_S - 9, peakQuoteUnits: 85_000_000_000 }),
      'launched 100 s ago, the curve is complete; peak 85.00 SOL, the pool was not seen yet',
    ],
    [
      curveRow({ quoteMint: key(9) }),
      'launched 100 s ago on a curve that is not paired with SOL: SOL figures and SOL thresholds do not apply',
    ],
  ])('is described by its contents, if they are known', (curve, text) => {
    expect(whyOf({ curve })).toContain(text)
  })
})
