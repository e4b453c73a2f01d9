// The watchdog: an assigned partition whose task makes no progress ends the process.
import { EngineError } from '../../schemas/errors.ts'
import { TaskManager } from '../../topology/runtime/task-manager.ts'
import type { RunningTask, TaskSpec } from '../../topology/runtime/task-spec.ts'
import { LEAVE_MS_MAX } from '../../topology/runtime/task-supervisor.ts'
import { IDLE_MS_MAX, STILL_MS_MAX } from '../../topology/runtime/watchdog.ts'

/** A task whose restore and end take as long as the test sets. */
class SlowWork implements RunningTask {
  progress = 0
  steps: number | null = null
  isCaughtUp = true
  isRunning = false
  restored: () => void = () => {}
  end: (failure?: unknown) => void = () => {}
  isStopped = false

  restore(): Promise<void> {
    return new Promise((resolve) => {
      this.restored = resolve
    })
  }
  run(): Promise<void> {
    this.isRunning = true
    return new Promise<void>((resolve, reject) => {
      this.end = (failure) => (failure === undefined ? resolve() : reject(failure))
    }).finally(() => {
      this.isRunning = false
    })
  }
  stop(): void {
    this.isStopped = true
  }
}

const given = (isAssignmentKnown = () => true) => {
  const works: SlowWork[] = []
  const create = (): SlowWork => {
    const work = new SlowWork()
    works.push(work)
    return work
  }
  const parts: TaskSpec[] = [{ name: '3', topicPartition: 'tape/3', create }]
  const workers = new TaskManager(parts, 1_000, isAssignmentKnown)
  return { workers, works, parts }
}
const HERE = new Set(['tape/3'])
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms)
const endOf = (workers: TaskManager): Promise<string> =>
  Promise.race([
    workers.done.then(
      () => 'stopped',
      (failure: EngineError) => `${failure.code}: ${failure.message}`,
    ),
    Promise.resolve().then(() => new Promise<string>((resolve) => setImmediate(() => resolve('running')))),
  ])

describe('assigned partitions without a working task', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  test('a restore without progress for 30 s ends the process, and the error names task and partition', async () => {
    const { workers } = given()
    workers.setAssigned(HERE).catch(() => {})
    await pass(IDLE_MS_MAX - 1_000)
    expect(await endOf(workers)).toBe('running')
    await pass(3_000)
    expect(await endOf(workers)).toMatch(/^part_idle: this process owns 3 \(tape\/3\), which made no progress for 30 s/)
  })
  test('a restore with progress may take longer', async () => {
    const { workers, works } = given()
    workers.setAssigned(HERE).catch(() => {})
    for (let second = 0; second < 90; second += 20) {
      for (const work of works) work.progress++
      await pass(20_000)
    }
    expect(await endOf(workers)).toBe('running')
  })
  test('a task that ended without a stop ends the process after 30 s', async () => {
    const { workers, works, parts } = given()
    const assigned = workers.setAssigned(HERE)
    await pass(0)
    works[0]?.restored()
    await assigned
    await pass(60_000)
    expect(await endOf(workers)).toBe('running')
    expect(workers.areCaughtUp(parts)).toBe(true)
    works[0]?.end()
    await pass(0)
    expect(workers.areCaughtUp(parts)).toBe(false)
    await pass(IDLE_MS_MAX + 2_000)
    expect(await endOf(workers)).toMatch(/^part_idle/)
  })
  test('a run without a step for 5 minutes despite pending input ends the process; a run that waits or progresses continues', async () => {
    const { workers, works } = given()
    const assigned = workers.setAssigned(HERE)
    await pass(0)
    const [work] = works as [SlowWork]
    work.restored()
    await assigned
    await pass(2 * STILL_MS_MAX)
    for (work.steps = 0; work.steps < 4; work.steps++) await pass(STILL_MS_MAX - 10_000)
    work.steps = null
    await pass(2_000)
    work.steps = 4
    await pass(STILL_MS_MAX)
    expect(await endOf(workers)).toBe('running')
    await pass(3_000)
    expect(await endOf(workers)).toMatch(/^part_idle: this process owns 3 \(tape\/3\), which made no progress for 300 s/)
  })
  test('nothing counts as idle while the group does not respond', async () => {
    let isAssignmentKnown = false
    const { workers } = given(() => isAssignmentKnown)
    workers.setAssigned(HERE).catch(() => {})
    await pass(10 * IDLE_MS_MAX)
    expect(await endOf(workers)).toBe('running')
    isAssignmentKnown = true
    await pass(IDLE_MS_MAX + 2_000)
    expect(await endOf(workers)).toMatch(/^part_idle/)
  })
  test('the process is caught up if every assigned partition has a task that is; unassigned partitions do not count', async () => {
    const { workers, parts } = given()
    expect(workers.areCaughtUp(parts)).toBe(true)
    const assigned = workers.setAssigned(HERE)
    expect(workers.areCaughtUp(parts)).toBe(false)
    workers.setAssigned(new Set()).catch(() => {})
    await pass(LEAVE_MS_MAX)
    await assigned
    expect(workers.areCaughtUp(parts)).toBe(true)
    await pass(2 * IDLE_MS_MAX)
    expect(await endOf(workers)).toBe('running')
  })
  test('a task that does not end within its limit is abandoned; the next task starts and fences it, and the process continues', async () => {
    const { workers, works } = given()
    const first = workers.setAssigned(HERE)
    await pass(0)
    works[0]?.restored()
    await first
    workers.setAssigned(new Set()).catch(() => {})
    const second = workers.setAssigned(HERE)
    await pass(LEAVE_MS_MAX - 1)
    expect(works).toHaveLength(1)
    await pass(1)
    expect(works).toHaveLength(2)
    works[1]?.restored()
    await second
    works[0]?.end(new EngineError('fenced', 'taken over'))
    await pass(10_000)
    expect(works.map(({ isRunning }) => isRunning)).toEqual([false, true])
    expect(await endOf(workers)).toBe('running')
  })
  test('ignores an environment failure of an abandoned task, and reports a bug', async () => {
    const { workers, works } = given()
    workers.setAssigned(HERE).catch(() => {})
    await pass(0)
    workers.setAssigned(new Set()).catch(() => {})
    workers.setAssigned(HERE).catch(() => {})
    await pass(LEAVE_MS_MAX)
    works[0]?.restored()
    await pass(0)
    works[0]?.end(new EngineError('log_unreachable', 'nobody answers'))
    works[1]?.restored()
    await pass(0)
    expect(await endOf(workers)).toBe('running')
    workers.setAssigned(new Set()).catch(() => {})
    workers.setAssigned(HERE).catch(() => {})
    await pass(LEAVE_MS_MAX)
    works[1]?.end(new Error('a bug'))
    await pass(0)
    expect(await endOf(workers)).toMatch(/a bug/)
  })
})
