// From a frame's arrival until it is shown, on a clock that the test moves.
import { DetectionTimes, LatencyRing } from '../../../topology/views/status/latency.ts'

const WALL_MS = 1_790_000_000_000
const STREAM_S = 1_600_000_000

const given = (speed?: number) => {
  const world = { nowMs: WALL_MS, speed, tip: null as { number: number; time: number; cameMs?: number } | null }
  const line = () => (world.speed === undefined ? undefined : { streamMs: STREAM_S * 1_000, wallMs: WALL_MS, speed: world.speed })
  const times = new DetectionTimes({ tip: () => world.tip, anchor: line }, () => world.nowMs)
  const comes = (number: number, afterMs = 0, cameMs?: number): void => {
    world.nowMs += afterMs
    world.tip = { number, time: STREAM_S + Math.floor((world.nowMs - WALL_MS) / 1_000), ...(cameMs === undefined ? {} : { cameMs }) }
    times.look()
  }
  const shown = (number: number, afterMs: number): void => {
    world.nowMs += afterMs
    times.shown(number)
  }
  return { world, times, comes, shown }
}
const of = (p50Ms: number, p99Ms: number, frames: number) => ({ ok: true, p50Ms, p99Ms, frames })

describe('the ring of latencies', () => {
  test('computes percentiles by nearest rank over 1 to 1,000', () => {
    const ring = new LatencyRing()
    for (let ms = 1_000; ms >= 1; ms--) ring.add(ms)
    expect(ring.latency()).toEqual({ p50Ms: 500, p99Ms: 990, frames: 1_000 })
  })
  test('keeps only the newest values beyond its size', () => {
    const ring = new LatencyRing()
    for (let i = 0; i < 5_000; i++) ring.add(i < 4_000 ? 1e6 : 7)
    expect(ring.latency()).toEqual({ p50Ms: 1e6, p99Ms: 1e6, frames: 2_048 })
    for (let i = 0; i < 1_048; i++) ring.add(7)
    expect(ring.latency()).toEqual({ p50Ms: 7, p99Ms: 7, frames: 2_048 })
  })
  test('is null without values', () => {
    expect(new LatencyRing().latency()).toBeNull()
  })
})

describe('detection times', () => {
  test('measure arrival and block time separately for a source at wall-clock pace', () => {
    const { comes, shown, times } = given(1)
    times.begin()
    comes(10, 300)
    shown(10, 40)
    comes(11, 360)
    shown(11, 60)
    expect(times.current()).toEqual({ fromArrival: of(40, 60, 2), fromBlock: of(340, 760, 2) })
  })
  test('measure each frame of a batch from its own arrival', () => {
    const { comes, shown, times } = given(1)
    for (const number of [10, 11, 12]) comes(number, 100)
    shown(11, 50)
    expect(times.current().fromArrival).toEqual(of(150, 250, 2))
    shown(12, 0)
    expect(times.current().fromArrival).toEqual(of(150, 250, 3))
  })
  test('use the arrival time of the source if it has one', () => {
    const { comes, shown, times, world } = given(1)
    comes(10, 500, world.nowMs + 100)
    shown(10, 10)
    expect(times.current().fromArrival).toEqual(of(410, 410, 1))
  })
  test('exclude orphaned frames, and include those that replaced them', () => {
    const { comes, shown, times } = given(1)
    for (const number of [10, 11, 12]) comes(number, 100)
    comes(11, 100)
    shown(12, 1_000)
    expect(times.current().fromArrival).toEqual(of(1_000, 1_300, 2))
  })
  test('exclude frames that arrived before the process was ready', () => {
    const { comes, shown, times } = given(1)
    comes(10)
    times.begin()
    shown(10, 99_000)
    expect(times.current().fromArrival).toEqual({ ok: false, reason: expect.stringContaining('no frame') })
  })
  test('drop the oldest of too many pending frames and measure the rest', () => {
    const { comes, shown, times } = given(1)
    for (let number = 0; number < 1_500; number++) comes(number, 1)
    shown(1_499, 0)
    expect(times.current().fromArrival).toEqual(of(511, 1_013, 1_024))
  })
  test.each([
    [2, 'stream time runs at 2 times the wall clock'],
    [undefined, 'the source does not report its speed'],
  ])('for pace %s measure arrival but not block time, with the reason', (speed, reason) => {
    const { comes, shown, times } = given(speed)
    comes(10)
    shown(10, 30)
    expect(times.current()).toEqual({ fromArrival: of(30, 30, 1), fromBlock: { ok: false, reason } })
  })
  test('are not measured at full speed, and earlier measurements remain', () => {
    const { comes, shown, times, world } = given(0)
    comes(10)
    shown(10, 30)
    expect(times.current().fromArrival).toEqual({ ok: false, reason: expect.stringContaining('as fast as possible') })
    world.speed = 1
    comes(11)
    shown(11, 30)
    world.speed = 0
    expect(times.current()).toEqual({ fromArrival: of(30, 30, 1), fromBlock: of(60, 60, 1) })
  })
  test('of a source that ended before a frame was shown have a reason that names the end', () => {
    const { times, world } = given(1)
    times.begin()
    world.speed = 0
    const none = { ok: false, reason: expect.stringContaining('the source has ended, or') }
    expect(times.current()).toEqual({ fromArrival: none, fromBlock: none })
  })
  test('are never negative if the clock is set back', () => {
    const { comes, shown, times } = given(1)
    comes(10)
    shown(10, -5_000)
    expect(times.current()).toEqual({ fromArrival: of(0, 0, 1), fromBlock: of(0, 0, 1) })
  })
})
