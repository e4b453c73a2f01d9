// Flags in the view of a log: those of the folds, with their rows, live and after a restart.
import { toBase58 } from '../../schemas/keys.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'
import { appendTape } from '../live.ts'

test('a view that follows and one that starts late show the same flags, each with its row', async () => {
  const log = createMemoryLog({ partitions: 4 })
  const following = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await following.start()
  await appendTape(log, [...syntheticTape({ events: 4_000, eventsPerFrame: 9, eventsPerMint: 31, seed: 5 })])
  const folds = await startFolds(log, [LAUNCH_RISK])
  await folds.caughtUp()
  await folds.stop()
  await following.caughtUp()
  const late = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await late.start()
  const flags = [...following.flagsSince(0)]
  expect(flags.length).toBeGreaterThan(0)
  expect([...late.flagsSince(0)]).toEqual(flags)
  for (const { mint, flag, findingId, at, evidence } of flags) {
    const row = late.get(mint)?.state.flags.find((one) => one.flag === flag)
    expect(row).toMatchObject({ findingId, firstSeenAt: at, evidence })
    expect(findingId).toContain(toBase58(mint))
  }
  await following.stop()
  await late.stop()
})
