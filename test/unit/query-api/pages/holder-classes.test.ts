// Holders by class: every wallet once, and none missing.
import fc from 'fast-check'
import { HOLDER_CLASSES, holderClassesOf } from '../../../../processors/mint/card/holder-classes.ts'
import { holdingsOf } from '../../../../processors/mint/fold/holdings.ts'
import { ROLE_BUNDLE, ROLE_CREATE_TX, ROLE_DEV, ROLE_FUNDED, ROLE_RECEIVED } from '../../../../processors/mint/rows.ts'
import { type Amount, add } from '../../../../schemas/amount.ts'
import { holderRow, key, liveState } from '../given-mint.ts'

const wallet = (n: number, units: number, roles = 0) => holderRow(key(n), units, { roles })

test('a wallet is in the first class that matches, and the five largest of the rest are separate', () => {
  const holders = [
    wallet(1, 100, ROLE_DEV | ROLE_BUNDLE),
    wallet(2, 200, ROLE_BUNDLE | ROLE_FUNDED),
    wallet(3, 50, ROLE_RECEIVED),
    ...[9, 8, 7, 6, 5, 4, 3].map((units, n) => wallet(10 + n, units)),
    wallet(30, 0, ROLE_DEV),
    wallet(201, 1_000),
  ]
  expect(holderClassesOf(liveState({ holders }))).toEqual({
    dev: { wallets: 1, units: 100 },
    bundle: { wallets: 1, units: 200 },
    insider: { wallets: 1, units: 50 },
    top: { wallets: 5, units: 35 },
    crowd: { wallets: 2, units: 7 },
  })
})
test('the smallest wallets, no longer kept one by one, count as insiders and crowd of an unknown number', () => {
  const folded = { wallets: 7, units: 70, insiderUnits: 20 }
  expect(holderClassesOf(liveState({ holders: [wallet(1, 5), wallet(2, -10)], folded }))).toMatchObject({
    insider: { wallets: null, units: 20 },
    top: { wallets: 1, units: 5 },
    crowd: { wallets: null, units: 40 },
  })
})
test('the classes add up to the circulating coins, for any rows', () => {
  const roles = fc
    .subarray([ROLE_DEV, ROLE_BUNDLE, ROLE_CREATE_TX, ROLE_RECEIVED, ROLE_FUNDED])
    .map((some) => some.reduce((a, b) => a | b, 0))
  const rows = fc.uniqueArray(fc.record({ n: fc.integer({ min: 1, max: 190 }), units: fc.nat(1e12), roles }), {
    selector: ({ n }) => n,
    maxLength: 30,
  })
  fc.assert(
    fc.property(rows, (some) => {
      const state = liveState({ holders: some.map(({ n, units, roles: role }) => wallet(n, units, role)) })
      const classes = holderClassesOf(state)
      const sum = HOLDER_CLASSES.reduce((total: Amount, name) => add(total, classes[name].units), 0)
      expect(sum).toBe(holdingsOf(state).circulatingUnits)
      expect(HOLDER_CLASSES.reduce((total, name) => total + (classes[name].wallets ?? 0), 0)).toBe(holdingsOf(state).holders)
    }),
  )
})
