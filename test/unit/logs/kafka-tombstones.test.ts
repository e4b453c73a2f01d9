// Brokers remove tombstones a day after compaction sees them: `floor` is the offset below which they may be gone.
import { Tombstones } from '../../../topology/logs/kafka/reading/tombstones.ts'

const HOUR_MS = 3_600_000

describe('tombstones that brokers may have removed', () => {
  const given = () => {
    const clock = { nowMs: 0 }
    return { clock, tombstones: new Tombstones(() => clock.nowMs) }
  }
  test('are none within 23 h of the first observed end', () => {
    const { clock, tombstones } = given()
    tombstones.observeEnd(100)
    clock.nowMs = 22 * HOUR_MS
    tombstones.observeEnd(900)
    expect(tombstones.floor(900)).toBe(0)
  })
  test('are all below the end of 22.5 h ago, if ends are observed continuously', () => {
    const { clock, tombstones } = given()
    for (; clock.nowMs <= 48 * HOUR_MS; clock.nowMs += HOUR_MS / 4) tombstones.observeEnd(clock.nowMs / HOUR_MS)
    clock.nowMs = 48 * HOUR_MS
    expect(tombstones.floor(48)).toBe(25.5)
  })
  test('are all below the next observed end, if no end was observed for a day', () => {
    const { clock, tombstones } = given()
    tombstones.observeEnd(100)
    clock.nowMs = 30 * HOUR_MS
    expect(tombstones.floor(500)).toBe(500)
    tombstones.observeEnd(500)
    expect(tombstones.floor(520)).toBe(500)
  })
})
