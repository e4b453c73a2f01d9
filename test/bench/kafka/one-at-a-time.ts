// A listener that runs one action at a time, and once more if it was called meanwhile.

export interface Asker {
  /** Runs the action now, or once more after the current run. */
  ask(): void
  /** Resolves when no action is running; rejects with its failure. */
  idle(): Promise<void>
}

export const oneAtATime = (action: () => Promise<void>): Asker => {
  let running: Promise<void> = Promise.resolve()
  let isBusy = false
  let isAsked = false
  const run = async (): Promise<void> => {
    isBusy = true
    while (isAsked) {
      isAsked = false
      await action()
    }
    isBusy = false
  }
  return {
    ask: () => {
      isAsked = true
      if (isBusy) return
      running = run()
      running.catch(() => {})
    },
    idle: () => running,
  }
}
