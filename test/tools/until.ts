// Waits in tests for conditions that depend on processes, threads or the machine's speed.

/** On a busy machine an engine takes many seconds to answer. Below jest's limit for a test, so that the reason is reported. */
const HOLDS_MS_MAX = 60_000
const LOOK_MS = 10

export interface UntilOptions {
  readonly msMax?: number
  /** Interval between two checks. */
  readonly everyMs?: number
  /** Text for the error message: the awaited or the observed state. */
  readonly seen?: () => unknown
}

/**
 * Resolves once `holds` returns true; an exception counts as false. A wait ends as soon as the condition holds, so the limit may be generous.
 * @throws Error after `msMax`, even if `holds` never returns, with the last exception as its cause.
 */
export const until = async (holds: () => boolean | Promise<boolean>, options: UntilOptions = {}): Promise<void> => {
  const { msMax = HOLDS_MS_MAX, everyMs = LOOK_MS, seen } = options
  const ending = new AbortController()
  let cause: unknown
  const look = async (): Promise<boolean> => {
    cause = undefined
    try {
      return await holds()
    } catch (thrown) {
      cause = thrown
      return false
    }
  }
  const looks = async (): Promise<void> => {
    while (!ending.signal.aborted && !(await look())) await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(reasonOf(msMax, cause, seen?.()), { cause })), msMax)
  })
  try {
    await Promise.race([looks(), late])
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}

const reasonOf = (msMax: number, cause: unknown, seen: unknown): string =>
  [`does not hold after ${msMax} ms`, ...(cause === undefined ? [] : [`${cause}`]), ...(seen === undefined ? [] : [`${seen}`])].join(': ')
