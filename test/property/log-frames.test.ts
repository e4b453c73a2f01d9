// Reading any range of frames from a log whose chain forks gives the frames of the canonical branch, complete and in order.
import fc from 'fast-check'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import type { Finality, RawFrame, RawRecord } from '../../schemas/types.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { type Bound, framesOfLog, keptFrames, type Range } from '../../topology/sources/recording/log-frames.ts'
import { type Move, recordsOf, type Step, storyOf } from '../fixtures/forked-log.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const START = 100
const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({ back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(5)), branch: fc.constantFrom('a' as const, 'b' as const) }),
  { maxLength: 40 },
)
const rawOf = (steps: readonly Step[]): RawRecord['body'][] =>
  (recordsOf(steps, 1).get(`${TOPICS.raw.name}/0`) ?? []).map(({ value }) => {
    const read = rawRecordCodec.decode(value as Uint8Array)
    if (!read.ok) throw new Error(read.reason)
    return read.value.body
  })
/** Adds a finality report after each complete frame: frames at least `behind` slots older than it are finalized. */
const withFinality = (bodies: readonly RawRecord['body'][], behind: number): RawRecord['body'][] =>
  bodies.flatMap((body) => {
    if (body.type !== 'frame' || body.part < body.parts - 1) return [body]
    const finality: Finality = { type: 'finality', chain: 'solana', confirmed: body.number, finalized: body.number - behind }
    return [body, finality]
  })
const framesOf = async (bodies: readonly RawRecord['body'][], range: Range, trimmed = 0): Promise<RawFrame[]> => {
  const log = createMemoryLog({ partitions: 1 })
  await appendRaw(log, bodies, 0)
  if (trimmed > 0) await log.trim(TOPICS.raw, 0, trimmed)
  const frames: RawFrame[] = []
  for await (const frame of framesOfLog(log, TOPICS.raw, range)) frames.push(frame)
  return frames
}
const labelsOf = (frames: readonly RawFrame[]): string[] =>
  frames.map(({ number, hash, part, parts }) => `${number} ${hash} ${part}/${parts}`)
const isIn = ({ number, blockTime }: RawFrame, { from, to }: Range): boolean => {
  const of = ({ by }: Bound): number => (by === 'number' ? number : (blockTime ?? 0))
  return (from === undefined || of(from) >= from.at) && (to === undefined || of(to) <= to.at)
}

test('any range of slots or times gives its canonical frames, complete and in order', () => {
  const bound = (by: Bound['by'], from: number): fc.Arbitrary<Bound> =>
    fc.integer({ min: -3, max: 60 }).map((at) => ({ by, at: from + at }))
  const time = Number(rawOf(storyOf([], START).steps).map((body) => (body.type === 'frame' ? body.blockTime : 0))[0])
  const bounds = fc.option(fc.oneof(bound('number', START), bound('time', time)), { nil: undefined })
  return fc.assert(
    fc.asyncProperty(moves, fc.integer({ min: 12, max: 20 }), bounds, bounds, async (all, behind, from, to) => {
      const { steps, canonical } = storyOf(all, START)
      const range = { ...(from && { from }), ...(to && { to }) }
      const expected = rawOf(canonical).filter((body): body is RawFrame => body.type === 'frame' && isIn(body, range))
      expect(labelsOf(await framesOf(withFinality(rawOf(steps), behind), range))).toEqual(labelsOf(expected))
    }),
    { numRuns: 200 },
  )
})

test('gives the canonical frames that are still complete after retention trimmed within a frame or an orphaned branch', () =>
  fc.assert(
    fc.asyncProperty(moves, fc.nat(30), async (all, trim) => {
      const { steps, canonical } = storyOf(all, START)
      const bodies = rawOf(steps)
      const trimmed = Math.min(trim, bodies.length - 1)
      const whole = new Set(
        bodies.slice(trimmed).flatMap((body) => (body.type === 'frame' && body.part === 0 ? [`${body.number} ${body.hash}`] : [])),
      )
      const expected = rawOf(canonical).filter(
        (body): body is RawFrame => body.type === 'frame' && whole.has(`${body.number} ${body.hash}`),
      )
      expect(labelsOf(await framesOf(bodies, {}, trimmed))).toEqual(labelsOf(expected))
    }),
    { numRuns: 200 },
  ))

test('frames up to the finalized one are recorded as final, later ones with their original status', async () => {
  const { steps } = storyOf(
    Array.from({ length: 9 }, () => ({ back: 0, branch: 'a' as const })),
    START,
  )
  const frames = await framesOf(withFinality(rawOf(steps), 4), {})
  const statuses = frames.map(({ number, status }) => `${number} ${status}`)
  expect(statuses).toEqual(frames.map(({ number }) => `${number} ${number <= START + 10 - 4 ? 'finalized' : 'processed'}`))
})

test('reports the oldest and newest frame of a log, and none for an empty log', async () => {
  const log = createMemoryLog({ partitions: 1 })
  expect(await keptFrames(log, TOPICS.raw)).toBeUndefined()
  const bodies = rawOf(
    storyOf(
      Array.from({ length: 9 }, () => ({ back: 0, branch: 'a' as const })),
      START,
    ).steps,
  )
  await appendRaw(log, withFinality(bodies, 4), 0)
  const [oldest, newest] = [bodies[0] as RawFrame, bodies.at(-1) as RawFrame]
  expect(await keptFrames(log, TOPICS.raw)).toEqual({
    oldest: { number: oldest.number, time: oldest.blockTime },
    newest: { number: newest.number, time: newest.blockTime },
  })
  await appendRaw(
    log,
    Array.from({ length: 600 }, () => ({ type: 'finality' as const, chain: 'solana' as const, confirmed: 105, finalized: 100 })),
    0,
  )
  expect((await keptFrames(log, TOPICS.raw))?.newest.number).toBe(newest.number)
})

test('retention that trims unread records is an error that states what to do', async () => {
  const log = createMemoryLog({ partitions: 1 })
  await appendRaw(
    log,
    rawOf(
      storyOf(
        Array.from({ length: 9 }, () => ({ back: 0, branch: 'a' as const })),
        START,
      ).steps,
    ),
    0,
  )
  // A stale `start` makes the read begin at an offset that is trimmed by then.
  const stale = { ...log, start: () => -1, read: log.read.bind(log), end: log.end.bind(log), partitions: log.partitions.bind(log) }
  await log.trim(TOPICS.raw, 0, 3)
  await expect(framesOfLog(stale, TOPICS.raw, {}).next()).rejects.toMatchObject({
    code: 'offset_expired',
    message: expect.stringContaining('a later --from'),
  })
})
