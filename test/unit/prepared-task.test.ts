import { PreparedTask } from '../../topology/runtime/prepared-task.ts'
import type { RunningTask } from '../../topology/runtime/task-spec.ts'

const given = (prepare: (stop: AbortSignal) => Promise<boolean>) => {
  const events: string[] = []
  const work: RunningTask = {
    isCaughtUp: true,
    progress: 7,
    restore: async () => void events.push('restores'),
    run: async () => void events.push('runs'),
    stop: () => void events.push('stops'),
  }
  return { events, work: new PreparedTask(work, prepare, () => 3) }
}

describe('work with a preparation step', () => {
  test('restores and runs once prepared, with the progress of its current step', async () => {
    const { events, work } = given(async () => true)
    expect([work.progress, work.isCaughtUp]).toEqual([3, false])
    await work.restore()
    await work.run()
    expect([work.progress, work.isCaughtUp, events]).toEqual([7, true, ['restores', 'runs']])
  })
  test("stopped during its preparation releases the task before it takes anything over, whatever the preparation's result", async () => {
    for (const isPrepared of [true, false]) {
      const { events, work } = given((stop) => new Promise((resolve) => stop.addEventListener('abort', () => resolve(isPrepared))))
      const restored = work.restore()
      work.stop()
      await restored
      await work.run()
      expect([events, work.isCaughtUp]).toEqual([['stops', 'runs'], false])
    }
  })
})
