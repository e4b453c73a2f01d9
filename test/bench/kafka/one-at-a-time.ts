// Runs an action one at a time: any number of triggers during a run cause one more run after it.

export interface Coalesced {
  /** Runs the action now, or once more after the current run. */
  trigger(): void
  /** Resolves when no run is under way. Rejects with the failure of a run, after which the action never runs again. */
  idle(): Promise<void>
}

export const oneAtATime = (action: () => Promise<void>): Coalesced => {
  let running: Promise<void> = Promise.resolve()
  let isBusy = false
  let isTriggered = false
  const run = async (): Promise<void> => {
    isBusy = true
    while (isTriggered) {
      isTriggered = false
      await action()
    }
    isBusy = false
  }
  return {
    trigger: () => {
      isTriggered = true
      if (isBusy) return
      running = run()
      running.catch(() => {})
    },
    idle: () => running,
  }
}
