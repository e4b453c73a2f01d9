// Starts the tasks. If they have to rebuild stores first, the rest of the process starts without waiting for the rebuild.

import type { Folds, RunOptions } from '../../runtime/runtime.ts'
import type { ThreadFolds } from '../../threads/folds/thread-folds.ts'
import type { LogMintView } from '../../views/mint-view.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { Closing } from './closing.ts'

/** The part of the tasks' interface that commands use. */
export type CommandFolds = Pick<Folds, 'done' | 'caughtUp' | 'redrive' | 'stop'> & Pick<ThreadFolds | Folds, 'waits'>

export interface BeginningFolds {
  /** Undefined until the tasks run: while they start, and while stores are rebuilt. */
  readonly now: CommandFolds | undefined
  /** Waits for the tasks to start and catch up. */
  caughtUp(): Promise<void>
  /** Rejects with the failure that ended the tasks or prevented their start. */
  readonly done: Promise<void>
  /** Resolves when the tasks run or a rebuild has started. */
  readonly busy: Promise<void>
}

type Rebuilding = NonNullable<RunOptions['rebuilding']>

/** The part of a view's interface that commands use. */
export type FollowedView = Pick<LogMintView, 'start' | 'stop' | 'failed' | 'caughtUp' | 'status' | 'rebuilding'>

/** `reportRebuild` receives the progress of rebuilds. */
export const beginFolds = (
  start: (rebuilding: Rebuilding) => Promise<CommandFolds>,
  reportRebuild: Rebuilding,
  closing: Closing,
): BeginningFolds => {
  let now: CommandFolds | undefined
  let begin = (): void => {}
  const isRebuilding = new Promise<void>((resolve) => {
    begin = resolve
  })
  const starting = start((progress, chain) => {
    if (progress !== null) begin()
    reportRebuild(progress, chain)
  }).then((folds) => {
    now = folds
    return folds
  })
  closing.add('folds', async () => (await starting.catch(() => undefined))?.stop())
  const done = starting.then((folds) => folds.done)
  done.catch(() => {})
  return {
    get now() {
      return now
    },
    caughtUp: async () => (await starting).caughtUp(),
    done,
    busy: Promise.race([starting.then(() => {}), isRebuilding]),
  }
}

/**
 * Starts the view once the tasks are busy. During a rebuild it shows the old rows, with their age, while the source continues;
 * if this program cannot read their format, the view starts after the rebuild. Resolves when the view is complete, or has to wait for the
 * rebuild (`started` then resolves when the view has started). Rejects if the tasks or the view fail before that.
 */
export const beginView = async (
  view: Pick<FollowedView, 'start' | 'stop'>,
  folds: BeginningFolds,
  isReadable: boolean,
  closing: Closing,
  stop: AbortSignal = new AbortController().signal,
): Promise<{ readonly started: Promise<void> }> => {
  await folds.busy
  closing.add('view', () => view.stop())
  if (folds.now !== undefined || isReadable) {
    await Promise.race([view.start(), stopped(stop)])
    return { started: Promise.resolve() }
  }
  const started = folds.caughtUp().then(() => view.start())
  started.catch(() => {})
  return { started }
}
