// The sources of training rows: the history that the settings name, or files that are folded here.
import type { Left } from '../../../../processors/odds/train/pairing.ts'
import { ROWS_MAX, type TrainingRows } from '../../../../processors/odds/train/rows.ts'
import type { Chain } from '../../../../schemas/types.ts'
import { createHistoryClient } from '../../../history/client.ts'
import { OWNER } from '../../../history/engine/access.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { readHistoryRows } from '../../../training/history-rows.ts'
import { type JudgingFolds, readTapeRows } from '../../../training/replayed-rows.ts'
import type { Io } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'
import { settingsWithoutApi } from '../../settings/settings.ts'
import { reachHistory } from '../../wiring/reach-history.ts'
import { inOrder } from '../backtest/input.ts'
import { tapeOfFiles } from '../explain/tapes.ts'
import { type Batch, replayOf } from '../recordings/replay-file.ts'

/** The excluded rows, and the time up to which outcomes are known, unix seconds; null if nothing was read. */
export type Read = { readonly left: Left; readonly untilS: number } | null

/** The chain whose launchpad has odds. */
const CHAIN: Chain = LAUNCH_RISK.chain.name
/** Upper bound of the database's time type. */
const UNTIL_S_MAX = 2 ** 32 - 1

/** @throws UsageError for files of another chain, or out of order; EngineError as their readers */
export const rowsOfFiles = (paths: readonly string[], set: TrainingRows, untilS: number, io: Io): Promise<Read> =>
  readTapeRows({
    folds: replayOf(CHAIN).folds() as JudgingFolds<Batch>,
    frames: inOrder(tapeOfFiles(paths, CHAIN, io)),
    untilS,
    stop: io.stop,
    add: (row) => set.add(row),
  })

/** Newest first, up to the set's capacity. @throws EngineError if there is no history, or it does not respond */
export const rowsOfHistory = (set: TrainingRows, untilS: number, io: Io): Promise<Read> =>
  reachHistory(settingsWithoutApi(io.env), OWNER, async (target) => {
    const client = createHistoryClient(target)
    const progress = showProgress(io, { what: 'reading the history', unit: 'judgements' })
    try {
      return await readHistoryRows(client, {
        ...{ untilS: Math.min(untilS, UNTIL_S_MAX), rowsMax: ROWS_MAX, stop: io.stop },
        add: (row) => set.add(row),
        progress: (rows, share) => progress.at(rows, share),
      })
    } finally {
      progress.hide()
      await client.close()
    }
  })
