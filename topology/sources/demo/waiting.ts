// How the demo gives way: to the clock, and to the rest of the process.

/** Resolves after `ms`, or at once when stopped. */
export const sleep = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      stop.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    stop.addEventListener('abort', end)
    if (stop.aborted) end()
  })

/** Lets everything that waits in this process have a turn. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
