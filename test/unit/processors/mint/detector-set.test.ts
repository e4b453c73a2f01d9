import { solana } from '../../../../processors/chains/solana/chain.ts'
import { bundleDumped } from '../../../../processors/mint/detectors/bundle-dumped.ts'
import { creatorSold } from '../../../../processors/mint/detectors/creator-sold.ts'
import { poolDrained } from '../../../../processors/mint/detectors/pool-drained.ts'
import { detectorSet } from '../../../../processors/mint/detectors/set.ts'
import { createMintProcessor } from '../../../../processors/mint/fold/mint.ts'
import { MANY, manyBuyers } from '../../../fixtures/many-buyers.ts'
import { key, liveState } from '../../query-api/given-mint.ts'

const all = [poolDrained, creatorSold, bundleDumped] as const

test('lists are published by bit, whatever the order in which detectors speak', () => {
  const { flags, published } = detectorSet(manyBuyers, ...all)
  expect(flags).toEqual(['creator_sold', 'bundle_dumped', 'pool_drained', 'many_buyers'])
  expect(published.map(({ bit }) => bit)).toEqual([1, 2, 8, 2 ** 15])
})

test.each([
  ['the bit of another', { ...manyBuyers, bit: 8 }, 'bit 8 is taken'],
  ['the bit of a step of the lifecycle', { ...manyBuyers, bit: 64 }, 'bit 64 is taken'],
  ['a bit that no cursor holds', { ...manyBuyers, bit: 2 ** 16 }, '4 is free'],
  ['no single bit', { ...manyBuyers, bit: 3 }, '4 is free'],
  ['the flag of another', { ...manyBuyers, flag: 'creator_sold' }, 'two detectors'],
  ['the id of another', { ...manyBuyers, id: 'creator-sold' }, 'two detectors'],
])('%s is refused', (_what, wrong, words) => expect(() => detectorSet(...all, wrong)).toThrow(words))

test('one more detector, or a newer one, is a newer fold', () => {
  const { version } = createMintProcessor(detectorSet(...all), solana)
  expect(createMintProcessor(detectorSet(...all, manyBuyers), solana).version).toBe(version + 4)
  expect(createMintProcessor(detectorSet(poolDrained, creatorSold, { ...bundleDumped, version: 2 }), solana).version).toBe(version + 3)
})

test('a detector finds what its rows say', () => {
  const { launch, curve } = liveState()
  if (launch === null || curve === null) throw new Error('a live mint has both')
  const position = { chain: 'solana' as const, number: 1_050, tx: 0, outer: 0, inner: 0 }
  const found = (change: object) => manyBuyers.find({ launch, curve: { ...curve, ...change }, pool: undefined, position }, {})
  expect(found({ uniqueBuyers: MANY - 1 })).toBeUndefined()
  expect(found({ uniqueBuyers: MANY, quoteMint: key(9) })).toBeUndefined()
  expect(found({ uniqueBuyers: MANY })).toEqual({ n_buyers: MANY, paid: 10 })
})
