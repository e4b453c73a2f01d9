// Waits that a stop cuts short, and giving way to the rest of the process.
import { setMaxListeners } from 'node:events'

/**
 * One stop ends any number of waits: a sink's tables that are refused at once, blocks that are fetched ahead. Node takes eleven listeners
 * of a signal for a leak unless it is told.
 */
const shared = (stop: AbortSignal): AbortSignal => {
  setMaxListeners(0, stop)
  return stop
}

/** Resolves after `ms`, or as soon as `stop` fires. */
export const pause = (ms: number, stop?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop?.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      stop?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (stop !== undefined) shared(stop).addEventListener('abort', done, { once: true })
  })

/**
 * Gives `use` a signal that fires at `stop` and after `msMax`, with a TimeoutError. Not `AbortSignal.timeout`: Node 20 lets one that only a
 * combined signal knows be collected, and it never fires.
 */
export const inTime = async <T>(stop: AbortSignal, msMax: number, use: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new DOMException(`no answer in ${msMax} ms`, 'TimeoutError')), msMax)
  try {
    return await use(AbortSignal.any([stop, limit.signal]))
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when `ending` has settled, but after `msMax` at the latest. */
export const within = (ending: Promise<unknown>, msMax: number): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, msMax)
    ending.then(done, done)
  })

/** Resolves when `stop` fires. */
export const stopped = (stop: AbortSignal): Promise<void> => new Promise((resolve) => atStop(stop, resolve))

/** Does it at `stop`, at once where that has fired before. */
export const atStop = (stop: AbortSignal, act: () => void): void => {
  if (stop.aborted) act()
  else shared(stop).addEventListener('abort', act, { once: true })
}

/** Lets everything that waits in this process have a turn. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Takes all steps and gives what they return; whatever waits in this process has a turn each time they took `sliceMs`. */
export const inTurns = async <Result>(steps: Iterator<void, Result, void>, sliceMs: number): Promise<Result> => {
  let sliceAt = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - sliceAt < sliceMs) continue
    await breathe()
    sliceAt = performance.now()
  }
}
