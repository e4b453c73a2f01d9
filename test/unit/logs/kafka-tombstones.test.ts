import { Tombstones } from '../../../topology/logs/kafka/reading/tombstones.ts'

const HOUR_MS = 3_600_000

describe('tombstones that brokers may have dropped', () => {
  const given = () => {
    const clock = { nowMs: 0 }
    return { clock, tombstones: new Tombstones(() => clock.nowMs) }
  }
  test('none within a day of the first end that was heard', () => {
    const { clock, tombstones } = given()
    tombstones.heard(100)
    clock.nowMs = 22 * HOUR_MS
    tombstones.heard(900)
    expect(tombstones.floor(900)).toBe(0)
  })
  test('those up to the end of a day ago, and half an hour more, where ends are heard all the time', () => {
    const { clock, tombstones } = given()
    for (; clock.nowMs <= 48 * HOUR_MS; clock.nowMs += HOUR_MS / 4) tombstones.heard(clock.nowMs / HOUR_MS)
    clock.nowMs = 48 * HOUR_MS
    expect(tombstones.floor(48)).toBe(25.5)
  })
  test('everything that came while nothing was heard for a day', () => {
    const { clock, tombstones } = given()
    tombstones.heard(100)
    clock.nowMs = 30 * HOUR_MS
    expect(tombstones.floor(500)).toBe(500)
    tombstones.heard(500)
    expect(tombstones.floor(520)).toBe(500)
  })
})
