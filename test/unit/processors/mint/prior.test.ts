// A mint and its creator: the requests and messages, and the answer on the card.
import { noPrior, priorPart } from '../../../../processors/mint/fold/prior.ts'
import type { MintState, PriorRow } from '../../../../schemas/types.ts'
import { launchItem, mintEvidence } from '../../../shipped.ts'
import { stubRow } from '../../query-api/given-mint.ts'
import { CREATOR, frame, Market, MILLION, MINT, SOL, T0, USDC, wallet } from './market.ts'
import { bareNulls, fold, type MintThen, stateOf } from './mint-given.ts'

const prior: PriorRow = {
  launches: 4,
  resolved: 2,
  graduated: 1,
  rugged: 2,
  medianDevSellS: 18.5,
  observedSince: T0 - 900,
  of: CREATOR,
  waits: 0,
}
const opened = () => fold(frame(0, [new Market().launch()]))
const sentTo = (processor: string, { engine }: MintThen) => engine.sent.filter(({ to }) => to === processor)
const stateWith = (row: PriorRow | null): MintState => ({ ...stateOf(opened().engine), prior: row })
const atLaunch = (state: MintState) => {
  const card = mintEvidence(MINT, state, { asOf: T0 + 1, gap: null })
  expect(bareNulls(card)).toEqual([])
  return card
}

describe('messages', () => {
  test('a launch requests the record of its creator', () => {
    expect(sentTo('creator', opened())).toMatchObject([
      { from: 'mint', fromKey: MINT, to: 'creator', toKey: CREATOR, number: 1_000, tx: 1, body: { type: 'launched', at: T0 } },
    ])
  })

  test('a launch without a known slot sends no request, and the card states why', () => {
    const then = fold(frame(0, [new Market().launch()], { placed: false }))
    expect(then.engine.sent).toEqual([])
    expect(atLaunch(stateOf(then.engine))).toMatchObject({
      creator_prior: null,
      creator_prior_reason: 'the slot of the launch is not known',
    })
  })

  test('a mint that migrates sends its outcome to its creator', () => {
    const market = new Market()
    const then = fold(
      frame(0, [market.launch(), market.buy(CREATOR, 10 * MILLION), market.level(wallet(1), true, 85 * SOL)]),
      frame(30, [market.at(30).sell(CREATOR, MILLION)]),
      frame(40, [market.at(40).complete(), market.migrate()]),
    )
    const [, ...messages] = sentTo('creator', then)
    expect(messages).toMatchObject([
      {
        to: 'creator',
        toKey: CREATOR,
        number: 1_040,
        body: {
          type: 'settled',
          graduated: true,
          rugged: false,
          devFirstSellDtS: 30,
          devBuyQuoteUnits: then.engine.rows(MINT, 'curve')[0]?.devBuyQuoteUnits,
          launchedAt: T0,
          settledAt: T0 + 40,
          peakQuoteUnits: 85 * SOL,
          quoteMint: null,
          censored: null,
          selfGraduated: false,
        },
      },
    ])
  })

  test('a mint that falls silent sends its outcome at the tick where it settles', () => {
    const then = fold(frame(0, [new Market({ quoteMint: USDC }).launch()]), frame(4_000))
    expect(sentTo('creator', then)[1]).toMatchObject({
      number: 5_000,
      tx: 0xffff_ffff,
      body: { type: 'settled', graduated: null, censored: 'quote_not_sol', quoteMint: USDC, settledAt: T0 + 4_000 },
    })
  })
})

describe('the card', () => {
  test('shows a pending prior before the answer', () => {
    const card = atLaunch(stateWith(null))
    expect(card).toMatchObject({ creator_prior_at_launch: null, creator_prior_at_launch_reason: expect.stringMatching(/^pending: /) })
  })

  test('shows every field of the contract after the answer', () => {
    const expected = {
      n_launches: 4,
      n_resolved: 2,
      grad_rate: 0.5,
      rug_rate: 1,
      median_dev_sell_s: 18.5,
      is_first_time: false,
      observed_since: T0 - 900,
    }
    expect(atLaunch(stateWith(prior))).toMatchObject({ creator_prior_at_launch: expected })
    expect(launchItem(MINT, stateWith(prior), { asOf: T0 + 1, gap: null })).toMatchObject({ creator_prior_at_launch: expected })
  })

  test('has null rates with a reason, never 0, for a first launch', () => {
    const none = { ...prior, launches: 0, resolved: 0, graduated: 0, rugged: 0, medianDevSellS: null }
    expect(atLaunch(stateWith(none))).toMatchObject({
      creator_prior_at_launch: { n_launches: 0, grad_rate: null, rug_rate: null, median_dev_sell_s: null, is_first_time: true },
    })
    expect(atLaunch(stateWith({ ...prior, medianDevSellS: null }))).toMatchObject({
      creator_prior_at_launch: { median_dev_sell_s: null, median_dev_sell_s_reason: expect.stringContaining('sell') },
    })
  })

  test('shows a short prior if it is thin', () => {
    const thin = mintEvidence(MINT, stateWith(prior), { asOf: T0 + 8_000, gap: null })
    expect(thin).toMatchObject({ coverage: 'thin', creator_prior: { n_launches: 4, grad_rate: 0.5, rug_rate: 1 } })
  })

  test('states why the prior is null if the launch was not observed or the mint was evicted', () => {
    const none = { launch: null, prior: null, stub: null }
    expect(priorPart(none)).toEqual(noPrior('its launch is not stored'))
    const stub = stubRow({ launchAt: T0 })
    expect(priorPart({ ...none, stub })).toEqual(noPrior('the rows of the mint were removed'))
  })
})
