// A log filled for another number of partitions, while the first one goes on: afterwards it has what a log with that number would have had.
import { rawRecordCodec } from '../../schemas/codecs.ts'
import { EngineError } from '../../schemas/errors.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Commit, Log, TaskOwner } from '../../topology/ports/log.ts'
import { captureOwner } from '../../topology/ports/source-owners.ts'
import { repartition } from '../../topology/versions/partitions/repartition.ts'
import { memoryStaging } from '../../topology/versions/rebuild/staging-stores.ts'
import { pause } from '../../topology/waiting/waiting.ts'
import { logOnce } from '../fixtures/log-once.ts'
import { contentsOf, differencesOf, foldAll, marketBodies, QUICK, trimTape, wiringOf } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { until } from '../tools/until.ts'

const TIMEOUT_MS = 120_000
/** A build that does not wait is done sooner. */
const WAITED_MS = 3_000
const bodies = marketBodies(60, 9)
const WIRING = wiringOf(2)
const COPYING = { ...QUICK, baseIntervalS: 4, basePagesMax: 100 }

/** Capture: sends the bodies of a range with its position. */
const send = async (log: Log, from: number, to: number): Promise<void> => {
  const owner = await log.own(captureOwner('solana'))
  const outputs = bodies.slice(from, to).map((body, i) => ({
    ...{ topic: TOPICS.raw, partition: 0, key: Buffer.from('solana') },
    value: rawRecordCodec.encode({ sequence: from + i, body }),
  }))
  await owner.commit({ outputs, inputs: new Map([['sequence', to]]) })
}

/** Everything folded at once. */
const undisturbed = (partitions: number): Promise<Log> =>
  logOnce(`${partitions}`, partitions, async (log) => {
    await send(log, 0, bodies.length)
    await foldAll(log, WIRING, {}, COPYING)
  })

const committedOf =
  (log: Log) =>
  async (id: string): Promise<ReadonlyMap<string, number>> =>
    (await log.own(id)).committed()

interface Following {
  readonly done: Promise<boolean>
  readonly end: () => Promise<boolean>
}
/** Runs a repartition until it follows; `end` stops it. */
const following = async (from: Log, to: Log, staging = memoryStaging(), committed = committedOf(from)): Promise<Following> => {
  const stop = new AbortController()
  const given = { from, to, topology: WIRING, limits: COPYING, staging, committed, stop: stop.signal }
  let done: Promise<boolean> = Promise.resolve(false)
  await new Promise<void>((resolve, reject) => {
    done = repartition({ ...given, progress: () => {}, follows: resolve })
    done.catch(reject)
  })
  return {
    done,
    end: () => {
      stop.abort()
      return done
    },
  }
}

const sent = (to: Log, count: number): Promise<void> => until(() => to.end(TOPICS.raw, 0) >= count)

/** Expects what a log with so many partitions would have; the tape too, unless that was trimmed. */
const expectUndisturbed = async (to: Log, partitions: number, isTrimmed = false): Promise<void> => {
  const wanted = await contentsOf(await undisturbed(partitions))
  for (const name of ['tape', 'flags', 'outcomes', 'judgements', 'mints', 'creators']) expect(wanted[name]).not.toHaveLength(0)
  const names = Object.keys(wanted).filter((name) => !(isTrimmed && name === 'tape'))
  expect(differencesOf(await contentsOf(to), wanted, names)).toEqual([])
}

/** A log that is killed at a commit: this one and all later ones fail. */
const killedAt = (log: Log, commits: number): Log => {
  let count = 0
  return withOwners(log, async (id, isShared) => {
    const owner = await log.own(id, isShared)
    const commit = (one: Commit): Promise<void> => {
      if (++count > commits) throw new EngineError('log_unreachable', 'killed')
      return owner.commit(one)
    }
    return { ...owner, committed: () => owner.committed(), commit }
  })
}

/** A log whose fold tasks cannot commit before `release`. */
const holding = (log: Log) => {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const owners = new Map<string, TaskOwner>()
  const { name } = WIRING.folds(log.partitions(TOPICS.tape))
  const held = withOwners(log, async (id, isShared) => {
    const owner = await log.own(id, isShared)
    owners.set(id, owner)
    const commit = async (one: Commit): Promise<void> => {
      if (id.startsWith(`${name}-`)) await released
      await owner.commit(one)
    }
    return { ...owner, committed: () => owner.committed(), commit }
  })
  const committed = async (id: string): Promise<ReadonlyMap<string, number>> => owners.get(id)?.committed() ?? new Map()
  return { held, committed, release: () => release() }
}

