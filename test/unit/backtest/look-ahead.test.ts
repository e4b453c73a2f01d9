// The look-ahead test on user detectors: which calls flip, of which kind, and which do not.
import type { CurveRowsSeen } from '../../../processors/curve/detectors/detector.ts'
import type { DetectorRows } from '../../../processors/mint/detectors/detector.ts'
import { keyText, type Signature } from '../../../schemas/keys.ts'
import { loadDetectorFile } from '../../../topology/backtest/detector-file/load.ts'
import type { FlipKind, LookAheadReport } from '../../../topology/backtest/look-ahead/report.ts'
import { KEPT_MAX, type KeptMax, keptMaxOf, watchDetector } from '../../../topology/backtest/look-ahead/watch.ts'
import { fold, stateOf } from '../processors/curve/curve-given.ts'
import { BLOCK0, block, DEPLOYER_WALLET, ETH, Pad, wallet } from '../processors/curve/launchpad.ts'
import { callsOf, fileOf, givenFiles, sourceOf } from './given-file.ts'

const CALLS = callsOf({ mints: 12, events: 20 })
const mintOf = ({ launch }: DetectorRows): string => launch.bondingCurve

const reportOf = async (find: string, before = '', keptMax: KeptMax = KEPT_MAX, calls = CALLS): Promise<LookAheadReport> => {
  const watched = watchDetector(await fileOf(find, before), {}, { seed: 5, keptMax })
  const fired = new Set<string>()
  for (const call of calls) if (!fired.has(mintOf(call)) && watched.find(call) !== undefined) fired.add(mintOf(call))
  return watched.end()
}
const NONE: Record<FlipKind, number> = { remembers: 0, 'knows addresses': 0, 'knows dates': 0, 'depends on order': 0 }
const constant = (value: unknown): string => JSON.stringify(value)
const [FIRST, , THIRD] = CALLS as readonly [DetectorRows, DetectorRows, DetectorRows]

