import fc from 'fast-check'
import { detectors } from '../../processors/mint/detectors/index.ts'
import {
  comparePositions,
  eventId,
  findingId,
  formatPosition,
  hash8Of,
  isTick,
  NONE,
  outputId,
  type Position,
  type PositionShape,
  parseFindingId,
  parsePosition,
  TILDE,
  tickOf,
} from '../../schemas/position.ts'

const number = fc.integer({ min: 0, max: 999_999_999_999_999 })
/** Small numbers collide, large ones show errors of text order. */
const small = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 999_999_999 }))
const solana = fc.oneof(
  fc.record({ chain: fc.constant('solana' as const), number, tx: small, outer: fc.oneof(small, fc.constant(TILDE)), inner: small }),
  number.map((n) => tickOf('solana', n)),
)
const alt = fc.oneof(
  fc.record({ chain: fc.constant('alt' as const), number, tx: small, outer: small, inner: fc.constant(NONE) }),
  number.map((n) => tickOf('alt', n)),
)
const position: fc.Arbitrary<Position> = fc.oneof(solana, alt)
const SHAPES = { solana: { chain: 'solana', numbers: 4 }, alt: { chain: 'alt', numbers: 3 } } as const satisfies Record<
  string,
  PositionShape
>
/** The position that one of the two chains reads in a text. */
const parse = (text: string): Position | undefined => parsePosition(text, SHAPES.solana) ?? parsePosition(text, SHAPES.alt)

describe('text of a position', () => {
  test.each<[string, Position]>([
    ['solana:332254908.17.3.2', { chain: 'solana', number: 332254908, tx: 17, outer: 3, inner: 2 }],
    ['solana:332254908.17.~.0', { chain: 'solana', number: 332254908, tx: 17, outer: TILDE, inner: 0 }],
    ['alt:27823772.4.11', { chain: 'alt', number: 27823772, tx: 4, outer: 11, inner: NONE }],
    ['solana:332254908.~', tickOf('solana', 332254908)],
    ['alt:0.~', tickOf('alt', 0)],
  ])('%s', (text, at) => {
    expect(formatPosition(at)).toBe(text)
    expect(parse(text)).toEqual(at)
  })

  test('parse(format(p)) is p', () => {
    fc.assert(fc.property(position, (at) => expect(parse(formatPosition(at))).toEqual(at)))
  })

  test('two positions have the same text only when they are the same', () => {
    fc.assert(fc.property(solana, solana, (a, b) => expect(formatPosition(a) === formatPosition(b)).toBe(comparePositions(a, b) === 0)))
  })

  test('a text that can be parsed is canonical', () => {
    const nearly = fc.stringMatching(/^(solana|alt):0?\d{1,4}(\.(~|0?\d{1,3})){1,4}$/)
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string()), (text) => {
        const at = parse(text)
        if (at !== undefined) expect(formatPosition(at)).toBe(text)
      }),
    )
  })

  test.each([
    '',
    'solana:1',
    'solana:1.2.3',
    'alt:1.2.3.4',
    'eth:1.2.3',
    'solana:01.2.3.4',
    'solana:1.2.3.04',
    'solana:1.~.3.4',
    'solana:1.2.3.~',
    'solana:-1.2.3.4',
    'solana:1.2.3.4 ',
    'solana:1.2.3.4\n',
    'solana:1e3.2.3.4',
    'solana:01.~',
    'alt:1.~.~',
  ])('%j is refused', (text) => {
    expect(parse(text)).toBeUndefined()
  })
})

describe('order', () => {
  test('the tick sorts after everything in its frame and before the next frame', () => {
    fc.assert(
      fc.property(solana, (at) => {
        const order = comparePositions(at, tickOf('solana', at.number))
        expect(isTick(at) ? order === 0 : order < 0).toBe(true)
        expect(comparePositions(tickOf('solana', at.number), { ...at, number: at.number + 1 })).toBeLessThan(0)
      }),
    )
  })

  test('~ sorts after every number', () => {
    fc.assert(
      fc.property(solana, small, (at, outer) => {
        const plain = { ...at, tx: 1, outer }
        expect(comparePositions(plain, { ...plain, outer: TILDE, inner: 0 })).toBeLessThan(0)
      }),
    )
  })

  test('is numeric, not lexicographic', () => {
    const of = (text: string): Position => parse(text) as Position
    expect(comparePositions(of('solana:9.0.0.0'), of('solana:10.0.0.0'))).toBeLessThan(0)
    expect(comparePositions(of('solana:9.9.0.0'), of('solana:9.10.0.0'))).toBeLessThan(0)
    expect(comparePositions(of('solana:9.9.9.0'), of('solana:9.9.10.0'))).toBeLessThan(0)
    expect(comparePositions(of('solana:9.9.9.9'), of('solana:9.9.9.10'))).toBeLessThan(0)
  })

  test('is total: antisymmetric, and sorting gives one result', () => {
    fc.assert(
      fc.property(fc.array(solana, { maxLength: 20 }), (list) => {
        const sorted = [...list].sort(comparePositions)
        const again = [...list].reverse().sort(comparePositions)
        expect(again.map(formatPosition)).toEqual(sorted.map(formatPosition))
        for (const a of list)
          for (const b of list) expect(Math.sign(comparePositions(a, b))).toBe(0 - Math.sign(comparePositions(b, a)) || 0)
      }),
    )
  })
})

/** Ids of the product's detectors, and others of their form. */
const detectorId = fc.oneof(fc.constantFrom(...detectors.all.map(({ id }) => id)), fc.stringMatching(/^[a-z][a-z0-9_-]{0,39}$/))
const MINT = 'So11111111111111111111111111111111111111112'

test('ids contain position and branch, and the text before the @ is the position', () => {
  const [canonical, dead] = [hash8Of('6VeMHRpGPVi9Sp9r9t5P'), hash8Of('9kLaVHRpGPVi9Sp9r9')]
  fc.assert(
    fc.property(position, fc.nat(), detectorId, (at, n, detector) => {
      const [event, finding, output] = [
        eventId(at, canonical),
        findingId(at, canonical, detector, MINT),
        outputId(at, canonical, 'mint', 'KEY', n),
      ]
      expect(event).toBe(`${formatPosition(at)}@6VeMHRpG`)
      expect(finding).toBe(`${event}:${detector}:${MINT}`)
      expect(parseFindingId(finding, SHAPES[at.chain])).toEqual({ id: finding, at, detector, mint: MINT })
      expect(output).toBe(`${event}:mint:KEY:${n}`)
      expect(parse(finding.slice(0, finding.indexOf('@')))).toEqual(at)
      expect(eventId(at, dead)).not.toBe(event)
    }),
  )
})