describe('a log filled for another number of partitions', () => {
  test.each([
    [3, 5, 0.5],
    [4, 2, 0.31],
    [1, 3, 0.62],
    [3, 1, 0.87],
  ])(
    'continues as if it had had them from the start: from %i to %i',
    async (before, after, share) => {
      const first = Math.floor(bodies.length * share)
      const second = first + Math.floor((bodies.length - first) / 2)
      const [from, to] = [createMemoryLog({ partitions: before }), createMemoryLog({ partitions: after })]
      await send(from, 0, first)
      await foldAll(from, WIRING, {}, COPYING)
      const moving = await following(from, to)
      await send(from, first, second)
      await sent(to, second)
      await foldAll(to, WIRING, {}, COPYING)
      await send(to, second, bodies.length)
      expect(await moving.done).toBe(true)
      await foldAll(to, WIRING, {}, COPYING)
      await expectUndisturbed(to, after)
    },
    TIMEOUT_MS,
  )

  test(
    'waits for tasks that have not folded yet what is copied',
    async () => {
      const cut = Math.floor(bodies.length * 0.8)
      const [from, to] = [createMemoryLog({ partitions: 2 }), createMemoryLog({ partitions: 3 })]
      const { held, committed, release } = holding(from)
      await send(held, 0, cut)
      const folding = foldAll(held, WIRING, {}, COPYING)
      await until(async () => ((await committed(`${WIRING.decode(2).name}-0`)).get('raw.solana/0') ?? 0) >= cut)
      const filling = following(from, to, memoryStaging(), committed)
      const isFilled = await Promise.race([filling.then(() => true), pause(WAITED_MS).then(() => false)])
      expect(isFilled).toBe(false)
      release()
      await folding
      await (await filling).end()
      await send(to, cut, bodies.length)
      await foldAll(to, WIRING, {}, COPYING)
      await expectUndisturbed(to, 3)
    },
    TIMEOUT_MS,
  )

  test(
    'keeps rows and conclusions that are older than the tape',
    async () => {
      const cut = Math.floor(bodies.length * 0.8)
      const [from, to] = [createMemoryLog({ partitions: 2 }), createMemoryLog({ partitions: 3 })]
      await send(from, 0, cut)
      await foldAll(from, WIRING, {}, COPYING)
      await trimTape(from, 0.4)
      await (await following(from, to)).end()
      expect(to.start(TOPICS.tape, 0)).toBeGreaterThan(0)
      await send(to, cut, bodies.length)
      await foldAll(to, WIRING, {}, COPYING)
      await expectUndisturbed(to, 3, true)
    },
    TIMEOUT_MS,
  )

  test(
    'is refused by tasks until it is complete, and filled again after a kill at any commit',
    async () => {
      const cut = Math.floor(bodies.length * 0.6)
      const from = createMemoryLog({ partitions: 2 })
      await send(from, 0, cut)
      await foldAll(from, WIRING, {}, COPYING)
      const to = createMemoryLog({ partitions: 3 })
      let kills = 0
      for (; ; kills++) {
        const moving = await following(from, killedAt(to, kills + 1)).catch((failure: Error) => failure)
        if (!(moving instanceof Error)) {
          await moving.end().catch(() => {})
          break
        }
        expect(moving.message).toBe('killed')
        await expect(foldAll(to, WIRING, {}, COPYING)).rejects.toMatchObject({ code: 'half_made' })
      }
      expect(kills).toBeGreaterThan(8)
      await foldAll(to, WIRING, {}, COPYING)
      await send(to, cut, bodies.length)
      await foldAll(to, WIRING, {}, COPYING)
      await expectUndisturbed(to, 3, true)
    },
    TIMEOUT_MS,
  )

  test(
    'and the former one follow each other: back again, with nothing lost',
    async () => {
      const [one, two, three] = [0.4, 0.6, 0.8].map((share) => Math.floor(bodies.length * share)) as [number, number, number]
      const [from, to] = [createMemoryLog({ partitions: 2 }), createMemoryLog({ partitions: 3 })]
      await send(from, 0, one)
      await foldAll(from, WIRING, {}, COPYING)
      await (await following(from, to)).end()
      await send(to, one, two)
      await foldAll(to, WIRING, {}, COPYING)
      const back = await following(to, from)
      await send(to, two, three)
      await sent(from, three)
      await back.end()
      await send(from, three, bodies.length)
      await foldAll(from, WIRING, {}, COPYING)
      await expectUndisturbed(from, 2)
    },
    TIMEOUT_MS,
  )

  test('is refused before anything is decoded or final, and if frames in between are gone', async () => {
    const [from, to] = [createMemoryLog({ partitions: 2 }), createMemoryLog({ partitions: 3 })]
    await expect(following(from, to)).rejects.toThrow('solana: nothing was folded yet: start mintfold process first')
    await send(from, 0, 200)
    await foldAll(from, WIRING, {}, COPYING)
    await (await following(from, to)).end()
    await send(from, 200, 300)
    await from.trim(TOPICS.raw, 0, 250)
    await expect(following(from, to)).rejects.toThrow(
      "solana: the other log has frames up to capture's number 199, and this one only from 250 on",
    )
  })
})
