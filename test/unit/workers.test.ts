import { EngineError } from '../../schemas/errors.ts'
import { TaskManager } from '../../topology/runtime/task-manager.ts'
import type { RunningTask, TaskSpec } from '../../topology/runtime/task-spec.ts'
import { RETAKES_MAX } from '../../topology/runtime/task-supervisor.ts'
import { stopped } from '../../topology/waiting/waiting.ts'

/** A task that ends when it is stopped or failed; it records its events. */
class RecordingTask implements RunningTask {
  readonly isCaughtUp = true
  readonly progress = 0
  readonly #name: string
  readonly #events: string[]
  #end: { resolve: () => void; reject: (failure: unknown) => void } = { resolve: () => {}, reject: () => {} }
  #isStopped = false
  /** Another process takes the task over during its restore. */
  isOvertaken = false
  isWarm = false
  /** What ends the following; undefined: it goes on until the task is to run. */
  followFailure: EngineError | undefined

  constructor(name: string, events: string[]) {
    this.#name = name
    this.#events = events
  }
  async follow(end: AbortSignal): Promise<void> {
    this.#events.push(`${this.#name} follows`)
    if (this.followFailure !== undefined) throw this.followFailure
    await stopped(end)
  }
  async restore(): Promise<void> {
    this.#events.push(`${this.#name} restores`)
    if (this.isOvertaken) throw new EngineError('fenced', `${this.#name} was taken over`)
  }
  run(): Promise<void> {
    this.#events.push(`${this.#name} runs`)
    return new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
      if (this.#isStopped) resolve()
    })
  }
  stop(): void {
    this.#isStopped = true
    this.#events.push(`${this.#name} stops`)
    this.#end.resolve()
  }
  fail(code: 'fenced' | 'log_full'): void {
    this.#end.reject(new EngineError(code, `${this.#name} failed`))
  }
}

const given = (settleMs: number, names: readonly string[], overtakenFirst = false) => {
  const events: string[] = []
  const tasks = new Map<string, RecordingTask>()
  const specs = names.map(
    (name): TaskSpec => ({
      name,
      topicPartition: name,
      create: () => {
        const task = new RecordingTask(name, events)
        task.isOvertaken = overtakenFirst && !tasks.has(name)
        tasks.set(name, task)
        return task
      },
    }),
  )
  return { manager: new TaskManager(specs, settleMs), events, tasks }
}
/** The next task that is created fails while it follows. */
const failNext = (tasks: Map<string, RecordingTask>, code: 'log_unreachable'): void => {
  const set = tasks.set.bind(tasks)
  tasks.set = (name, task) => {
    task.followFailure = new EngineError(code, `${name} failed`)
    tasks.set = set
    return set(name, task)
  }
}
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))

