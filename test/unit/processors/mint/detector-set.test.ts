import { solana } from '../../../../processors/chains/solana/chain.ts'
import { bundleDumped } from '../../../../processors/mint/detectors/bundle-dumped.ts'
import { creatorSold } from '../../../../processors/mint/detectors/creator-sold.ts'
import { poolDrained } from '../../../../processors/mint/detectors/pool-drained.ts'
import { detectorSet } from '../../../../processors/mint/detectors/set.ts'
import { createMintProcessor } from '../../../../processors/mint/fold/mint.ts'
import { MANY, manyBuyers } from '../../../fixtures/many-buyers.ts'
import { key, liveState } from '../../query-api/given-mint.ts'

const all = [poolDrained, creatorSold, bundleDumped] as const

test('lists are published by bit, whatever the order of the detectors', () => {
  const { flags, published } = detectorSet(manyBuyers, ...all)
  expect(flags).toEqual(['creator_sold', 'bundle_dumped', 'pool_drained', 'many_buyers'])
  expect(published.map(({ bit }) => bit)).toEqual([1, 2, 8, 2 ** 15])
})

test.each([
  ['the bit of another detector', { ...manyBuyers, bit: 8 }, 'bit 8 is taken'],
  ['the bit of a lifecycle step', { ...manyBuyers, bit: 64 }, 'bit 64 is taken'],
  ['a bit beyond those of a cursor', { ...manyBuyers, bit: 2 ** 16 }, '4 is free'],
  ['more than one bit', { ...manyBuyers, bit: 3 }, '4 is free'],
  ['the flag of another detector', { ...manyBuyers, flag: 'creator_sold' }, 'two detectors'],
  ['the id of another detector', { ...manyBuyers, id: 'creator-sold' }, 'two detectors'],
])('%s is refused', (_what, wrong, message) =>
  expect(() => detectorSet(...all, wrong)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(`^detectors/index.ts: .*${message}`) }),
  ),
)

test('an additional or newer detector makes a newer fold', () => {
  const { version } = createMintProcessor(detectorSet(...all), solana)
  expect(createMintProcessor(detectorSet(...all, manyBuyers), solana).version).toBe(version + 4)
  expect(createMintProcessor(detectorSet(poolDrained, creatorSold, { ...bundleDumped, version: 2 }), solana).version).toBe(version + 3)
})

test('a detector finds what its rows show', () => {
  const { launch, curve } = liveState()
  if (launch === null || curve === null) throw new Error('a live mint must have both')
  const position = { chain: 'solana' as const, number: 1_050, tx: 0, outer: 0, inner: 0 }
  const found = (change: object) => manyBuyers.find({ launch, curve: { ...curve, ...change }, pool: undefined, position }, {})
  expect(found({ uniqueBuyers: MANY - 1 })).toBeUndefined()
  expect(found({ uniqueBuyers: MANY, quoteMint: key(9) })).toBeUndefined()
  expect(found({ uniqueBuyers: MANY })).toEqual({ n_buyers: MANY, paid: 10 })
})
