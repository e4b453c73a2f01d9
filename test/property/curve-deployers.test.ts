// Curves and their deployers' records: the prior of a launch equals a naive count over earlier launches.
import fc from 'fast-check'
import type { Processor, RowKinds } from '../../processors/contract.ts'
import { deployerProcessor } from '../../processors/curve/deployer.ts'
import { CURVE, type CurveRows } from '../../processors/curve/rows.ts'
import type { TapeHeader } from '../../processors/tape.ts'
import type { Key } from '../../schemas/keys.ts'
import type { AltTapeEvent, DeployerPriorRow } from '../../schemas/types.ts'
import { NaiveChain } from '../naive-chain.ts'
import { curveProcessor } from '../unit/processors/curve/curve-given.ts'
import { block, type Frame, key, Pad, T0, wallet } from '../unit/processors/curve/launchpad.ts'

const FRAMES_PER_EPOCH = 10
/** Base units of one whole pair token. */
const UNIT = 1_000_000_000n
/** Hours between launches of one deployer. Each launch settles after one hour without trades, or graduates at once. */
const launches = fc.array(fc.record({ hours: fc.integer({ min: 0, max: 3 }), end: fc.constantFrom('quiet', 'graduates', 'dumped') }), {
  minLength: 1,
  maxLength: 12,
})
const HOUR_BLOCKS = 36_000

const eventsOf = (pad: Pad, end: string): AltTapeEvent[] => {
  const opened = [...pad.launch(), ...pad.buy(pad.deployer, UNIT / 100n)]
  if (end === 'graduates') return [...opened, ...pad.buy(wallet(1), 9n * UNIT), ...pad.graduate()]
  const held = 10n ** 27n - pad.tokens
  return end === 'dumped' ? [...opened, ...pad.sell(pad.deployer, held)] : opened
}

type AnyProcessor = Processor<RowKinds, AltTapeEvent, unknown, TapeHeader>

test('the prior of a launch counts earlier launches and the outcomes settled before it', () => {
  let resolved = 0
  fc.assert(
    fc.property(launches, (steps) => {
      const deployer = key(9)
      let after = 0
      const made = steps.map(({ hours, end }, n) => {
        after += hours * HOUR_BLOCKS + 1_000
        const token = String.fromCharCode(50 + n).repeat(20) as Key
        return {
          after,
          end,
          token,
          pad: new Pad({ token, curve: String.fromCharCode(150 + n).repeat(20) as Key, deployer, threshold: 4n * UNIT }),
        }
      })
      const ticks = Array.from({ length: Math.ceil(after / 500) + 80 }, (_, n) => n * 500)
      const blocks = new Map<number, AltTapeEvent[]>(ticks.map((at) => [at, []]))
      for (const { after: at, end, pad } of made) blocks.set(at, eventsOf(pad, end))
      // Facts apply one epoch later: add blocks after each launch.
      for (const { after: at } of made) for (const later of [10, 20, 30, 40]) blocks.set(at + later, blocks.get(at + later) ?? [])
      const frames: Frame[] = [...blocks].sort(([a], [b]) => a - b).map(([at, events]) => block(at, events))
      const chain = new NaiveChain<AltTapeEvent, TapeHeader>(
        [curveProcessor as unknown as AnyProcessor, deployerProcessor as unknown as AnyProcessor],
        FRAMES_PER_EPOCH,
        frames,
      )
      for (const [n, { after: at, token }] of made.entries()) {
        const prior = chain.engines.get(CURVE)?.rows(token, 'prior')[0] as CurveRows['prior'] | undefined
        if (prior === undefined) continue
        const settled = made.slice(0, n).filter((one) => one.end === 'graduates' || one.after + HOUR_BLOCKS <= at)
        const expected: Partial<DeployerPriorRow> = {
          launches: n,
          resolved: settled.length,
          graduated: settled.filter(({ end }) => end === 'graduates').length,
          rugged: settled.filter(({ end }) => end === 'dumped').length,
          observedSince: T0,
        }
        expect(prior).toMatchObject(expected)
        resolved += settled.length
      }
    }),
    { numRuns: 40 },
  )
  expect(resolved).toBeGreaterThan(20)
})
