// A model file: how it scores, and which files are refused.
import fc from 'fast-check'
import { FEATURE_NAMES, featuresOf, headsOf, inputsHashOf } from '../../../../processors/odds/features.ts'
import { FEATURES_HASH } from '../../../../processors/odds/features-hash.ts'
import { explainScore, readModel } from '../../../../processors/odds/model.ts'
import { type ModelBody, modelFileOf } from '../../../../processors/odds/model-file.ts'
import { conclusionCodec, judgementBytesOf } from '../../../../schemas/codecs.ts'
import { givenJudgement, givenModelBody, givenModelFile } from '../../../fixtures/odds-given.ts'
import { featuresHash } from '../../../tools/detectors/features.ts'

const SOL = 1_000_000_000

describe('features', () => {
  test('have code that is registered with its current source', async () => expect(FEATURES_HASH).toBe(await featuresHash()))
  test('are integers, and NaN where the judgement has no value', () => {
    const values = featuresOf(givenJudgement())
    expect(values).toHaveLength(FEATURE_NAMES.length)
    const named = Object.fromEntries(FEATURE_NAMES.map((name, at) => [name, values[at]]))
    expect(named).toMatchObject({ of_peak_ppm: 750_000, sells_of_trades_ppm: 181_818, dev_sold_ppm: 250_000, prior_rugged_ppm: 500_000 })
    expect(named).toMatchObject({ creator_sold: 1, curve_drained: 0, funder_launches: Number.NaN, quote_units_per_buyer: 428_571_428 })
    for (const value of values) expect(Number.isNaN(value) || Number.isSafeInteger(value)).toBe(true)
  })
  test('of amounts beyond long are numbers too', () => {
    const wide = givenJudgement({ supplyUnits: 10n ** 40n, top1Units: 10n ** 39n })
    expect(featuresOf(wide)[FEATURE_NAMES.indexOf('top1_ppm')]).toBe(100_000)
    expect(inputsHashOf(judgementBytesOf(wide))).toMatch(/^[0-9a-f]{64}$/)
  })
  test('have a hash over the body of the judgement, which is the end of its record', () => {
    const body = givenJudgement()
    const bytes = judgementBytesOf(body)
    const record = conclusionCodec.encode({
      ...{ id: 'x', chain: 'solana', number: 1, tx: 0, outer: 0, inner: 0, hash8: 'aaaaaaaa', at: 1, body },
    })
    expect(record.subarray(record.length - bytes.length).equals(bytes)).toBe(true)
  })
  test.each([
    [30, 4, ['rug_within_300s']],
    [30, 5, ['rug_within_300s', 'true_graduation']],
    [60, 5, ['true_graduation']],
    [60, 4, []],
  ])('at %i s with %i buys the heads are %j', (ageS, buys, heads) => expect(headsOf({ ageS, buys })).toEqual(heads))
})

describe('a model', () => {
  const model = readModel(givenModelFile())
  test('scores a judgement in millionths, only for the heads judged', () => {
    expect(model.score('rug_within_300s', givenJudgement())).toBe(427_700)
    expect(model.score('rug_within_300s', givenJudgement({ devSoldUnits: 20e12 }))).toBe(741_000)
    expect(model.score('rug_within_300s', givenJudgement({ ageS: 60 }))).toBeNull()
    expect(model.score('true_graduation', givenJudgement({ buys: 4 }))).toBeNull()
    expect(model.score('true_graduation', givenJudgement({ realQuoteUnits: 40 * SOL }))).toBe(500_000)
  })
  test('explains a score by the bin and the points of each feature', () => {
    const why = explainScore(model, 'rug_within_300s', givenJudgement())
    expect(why).toEqual({
      base: -1_000_000,
      parts: [{ feature: 'dev_sold_ppm', value: 250_000, from: 1, below: 500_000, points: 400_000 }],
      score: -600_000,
      ppm: 427_700,
    })
    const unknown = explainScore(model, 'rug_within_300s', givenJudgement({ devBoughtUnits: 0 }))
    expect(unknown?.parts).toEqual([{ feature: 'dev_sold_ppm', value: null, from: null, below: null, points: 0 }])
  })
  test('has probabilities that rise with the score between knots, for every judgement', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(50), (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((base) =>
          readModel(givenModelFile(-6_000_000 + base * 250_000)).score('rug_within_300s', givenJudgement()),
        )
        expect(low).toBeLessThanOrEqual(high as number)
      }),
      { numRuns: 30 },
    )
  })
  test("has the start of its file's hash as id", () => {
    expect(model.id).toMatch(/^[0-9a-f]{16}$/)
    expect(readModel(givenModelFile(1)).id).not.toBe(model.id)
  })
})

describe('a refused file', () => {
  const changed = (change: (body: ModelBody) => void): Uint8Array => {
    const body = structuredClone(givenModelBody())
    change(body)
    return modelFileOf(body)
  }
  const card = (body: ModelBody) => body.heads.rug_within_300s.cards[0] as ModelBody['heads']['rug_within_300s']['cards'][number]
  test.each<[string, Uint8Array, string]>([
    ['invalid JSON', Buffer.from('{'), 'the file is not JSON'],
    ['another format', changed((body) => Object.assign(body, { format: 2 })), 'format'],
    ['a changed byte', Buffer.from(Buffer.from(givenModelFile()).toString().replace('400000', '400001')), 'the file was changed'],
    ['other features', changed(({ features }) => features.names.reverse()), 'its features are not those of this program'],
    ['other code', changed(({ features }) => Object.assign(features, { hash: 'f'.repeat(64) })), 'is not that of this program'],
    ['a missing head', changed(({ heads }) => Reflect.deleteProperty(heads, 'true_graduation')), 'heads.true_graduation'],
    ['a value that is not a number', changed((body) => Object.assign(card(body), { base: Number.NaN })), 'base'],
    ['a fraction', changed((body) => Object.assign(card(body), { base: 0.5 })), 'base'],
    ['falling knots', changed((body) => card(body).knots.reverse()), 'does not rise'],
    ['falling edges', changed((body) => card(body).parts[0]?.edges.reverse()), 'edges do not ascend'],
    ['too few points', changed((body) => card(body).parts[0]?.points.pop()), 'need 4 points'],
    ['points beyond their range', changed((body) => Object.assign(card(body), { base: 2e9 })), 'beyond'],
  ])('has %s', (_name, file, message) => {
    expect(() => readModel(file)).toThrow(expect.objectContaining({ code: 'model_unfit', message: expect.stringContaining(message) }))
  })
})
