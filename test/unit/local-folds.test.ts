import { EngineError } from '../../schemas/errors.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { IN_MEMORY } from '../../topology/engine/rows/memory-pages.ts'
import { TimeSlice } from '../../topology/engine/time-slice.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { PageStore } from '../../topology/ports/keyed-pages.ts'
import type { Log } from '../../topology/ports/log.ts'
import { LocalFolds } from '../../topology/runtime/local-folds.ts'

test('a standby that fails with the log closes the pages of its rows', async () => {
  let open = 0
  const pages: PageStore = {
    open: () => {
      open++
      const opened = IN_MEMORY.open()
      const close = opened.close.bind(opened)
      opened.close = () => {
        open--
        close()
      }
      return opened
    },
  }
  const inner = createMemoryLog({ partitions: 1 })
  const refresh = () => Promise.reject(new EngineError('log_unreachable', 'no broker answers'))
  const log: Log = { ...withOwners(inner, (id) => inner.own(id)), refresh }
  const folds = new LocalFolds([LAUNCH_RISK], { log, limits: DEFAULT_LIMITS, slice: new TimeSlice(10), pages })
  const task = folds.create(LAUNCH_RISK.chain.name, 0, () => 0)
  expect(open).toBeGreaterThan(0)
  await expect(task.follow?.(new AbortController().signal)).rejects.toMatchObject({ code: 'log_unreachable' })
  expect(open).toBe(0)
})
