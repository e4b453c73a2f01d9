// The published schemas of answers on curves match the cards, field by field.
import type { z } from 'zod'
import { curveRegime } from '../../processors/curve/card/regime.ts'
import { curveDetectors } from '../../processors/curve/detectors/index.ts'
import {
  curveFlagSchemas,
  curveRegimeWindow,
  fullCurve,
  fullCurveLaunch,
  thinCurve,
  thinCurveLaunch,
} from '../../query-api/answer-schemas/curve.ts'
import { jsonSchemas } from '../../query-api/answer-schemas/json-schema.ts'
import { cardAt, fold, fullAt, itemAt, thinAt } from './processors/curve/curve-given.ts'
import { block, DEPLOYER_WALLET, ETH, GMGN, Pad, USD, wallet } from './processors/curve/launchpad.ts'

const flags = curveFlagSchemas(curveDetectors)
const [card, launch] = [fullCurve(flags), fullCurveLaunch(flags)]
/** Adds the fields of a sent answer. */
const sent = <Card extends { readonly findings: readonly object[] }>(evidence: Card) => ({
  ...evidence,
  findings: evidence.findings.map((one) => ({ ...one, finality: 'processed' })),
})
const faults = (schema: z.ZodType, value: unknown): string[] => {
  const read = schema.safeParse(value)
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

const market = (options = {}) => {
  const pad = new Pad(options)
  const first = [...pad.launch(), ...pad.buy(DEPLOYER_WALLET, ETH / 3n), ...pad.buy(wallet(1), ETH / 9n, GMGN, 618n)]
  const held = (10n ** 27n - pad.tokens) / 2n
  return { pad, frames: [block(0, first), block(30, pad.sell(DEPLOYER_WALLET, held)), block(31, pad.buyback(ETH / 100n))] }
}

describe('curves', () => {
  test.each([
    ['a curve paired with ETH', {}],
    ['a curve of another pair with unknown decimals', { quoteMint: USD, quoteDecimals: null }],
  ])('card and item of %s with findings match', (_what, options) => {
    const result = fold(...market(options).frames)
    expect(fullAt(result, 33).findings.length).toBeGreaterThan(0)
    expect(faults(card, sent(fullAt(result, 33)))).toEqual([])
    expect(faults(launch, sent(itemAt(result, 33) as ReturnType<typeof itemAt> & { findings: object[] }))).toEqual([])
  })

  test('cards of a curve without trades and of a graduated one match', () => {
    const pad = new Pad()
    const graduated = fold(block(0, [...pad.launch(), ...pad.buy(wallet(1), 9n * ETH)]), block(5, pad.graduate()))
    for (const result of [fold(block(0, new Pad().launch())), graduated]) expect(faults(card, sent(fullAt(result, 9)))).toEqual([])
  })

  test('thin answers match: unknown, silent, evicted, over a gap', () => {
    const { frames } = market()
    const silent = fold(...frames)
    const cards = [
      cardAt(fold(), 1),
      thinAt(silent, 80_000),
      thinAt(silent, 40, { from: 62_000_035, to: 62_000_036 }),
      thinAt(fold(...frames, block(300_000)), 300_001),
    ]
    for (const one of cards) expect(faults(thinCurve, one)).toEqual([])
    expect(faults(thinCurveLaunch(flags), sent(itemAt(silent, 80_000)))).toEqual([])
  })

  test('the regime matches', () => {
    const counts = {
      windowS: 60,
      observedS: 60,
      launches: 0,
      graduations: 1,
      graduationS: [],
      trades: { observedS: 60, buys: 5, sells: 4, uniqueBuyers: 2 },
    }
    expect(faults(curveRegimeWindow, curveRegime(counts))).toEqual([])
  })

  test('every field has a description', () => {
    const without = (schema: unknown, path: string): string[] => {
      if (schema === null || typeof schema !== 'object') return []
      const {
        properties = {},
        items,
        description,
      } = schema as { properties?: Record<string, { description?: string }>; items?: object; description?: string }
      const own = Object.entries(properties).flatMap(([name, inner]) => [
        ...(inner.description === undefined && !('properties' in inner) && !name.endsWith('_reason') ? [`${path}.${name}`] : []),
        ...without(inner, `${path}.${name}`),
      ])
      return items === undefined || description === undefined ? [...own, ...without(items, path)] : own
    }
    const schemas = jsonSchemas({ card, thin: thinCurve, regime: curveRegimeWindow, launch })
    expect(Object.entries(schemas).flatMap(([name, schema]) => without(schema, name))).toEqual([])
  })
})
