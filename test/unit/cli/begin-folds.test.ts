// A command while its tasks rebuild the stores.

import { reportRebuilds } from '../../../topology/cli/output/rebuild-reporter.ts'
import { beginFolds, beginView, type CommandFolds } from '../../../topology/cli/start/begin-folds.ts'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { RunOptions } from '../../../topology/runtime/runtime.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'

/** Tasks that rebuild until the test starts them. */
const rebuildingFolds = () => {
  let rebuilding: NonNullable<RunOptions['rebuilding']> = () => {}
  let begin: (folds: CommandFolds) => void = () => {}
  const starting = new Promise<CommandFolds>((resolve) => {
    begin = resolve
  })
  const view = new LogMintView(createMemoryLog({ partitions: 1 }), LAUNCH_RISK, { tip: () => null })
  const closing = new Closing()
  const folds = beginFolds(
    (state) => {
      rebuilding = state
      return starting
    },
    reportRebuilds(
      () => {},
      (status) => view.rebuilding(status),
    ),
    closing,
  )
  const idle: CommandFolds = {
    waits: () => [],
    done: new Promise(() => {}),
    caughtUp: async () => {},
    redrive: async () => undefined,
    stop: async () => {},
  }
  return {
    view,
    closing,
    folds,
    rebuild: () => rebuilding({ phase: 'folding', share: 0.25 }, LAUNCH_RISK.chain.name),
    begin: () => begin(idle),
  }
}

test('shows readable rows during a rebuild, and its progress', async () => {
  const { view, closing, folds, rebuild, begin } = rebuildingFolds()
  rebuild()
  const { started } = await beginView(view, folds, true, closing)
  await started
  expect(view.status()).toMatchObject({ ready: true, rebuild: expect.stringContaining('25 %') })
  expect(folds.now).toBeUndefined()
  begin()
  await folds.caughtUp()
  expect(folds.now).toBeDefined()
  await closing.run()
})

test('waits for the rebuild if this version cannot read the rows', async () => {
  const { view, closing, folds, rebuild, begin } = rebuildingFolds()
  rebuild()
  const { started } = await beginView(view, folds, false, closing)
  expect(view.status().ready).toBe(false)
  begin()
  await started
  expect(view.status().ready).toBe(true)
  await closing.run()
})
