// Time limit of a request to a broker, by a monotonic clock. kafkajs measures its own limit with the wall clock: after that is set back, a
// request whose answer was lost would wait as much longer, and all requests behind it.

/** Above the limits of kafkajs, which name the request: 30 s, and the wait of a held fetch. */
export const ANSWER_MS_MAX = 45_000

/** Settles as `request` does. @throws Error after `msMax` without an answer; a later one has no effect */
export const limited = <Value>(request: Promise<Value>, msMax: number = ANSWER_MS_MAX): Promise<Value> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${msMax / 1_000} s`)), msMax)
    request.then(resolve, reject).finally(() => clearTimeout(timer))
  })
