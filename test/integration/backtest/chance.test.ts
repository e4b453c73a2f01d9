// Detectors without information: no more of them pass than chance allows.
import { keyText } from '../../../schemas/keys.ts'
import { mixed } from '../../../topology/backtest/look-ahead/sample.ts'
import { backtested, demoMarket, type MintCandidate } from '../../fixtures/backtest-market.ts'

const COUNT = 200
const { tape } = demoMarket({ seed: 11, rate: 1, seconds: 2.5 * 3_600 })

/** Flags a share of all launches, each at a random trade count. */
const randomDetector = (seed: number): MintCandidate => ({
  name: `random ${seed}`,
  detector: { id: `random-${seed}`, version: 1, hash: null, tier: 'yours', flag: 'random', firesWhen: 'at random' },
  settings: {},
  isDefault: true,
  find: ({ launch, curve }) => {
    const key = keyText(launch.bondingCurve)
    let hash = mixed(seed, 17)
    for (let i = 0; i < key.length; i += 4) hash = mixed(hash, key.charCodeAt(i) * 1_000 + key.charCodeAt(i + 1))
    const [share, at] = [(hash >>> 16) / 65_536, hash & 31]
    return share < 0.1 + (seed % 10) / 20 && curve.trades >= at ? { at } : undefined
  },
})

test(`of ${COUNT} random detectors no more pass than chance allows, within three standard errors`, () => {
  const { settings, summary } = backtested(
    tape,
    Array.from({ length: COUNT }, (_, seed) => randomDetector(seed)),
  )
  expect(summary.tried).toBe(COUNT)
  const p = settings.map(({ placebo }) => placebo.p ?? 1)
  expect(settings.filter(({ judged }) => judged > 5).length).toBeGreaterThan(COUNT * 0.8)
  const within = (level: number): number => COUNT * level + 3 * Math.sqrt(COUNT * level * (1 - level))
  for (const level of [0.05, 0.2, 0.5]) expect([level, p.filter((one) => one <= level).length <= within(level)]).toEqual([level, true])
  // If p-values were too large, nothing would ever pass: check the median too.
  expect(p.filter((one) => one <= 0.5).length).toBeGreaterThan(COUNT * 0.5 - 3 * Math.sqrt(COUNT * 0.25) - COUNT * 0.15)
  const passed = settings.filter(({ placebo }) => placebo.q !== null && placebo.q <= 0.05)
  expect(passed.map(({ name }) => name)).toEqual([])
})

test('one that knows the outcome of half of the rugs passes among them', () => {
  const sold: MintCandidate = {
    ...randomDetector(0),
    name: 'drained',
    find: ({ launch, curve }) =>
      (launch.bondingCurve.charCodeAt(7) & 1) === 0 && (curve.drainAt !== 0 || curve.devDumpAt !== 0) ? { at: 1 } : undefined,
  }
  const { settings } = backtested(tape, [sold, ...Array.from({ length: 50 }, (_, seed) => randomDetector(seed))])
  expect(settings[0]?.placebo.q).toBeLessThan(1e-6)
  expect(settings[0]?.precision.value).toBe(1)
})
