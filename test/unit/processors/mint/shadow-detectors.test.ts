// Shadow detectors: run and published separately; retired ones are silent.
import { solana } from '../../../../processors/chains/solana/chain.ts'
import type { Tier } from '../../../../processors/mint/detectors/detector.ts'
import { devUnloaded } from '../../../../processors/mint/detectors/dev-unloaded.ts'
import { type DetectorSet, detectorSet } from '../../../../processors/mint/detectors/set.ts'
import { createMintProcessor } from '../../../../processors/mint/fold/mint.ts'
import type { TapeHeader } from '../../../../processors/tape.ts'
import type { TapeEvent } from '../../../../schemas/types.ts'
import { type GivenFrame, givenOn } from '../../../given.ts'
import { CREATOR, frame, Market, MILLION } from './market.ts'
import { butRoles, finding, given, shadowFinding, stateOf, unjudged } from './mint-given.ts'

const foldWith = (detectors: DetectorSet, ...frames: readonly GivenFrame<TapeEvent, TapeHeader>[]) =>
  givenOn(unjudged(createMintProcessor(detectors, solana))).when(...frames)

describe('a shadow detector', () => {
  const opening = (market: Market) => frame(0, [market.launch(), market.buy(CREATOR, 40 * MILLION)])

  it('is published with the outcomes, once, with its hash, without a row of the mint', () => {
    const market = new Market()
    const then = given(opening(market)).when(
      frame(5, [market.sell(CREATOR, 31 * MILLION)]),
      frame(6, [market.sell(CREATOR, MILLION)]),
      frame(7, [market.sell(CREATOR, MILLION)]),
    )
    const outputs = butRoles(then)
    expect(outputs).toMatchObject([finding('creator_sold'), finding('curve_drained'), shadowFinding('dev_unloaded')])
    const conclusion = outputs[2]?.conclusion
    expect(conclusion).toMatchObject({
      number: 1006,
      body: { detector: 'dev-unloaded', detectorHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    const body = conclusion?.body as { readonly evidence: string } | undefined
    expect(JSON.parse(body?.evidence ?? '')).toEqual({ bought_share: 0.04, sold_share: 0.032 })
    const { flags, curve } = stateOf(then.engine)
    expect(flags.map(({ flag }) => flag)).toEqual(['creator_sold', 'curve_drained'])
    expect(curve).toMatchObject({ flagBits: 5, shadowBits: 512 })
  })

  it('has other settings in a separate set', () => {
    const market = new Market()
    const early = detectorSet({ ...devUnloaded, settings: { soldPercent: 10 } })
    const then = foldWith(early, opening(market), frame(5, [market.sell(CREATOR, 4 * MILLION)]))
    expect(butRoles(then)).toMatchObject([shadowFinding('dev_unloaded')])
  })

  it('is silent once it is retired, which makes another fold', () => {
    const market = new Market()
    const gone = detectorSet({ ...devUnloaded, tier: 'retired' })
    const then = foldWith(gone, opening(market), frame(5, [market.sell(CREATOR, 40 * MILLION)]))
    expect(butRoles(then)).toEqual([])
    const versionIn = (tier: Tier): number => createMintProcessor(detectorSet({ ...devUnloaded, tier }), solana).version
    expect([versionIn('active') - versionIn('shadow'), versionIn('retired') - versionIn('active')]).toEqual([1, 1])
  })
})
