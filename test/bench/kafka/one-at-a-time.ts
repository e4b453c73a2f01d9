// A listener that asks something of the log, however often it is told.

export interface Asker {
  /** Asks, or asks once more after what is under way. */
  ask(): void
  /** Resolves when nothing is under way; rejects with what failed. */
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
