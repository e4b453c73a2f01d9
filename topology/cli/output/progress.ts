// Progress of long work: a line updated in place on a terminal, a plain line every 10 s elsewhere, nothing for short work.
import type { Io } from '../command.ts'

const TERMINAL_EVERY_MS = 500
const PLAIN_EVERY_MS = 10_000
const CLEAR_LINE = '\r\x1b[2K'

export interface Work {
  /** The verb that starts the line: `replaying`. */
  readonly what: string
  /** Plural: `frames`. */
  readonly unit: string
}

export interface ProgressLine {
  /** `share`: the finished share of all work, 0 to 1, if known. */
  at(done: number, share?: number): void
  /** Removes the line: at the end, and before other output. */
  hide(): void
}

/** `at` is cheap enough to call for each item: it only reads the clock until the next line is due. */
export const showProgress = (
  io: Pick<Io, 'printNotice' | 'terminal'>,
  { what, unit }: Work,
  nowMs: () => number = () => performance.now(),
  paint: (text: string) => void = (text) => void process.stderr.write(text),
): ProgressLine => {
  const startedMs = nowMs()
  const everyMs = io.terminal ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS
  let printedMs = startedMs
  let isShown = false
  return {
    at: (done, share) => {
      const now = nowMs()
      if (now - printedMs < everyMs) return
      printedMs = now
      const line = `${what}  ${progressText(done, unit, now - startedMs, share)}`
      if (!io.terminal) return io.printNotice(line)
      isShown = true
      paint(`${CLEAR_LINE}${line}`)
    },
    hide: () => {
      if (isShown) paint(CLEAR_LINE)
      isShown = false
    },
  }
}

/** `1200 frames  400/s  30 %  7 s left` */
export const progressText = (done: number, unit: string, elapsedMs: number, share: number | undefined): string => {
  const rate = elapsedMs > 0 ? Math.round((done * 1_000) / elapsedMs) : 0
  const words = `${done} ${unit}  ${rate}/s`
  if (share === undefined || !(share > 0)) return words
  const leftS = Math.round((elapsedMs * (1 - share)) / share / 1_000)
  return `${words}  ${Math.floor(Math.min(share, 1) * 100)} %  ${timeText(Math.max(0, leftS))} left`
}

const timeText = (seconds: number): string =>
  seconds < 100 ? `${seconds} s` : seconds < 6_000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