describe('a task manager', () => {
  test('assigned tasks are restored and run, and end when the assignment is lost', async () => {
    const { manager, events } = given(0, ['a', 'b'])
    await manager.setAssigned(new Set(['a']))
    expect(events).toEqual(['a restores', 'a runs'])
    await manager.setAssigned(new Set(['b']))
    expect(events.slice(2).sort()).toEqual(['a stops', 'b restores', 'b runs'])
    await manager.stop()
    expect(events).toContain('b stops')
    await manager.done
  })
  test('the same assignment again changes nothing', async () => {
    const { manager, events } = given(0, ['a'])
    await manager.setAssigned(new Set(['a']))
    await manager.setAssigned(new Set(['a']))
    expect(events).toEqual(['a restores', 'a runs'])
    await manager.stop()
  })
  test('a task whose assignment is lost during its restore does not keep running', async () => {
    const { manager, events } = given(0, ['a'])
    await Promise.all([manager.setAssigned(new Set(['a'])), manager.setAssigned(new Set())])
    await turn()
    await manager.setAssigned(new Set(['a']))
    await manager.stop()
    expect(events.filter((line) => line === 'a runs').length).toBe(events.filter((line) => line === 'a stops').length)
  })
  test('a standby follows its task, and runs it when it is assigned', async () => {
    const { manager, events } = given(0, ['a'])
    await manager.setAssigned(new Set(), new Set(['a']))
    expect(events).toEqual(['a follows'])
    await manager.setAssigned(new Set(['a']))
    expect(events).toEqual(['a follows', 'a restores', 'a runs'])
    await manager.stop()
  })
  test('a standby that is no longer wanted ends without running', async () => {
    const { manager, events } = given(0, ['a'])
    await manager.setAssigned(new Set(), new Set(['a']))
    await manager.setAssigned(new Set())
    expect(events[1]).toBe('a stops')
    await manager.setAssigned(new Set(), new Set(['a']))
    expect(events.at(-1)).toBe('a follows')
    await manager.stop()
  })
  test('a task that is assigned elsewhere and stands by here begins again as a standby', async () => {
    const { manager, events } = given(0, ['a'])
    await manager.setAssigned(new Set(['a']))
    await manager.setAssigned(new Set(), new Set(['a']))
    expect(events).toEqual(['a restores', 'a runs', 'a stops', 'a follows'])
    await manager.stop()
  })
  test('reports the standbys of which all tasks are warm', async () => {
    const { manager, tasks } = given(0, ['a', 'b'])
    await manager.setAssigned(new Set(), new Set(['a', 'b']))
    const a = tasks.get('a') as RecordingTask
    a.isWarm = true
    expect(manager.warm).toEqual(new Set(['a']))
    await manager.stop()
  })
  test('a standby that fails with the log follows again, and does not end the process', async () => {
    const { manager, events, tasks } = given(80, ['a'])
    failNext(tasks, 'log_unreachable')
    await manager.setAssigned(new Set(), new Set(['a']))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(events.filter((line) => line === 'a follows')).toHaveLength(2)
    await manager.stop()
    await manager.done
  })
  test('a standby that is outdated at the takeover is restored from the log', async () => {
    const { manager, events, tasks } = given(80, ['a'])
    await manager.setAssigned(new Set(), new Set(['a']))
    const a = tasks.get('a') as RecordingTask
    a.restore = () => Promise.reject(new EngineError('standby_outdated', 'it is outdated'))
    await manager.setAssigned(new Set(['a']))
    expect(events.slice(-2)).toEqual(['a restores', 'a runs'])
    await manager.stop()
    await manager.done
  })
  test('a failure ends all tasks and is reported', async () => {
    const { manager, events, tasks } = given(1_000, ['a', 'b'])
    await manager.setAssigned(new Set(['a', 'b']))
    tasks.get('a')?.fail('log_full')
    await expect(manager.done).rejects.toMatchObject({ code: 'log_full' })
    await turn()
    expect(events).toContain('b stops')
    await expect(manager.stop()).rejects.toMatchObject({ code: 'log_full' })
  })
  test('a fenced task is no failure if its partition is then lost or assigned again', async () => {
    const { manager, events, tasks } = given(50, ['a', 'b'])
    await manager.setAssigned(new Set(['a', 'b']))
    tasks.get('a')?.fail('fenced')
    tasks.get('b')?.fail('fenced')
    await turn()
    await manager.setAssigned(new Set(['b']))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(events.filter((line) => line === 'b runs')).toHaveLength(2)
    await manager.stop()
    await manager.done
  })
  test('a task fenced during its restore waits until its partition is lost or assigned again', async () => {
    const { manager, events } = given(50, ['a', 'b'], true)
    await manager.setAssigned(new Set(['a', 'b']))
    await manager.setAssigned(new Set(['b']))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(events.filter((line) => line.endsWith('runs'))).toEqual(['b runs'])
    await manager.stop()
    await manager.done
  })
  test('a task fenced briefly while its partition remains assigned is reclaimed', async () => {
    const { manager, events, tasks } = given(80, ['a'])
    await manager.setAssigned(new Set(['a']))
    tasks.get('a')?.fail('fenced')
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(events).toEqual(['a restores', 'a runs', 'a restores', 'a runs'])
    await manager.stop()
    await manager.done
  })
  test('a task fenced after every reclaim fails after some attempts', async () => {
    const { manager, events, tasks } = given(16, ['a'])
    await manager.setAssigned(new Set(['a']))
    for (let time = 0; time < RETAKES_MAX; time++) {
      const before = tasks.get('a')
      before?.fail('fenced')
      while (tasks.get('a') === before) await turn()
      await turn()
    }
    tasks.get('a')?.fail('fenced')
    await expect(manager.done).rejects.toMatchObject({ code: 'fenced' })
    expect(events.filter((line) => line === 'a runs')).toHaveLength(RETAKES_MAX + 1)
  })
  test('a confirmed assignment resets the number of reclaims', async () => {
    const { manager, events, tasks } = given(16, ['a'])
    await manager.setAssigned(new Set(['a']))
    for (let time = 0; time < 6; time++) {
      const before = tasks.get('a')
      before?.fail('fenced')
      while (tasks.get('a') === before) await turn()
      await turn()
      await manager.setAssigned(new Set(['a']))
    }
    expect(events.filter((line) => line === 'a runs')).toHaveLength(7)
    await manager.stop()
    await manager.done
  })
  test('a fixed assignment reports fencing at once', async () => {
    const { manager, tasks } = given(0, ['a'])
    await manager.setAssigned(new Set(['a']))
    tasks.get('a')?.fail('fenced')
    await expect(manager.done).rejects.toMatchObject({ code: 'fenced' })
  })
  test('stopping waits for a hanging restore no longer than the release of a lost partition may take', async () => {
    const stuck: RunningTask = { isCaughtUp: false, progress: 0, restore: () => new Promise(() => {}), run: async () => {}, stop: () => {} }
    const manager = new TaskManager([{ name: 'a', topicPartition: 'a', create: () => stuck }], 0)
    void manager.setAssigned(new Set(['a']))
    await turn()
    jest.useFakeTimers()
    try {
      const stopped = manager.stop()
      await jest.advanceTimersByTimeAsync(4_001)
      await stopped
    } finally {
      jest.useRealTimers()
    }
  })
})
