import { createHash } from 'node:crypto'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { frameOf } from '../../topology/simulator/solana/bytes.ts'
import { DEMO_DEFAULTS } from '../../topology/simulator/solana/defaults.ts'
import { simulateMarket } from '../../topology/simulator/solana/market.ts'
import { compareBytes } from '../fixtures/demo-bytes-compare.ts'

/** For an hour of the market: `npx tsx test/soak/demo-bytes.ts`. */
const SECONDS = 400

describe('frames of the simulated market', () => {
  test.each([
    { seed: 1, rate: 1, seconds: SECONDS },
    { seed: 2, rate: 20, seconds: 40 },
  ])(
    'decode to its tape: $seconds seconds of seed $seed at rate $rate',
    ({ seed, rate, seconds }) => {
      const { different, deadLetters, slots, events } = compareBytes({ ...DEMO_DEFAULTS, seed, rate }, seconds)
      expect({ different, deadLetters }).toEqual({ different: [], deadLetters: 0 })
      expect(slots).toBeGreaterThan((seconds / 0.4) * 0.9)
      expect(events.trade).toBeGreaterThan(100)
      expect(events.poolTrade).toBeGreaterThan(100)
      expect(events.launch).toBeGreaterThan(5)
    },
    600_000,
  )
  test('have the same bytes for the same seed and start, and other bytes for another seed', () => {
    const digestOf = (seed: number): string => {
      const hash = createHash('sha256')
      const book = new CoinBook()
      const options = { ...DEMO_DEFAULTS, seed, rate: 5 }
      for (const slot of simulateMarket(options)) {
        if (slot.timeMs >= options.startMs + 30_000) break
        const { body, ...head } = frameOf(slot, book)
        hash.update(JSON.stringify(head)).update(body)
      }
      return hash.digest('hex')
    }
    expect(digestOf(3)).toBe(digestOf(3))
    expect(digestOf(3)).not.toBe(digestOf(4))
  })
})