describe('the look-ahead test', () => {
  test('repeats firings, last calls and others, and finds nothing in a pure function of rows', async () => {
    const report = await reportOf(`({ launch, curve, position }) =>
      curve.sells > 3 ? { sells: curve.sells, age: curve.lastAt - launch.at, at: curve.lastAt, slot: position.number } : undefined`)
    expect(report).toMatchObject({ detector: 'mine', version: 1, seed: 5, flips: NONE, flipsTotal: 0, byExactAmounts: 0, examples: [] })
    expect(report.firings).toBeGreaterThan(5)
    expect(report.repeated).toMatchObject({ firings: report.firings, lastCalls: 12, all: report.calls })
    expect(report.compared).toBe(report.calls * 5)
  })

  test('accepts evidence that shows addresses, names, slots and dates of its rows, whole or in part', async () => {
    const report = await reportOf(
      `({ launch, curve, position }) => curve.buys > 4 ? {
        creator: keyText(launch.creator), short: keyText(launch.user).slice(0, 5) + '..' + keyText(launch.user).slice(-4),
        who: \`\${launch.name} (\${launch.symbol}) by \${keyText(launch.creator).toLowerCase()}\`, shout: launch.name.toUpperCase(),
        tx: signatureText(launch.signature), hash: launch.hash8, link: launch.uri, where: formatPosition(position),
        when: new Date(curve.lastAt * 1000).toISOString(), day: new Date(launch.at * 1000).toISOString().slice(0, 10), ms: launch.at * 1000,
        text: \`slot \${position.number} at \${curve.lastAt}\`, hour: new Date(launch.at * 1000).getUTCHours(),
      } : undefined`,
      "import { formatPosition, keyText, signatureText } from 'mintfold/detector'",
    )
    expect(report).toMatchObject({ firings: 12, flipsTotal: 0, examples: [] })
  })

  test.each<readonly [FlipKind, string, string, string]>([
    ['remembers', 'a count', '() => (n++ > 20 ? { n } : undefined)', 'let n = 0'],
    [
      'remembers',
      'what it has fired for',
      '({ curve }) => (curve.buys > 3 && !done ? ((done = true), {}) : undefined)',
      'let done = false',
    ],
    [
      'remembers',
      'other mints',
      '({ launch }) => (seen.size > 4 && !seen.has(launch.creator) ? {} : void seen.add(launch.creator))',
      'const seen = new Set<string>()',
    ],
    ['knows addresses', 'a creator', `({ launch }) => (launch.creator === ${constant(THIRD.launch.creator)} ? {} : undefined)`, ''],
    [
      'knows addresses',
      'a creator it does not fire for',
      `({ launch, curve }) => (curve.buys > 2 && launch.creator !== ${constant(THIRD.launch.creator)} ? {} : undefined)`,
      '',
    ],
    ['knows addresses', 'a signature', `({ launch }) => (launch.signature < ${constant('\x80')} ? {} : undefined)`, ''],
    ['knows addresses', 'a word of a name', '({ launch }) => (/of c/.test(launch.name) ? {} : undefined)', ''],
    ['knows addresses', 'letters of an address in its evidence', '({ launch }) => ({ n: launch.user.charCodeAt(0) })', ''],
    ['knows addresses', "a block's hash", `({ launch }) => (launch.hash8 === ${constant(THIRD.launch.hash8)} ? {} : undefined)`, ''],
    ['knows dates', 'a slot', `({ launch }) => (launch.number === ${THIRD.launch.number} ? {} : undefined)`, ''],
    [
      'knows dates',
      'slots modulo a round number',
      `({ launch }) => (launch.number % 10000 === ${THIRD.launch.number % 10_000} ? {} : undefined)`,
      '',
    ],
    ['knows dates', 'times from one on', `({ launch }) => (launch.at > ${THIRD.launch.at} ? {} : undefined)`, ''],
    ['knows dates', 'times up to one', `({ launch }) => (launch.at < ${THIRD.launch.at} ? {} : undefined)`, ''],
    ['knows dates', 'seconds of the week', `({ launch }) => (launch.at % 604800 === ${THIRD.launch.at % 604_800} ? {} : undefined)`, ''],
    ['knows dates', 'minutes of the hour', '({ launch }) => (new Date(launch.at * 1000).getUTCMinutes() === 20 ? {} : undefined)', ''],
    [
      'depends on order',
      'a call it has seen long before',
      '({ curve }) => { const old = first.get(curve.buys); first.set(curve.buys, old ?? curve.sells); return (old ?? curve.sells) > 6 ? {} : undefined }',
      'const first = new Map<number, number>()',
    ],
  ])('finds that it %s: %s', async (kind, _title, find, before) => {
    const { flips, flipsTotal, examples } = await reportOf(find, before)
    expect(flips[kind]).toBeGreaterThan(0)
    if (kind !== 'remembers' && kind !== 'depends on order') expect(flips).toEqual({ ...NONE, [kind]: flipsTotal })
    const example = examples.find((one) => one.kind === kind)
    expect(example).toMatchObject({ position: expect.stringMatching(/^solana:443000\d+\./), curve: expect.stringMatching(/^\w{32,44}$/) })
  })

  test('reports the first example with its mint and both answers', async () => {
    const { examples } = await reportOf(
      `({ launch, curve }) => (launch.creator === ${constant(FIRST.launch.creator)} ? { buys: curve.buys } : undefined)`,
    )
    const { launch, position } = FIRST
    const curve = keyText(launch.bondingCurve)
    const [at, launched] = [`solana:${position.number}.0.0.1`, `solana:${launch.number}.0.1.2`]
    expect(examples).toEqual([
      { kind: 'knows addresses', position: at, launch: launched, curve, was: { buys: 1 }, is: null, failure: null },
    ])
  })

  test('finds a memory that outlives a run', async () => {
    const { flips, flipsTotal, calls } = await reportOf(`() => (asked++ > ${CALLS.length * 2} ? {} : undefined)`, 'let asked = 0')
    expect(calls).toBe(CALLS.length)
    expect(flips).toEqual({ ...NONE, 'depends on order': flipsTotal })
    expect(flipsTotal).toBeGreaterThan(0)
  })

  test('counts a detector that throws when repeated as a flip', async () => {
    const { flips, examples } = await reportOf(
      `({ launch }) => ({ n: sizes[launch.creator]!.n })`,
      `const sizes: Record<string, { n: number }> = ${constant(Object.fromEntries(CALLS.map(({ launch }) => [launch.creator, { n: 1 }])))}`,
    )
    expect(flips['knows addresses']).toBe(12)
    expect(examples[0]).toMatchObject({ is: null, failure: expect.stringMatching(/Cannot read properties of undefined/) })
  })

  test('reports how many firings depend on exact amounts', async () => {
    const exact = `({ curve }) => (curve.realQuoteUnits === 200_000_000 || curve.realQuoteUnits === 600_000_000 ? { exact: 1 } : undefined)`
    const report = await reportOf(exact)
    expect(report).toMatchObject({ flipsTotal: 0, byExactAmounts: report.firings })
    expect(report.firings).toBeGreaterThan(1)
  })

  test('keeps a bounded sample of calls, the same each time, and finds what most calls show', async () => {
    const find = `({ launch, curve }) => (curve.buys > 2 && launch.at > 0 ? { first: launch.creator.charCodeAt(0) } : undefined)`
    const keptMax = { firings: 6, mints: 4, others: 10 }
    const [one, other] = [await reportOf(find, '', keptMax), await reportOf(find, '', keptMax)]
    expect(one).toEqual(other)
    expect(one.repeated.firings).toBeLessThanOrEqual(6)
    expect(one.repeated.firings).toBeGreaterThanOrEqual(3)
    expect(one.repeated.lastCalls).toBeLessThanOrEqual(4)
    expect(one.repeated.lastCalls).toBeGreaterThanOrEqual(2)
    expect(one.repeated.others).toBeLessThanOrEqual(10)
    expect(one.flips['knows addresses']).toBe(one.repeated.firings)
    expect(keptMaxOf(1)).toEqual(KEPT_MAX)
    expect(keptMaxOf(16)).toEqual({ firings: 256, mints: 128, others: 128 })
    expect(keptMaxOf(1_000)).toEqual({ firings: 16, mints: 16, others: 16 })
  })

  test('covers detectors of curves too', async () => {
    const pad = new Pad()
    const events = [...pad.launch(), ...pad.buy(DEPLOYER_WALLET, ETH / 3n), ...pad.buy(wallet(1), ETH / 9n)]
    const { launch, figures } = stateOf(fold(block(0, events)).engine)
    if (launch === null || figures === null) throw new Error('no curve')
    const position = { chain: 'alt', number: BLOCK0 + 3, tx: 1, outer: 4, inner: 0xffff_fffe } as const
    const rows: CurveRowsSeen = { launch, figures, position, signature: 's'.repeat(32) as Signature }
    const flipsOf = async (find: string): Promise<LookAheadReport['flips']> => {
      const path = givenFiles({
        'mine.ts': sourceOf(find, "import { curveDetector, signatureText } from 'mintfold/detector'").replace(
          'mintDetector({',
          'curveDetector({',
        ),
      })
      const file = await loadDetectorFile(path, async () => false)
      if (file.of !== 'curve') throw new Error('not a detector of curves')
      const watched = watchDetector(file, {}, { seed: 1 })
      expect(watched.find(rows)).toBeDefined()
      return watched.end().flips
    }
    expect(
      await flipsOf('({ figures, signature }) => (figures.buys > 1 && signature !== null ? { tx: signatureText(signature) } : undefined)'),
    ).toEqual(NONE)
    expect((await flipsOf(`({ launch }) => (launch.deployer === ${constant(launch.deployer)} ? {} : undefined)`))['knows addresses']).toBe(
      1,
    )
    expect((await flipsOf(`({ figures }) => (figures.firstBuyNumber === ${figures.firstBuyNumber} ? {} : undefined)`))['knows dates']).toBe(
      1,
    )
  })
})
