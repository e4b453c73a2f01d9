// The start of the tasks, beside which everything else goes on where they first rebuild the stores.

import type { Folds, Staff } from '../../runtime/runtime.ts'
import type { ThreadFolds } from '../../threads/folds/thread-folds.ts'
import type { LogMintView } from '../../views/mint-view.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { Closing } from './closing.ts'

/** The tasks, as far as a command is concerned with them. */
export type CommandFolds = Pick<Folds, 'done' | 'caughtUp' | 'redrive' | 'stop'> & Pick<ThreadFolds | Folds, 'waits'>

export interface BeginningFolds {
  /** Undefined while they rebuild the stores. */
  readonly now: CommandFolds | undefined
  /** Waits for them. */
  caughtUp(): Promise<void>
  /** Rejects with what ended them, and where they cannot begin. */
  readonly done: Promise<void>
  /** Resolves when they are at work, or are at a rebuild. */
  readonly busy: Promise<void>
}

type Rebuilding = NonNullable<Staff['rebuilding']>

/** A view of a chain, as far as a command is concerned with it. */
export type FollowedView = Pick<LogMintView, 'start' | 'stop' | 'failed' | 'caughtUp' | 'status' | 'rebuilding'>

/** `told`: how far the rebuilds are. */
export const beginFolds = (
  start: (rebuilding: Rebuilding) => Promise<CommandFolds>,
  told: Rebuilding,
  closing: Closing,
): BeginningFolds => {
  let now: CommandFolds | undefined
  let begin = (): void => {}
  const isRebuilding = new Promise<void>((resolve) => {
    begin = resolve
  })
  const starting = start((progress, chain) => {
    if (progress !== null) begin()
    told(progress, chain)
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
 * Starts the view once the tasks are busy. Rows that are being rebuilt are shown as they are, with their age, while the source goes on;
 * where this program cannot read their shape, the view begins after the rebuild. Rejects with what ended it before; resolves when it is
 * whole, or is to wait for the rebuild.
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
