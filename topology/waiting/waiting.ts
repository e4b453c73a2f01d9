// Waits that a stop signal ends, and yields to the event loop.
import { setMaxListeners } from 'node:events'

/**
 * One stop signal may end any number of waits: retries of all tables of a sink, prefetched blocks. By default Node warns of a leak from
 * eleven listeners of a signal on.
 */
const shared = (stop: AbortSignal): AbortSignal => {
  setMaxListeners(0, stop)
  return stop
}

/** Resolves after `ms`, at once where that is negative (Node warns of negative timeouts), or as soon as `stop` fires. */
export const pause = (ms: number, stop?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop?.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      stop?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.max(0, ms))
    if (stop !== undefined) shared(stop).addEventListener('abort', done, { once: true })
  })

/**
 * Passes `use` a signal that fires at `stop`, and after `msMax` with a TimeoutError. Not `AbortSignal.timeout`: in Node 20 a timeout signal
 * that only a combined signal references can be garbage-collected, and then never fires.
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

/** Resolves when `ending` has settled, after `msMax` at the latest. */
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

/** Calls `act` when `stop` fires, or at once if it has fired. */
export const atStop = (stop: AbortSignal, act: () => void): void => {
  if (stop.aborted) act()
  else shared(stop).addEventListener('abort', act, { once: true })
}

/** Yields to the event loop once. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs all steps and returns their result; yields to the event loop each time they took `sliceMs`. */
export const runInSlices = async <Result>(steps: Iterator<void, Result, void>, sliceMs: number): Promise<Result> => {
  let sliceAt = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - sliceAt < sliceMs) continue
    await yieldToEventLoop()
    sliceAt = performance.now()
  }
}
