// How tests wait for what processes, threads and other machines' speed decide.

/** On a machine with other jobs an engine answers after many seconds. Below jest's limit for a test, so that the reason shows. */
const HOLDS_MS_MAX = 60_000
const LOOK_MS = 10

export interface UntilOptions {
  readonly msMax?: number
  /** Between two looks. */
  readonly everyMs?: number
  /** What the error adds: what was awaited, or what was seen instead. */
  readonly seen?: () => unknown
}

/**
 * Resolves once it holds; what `holds` throws counts as no. A wait that holds ends at once, so the limit may be generous.
 * @throws Error after `msMax`, also where `holds` never returns, with the last reason that was thrown.
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
