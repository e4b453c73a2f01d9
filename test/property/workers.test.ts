// Random orders of assignments, restores, ends, failures, restarts and stops: each assigned partition has one task, the others none.
import fc from 'fast-check'
import { EngineError } from '../../schemas/errors.ts'
import { TaskManager } from '../../topology/runtime/task-manager.ts'
import type { RunningTask, TaskSpec } from '../../topology/runtime/task-spec.ts'
import { LEAVE_MS_MAX } from '../../topology/runtime/task-supervisor.ts'
import { stopped } from '../../topology/waiting/waiting.ts'

const PARTS = ['a', 'b'] as const
const SETTLE_MS = 20_000
const RUNS = Number(process.env.PROPERTY_RUNS ?? 300)

type Phase = 'following' | 'restoring' | 'running' | 'over'

/** A task whose restore and last commit end when the test releases them. */
class HeldWork implements RunningTask {
  readonly isCaughtUp = true
  phase: Phase = 'restoring'
  stoppedAtMs: number | undefined
  /** A later task of the partition exists. */
  isFenced = false
  #progress = 0
  #held: { resolve: () => void; reject: (failure: unknown) => void } | undefined

  /** The restore always makes progress. */
  get progress(): number {
    return this.#progress++
  }
  async follow(end: AbortSignal): Promise<void> {
    this.phase = 'following'
    await stopped(end)
    this.phase = 'restoring'
  }
  restore(): Promise<void> {
    return this.#hold()
  }
  async run(): Promise<void> {
    this.phase = 'running'
    await this.#hold()
  }
  stop(): void {
    this.stoppedAtMs ??= Date.now()
  }
  get isAtWork(): boolean {
    return this.phase === 'running' && this.stoppedAtMs === undefined
  }
  /** Ends the restore, or the last commit of a stopped task. */
  goOn(): void {
    if (this.#held === undefined || this.isAtWork) return
    if (this.isFenced) {
      this.fail('fenced')
      return
    }
    if (this.phase === 'running') this.phase = 'over'
    const held = this.#held
    this.#held = undefined
    held.resolve()
  }
  /** Returns false if nothing is held that could fail. */
  fail(code: 'fenced' | 'log_full'): boolean {
    if (this.#held === undefined) return false
    this.phase = 'over'
    const held = this.#held
    this.#held = undefined
    held.reject(new EngineError(code, 'injected failure'))
    return true
  }
  #hold(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#held = { resolve, reject }
    })
  }
}

const given = () => {
  const works: Record<string, HeldWork[]> = { a: [], b: [] }
  const twice: string[] = []
  const partOf = (name: string): TaskSpec => ({
    name,
    topicPartition: name,
    create: () => {
      const before = works[name] ?? []
      for (const other of before) {
        const isLeftAlone = other.stoppedAtMs !== undefined && Date.now() - other.stoppedAtMs >= LEAVE_MS_MAX
        if (other.phase !== 'over' && !isLeftAlone) twice.push(`${name} begins while its work is ${other.phase}`)
        other.isFenced = true
      }
      const work = new HeldWork()
      works[name] = [...before, work]
      return work
    },
  })
  const parts = PARTS.map(partOf)
  return { parts, works, twice, workers: new TaskManager(parts, SETTLE_MS) }
}
type Given = ReturnType<typeof given>

const name = fc.constantFrom(...PARTS)
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('assign' as const), places: fc.subarray([...PARTS]), others: fc.subarray([...PARTS]) }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('go on' as const), name, at: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('fenced' as const), name, at: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('again' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('time' as const), ms: fc.constantFrom(1, 2_500, LEAVE_MS_MAX) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('turn' as const) }) },
)
type Event = typeof event extends fc.Arbitrary<infer Of> ? Of : never

/** A task of a partition: `at` 0 is the newest, 1 the one before it. */
const newest = ({ works }: Given, of: string, at: number): HeldWork | undefined => works[of]?.at(-1 - at)

const apply = async (one: Given, happens: Event): Promise<ReadonlySet<string> | undefined> => {
  switch (happens.type) {
    case 'assign': {
      const partitions = new Set<string>(happens.places)
      const standbys = new Set(happens.others.filter((part) => !partitions.has(part)))
      one.workers.setAssigned(partitions, standbys).catch(() => {})
      return partitions
    }
    case 'go on':
      newest(one, happens.name, happens.at)?.goOn()
      return
    case 'fenced':
      newest(one, happens.name, happens.at)?.fail('fenced')
      return
    case 'again':
      one.workers.restart(one.parts).catch(() => {})
      return
    case 'time':
      await jest.advanceTimersByTimeAsync(happens.ms)
      return
    case 'turn':
      await jest.advanceTimersByTimeAsync(0)
      return
  }
}

/** Releases everything that is held and passes all time limits, until nothing changes any more. */
const quiet = async ({ works }: Given): Promise<void> => {
  for (let round = 0; round < 8; round++) {
    for (const work of Object.values(works).flat()) work.goOn()
    await jest.advanceTimersByTimeAsync(LEAVE_MS_MAX)
  }
}
const atWork = ({ works }: Given): Record<string, number> =>
  Object.fromEntries(PARTS.map((part) => [part, (works[part] ?? []).filter(({ isAtWork }) => isAtWork).length]))
const wanted = (assigned: ReadonlySet<string>): Record<string, number> =>
  Object.fromEntries(PARTS.map((part) => [part, assigned.has(part) ? 1 : 0]))

describe('workers in random orders of events', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  test('when idle, one task runs for each assigned partition and none for others, and never two at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 24 }), async (events) => {
        const one = given()
        let assigned: ReadonlySet<string> = new Set()
        for (const happens of events) assigned = (await apply(one, happens)) ?? assigned
        await quiet(one)
        expect(atWork(one)).toEqual(wanted(assigned))
        expect(one.workers.areCaughtUp(one.parts)).toBe(true)
        const stopped = one.workers.stop()
        await quiet(one)
        await stopped
        await one.workers.done
        expect(atWork(one)).toEqual(wanted(new Set()))
        expect(one.twice).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('a stop or a failure at any time ends every task, and only a failure is reported', async () => {
    const ends = fc.constantFrom('stop' as const, 'failure' as const)
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 12 }), ends, fc.array(event, { maxLength: 8 }), async (events, end, later) => {
        const one = given()
        for (const happens of events) await apply(one, happens)
        const failing = PARTS.map((part) => newest(one, part, 0)).find((work) => work?.phase !== 'over' && work?.stoppedAtMs === undefined)
        const isFailure = end === 'failure' && failing?.fail('log_full') === true
        await jest.advanceTimersByTimeAsync(0)
        const stopped = one.workers.stop()
        const outcome = stopped.then(
          () => 'stopped',
          (failure: EngineError) => failure.code,
        )
        for (const happens of later) await apply(one, happens)
        await quiet(one)
        expect(await outcome).toBe(isFailure ? 'log_full' : 'stopped')
        expect(atWork(one)).toEqual(wanted(new Set()))
        expect(one.twice).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
