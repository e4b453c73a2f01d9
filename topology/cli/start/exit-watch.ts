// `--exit`: prints what the command waits for, and gives up after too long without progress.
import { EngineError } from '../../../schemas/errors.ts'
import type { Log } from '../../ports/log.ts'
import type { Source } from '../../sources/source.ts'
import { pause } from '../../waiting/waiting.ts'
import type { Io } from '../command.ts'
import { LIVE, sourceName } from '../settings/source-name.ts'

/** Time limit without progress, so that a job that started the command does not hang. */
const EXIT_IDLE_S_MAX = 120
/** After this time without progress a notice states what is awaited; it is repeated at this interval. */
const SAY_EVERY_S = 10
const POLL_MS = 100

export interface Awaited {
  /** The pending work; null once everything is processed. */
  awaits(): string | null
  /** A text that changes with any progress. */
  progress(): string
}

export interface ExitOptions {
  readonly printNotice: Io['printNotice']
  readonly stop: AbortSignal
  readonly idleSMax?: number
  readonly nowMs?: () => number
}

/** Resolves when everything is processed, or when `stop` has fired. @throws EngineError `exit_stalled` */
export const untilDealtWith = async (awaited: Awaited, options: ExitOptions): Promise<void> => {
  const { printNotice, stop, idleSMax = EXIT_IDLE_S_MAX, nowMs = () => performance.now() } = options
  let moved = awaited.progress()
  let movedMs = nowMs()
  let printedMs = movedMs
  for (;;) {
    const words = awaited.awaits()
    if (words === null || stop.aborted) return
    const progress = awaited.progress()
    if (progress !== moved) movedMs = nowMs()
    moved = progress
    if (nowMs() - movedMs >= idleSMax * 1_000) throw stalled(words, idleSMax)
    const isIdle = nowMs() - movedMs >= SAY_EVERY_S * 1_000
    if (isIdle && nowMs() - printedMs >= SAY_EVERY_S * 1_000) {
      printNotice(`--exit is waiting for ${words}`)
      printedMs = nowMs()
    }
    await pause(POLL_MS, stop)
  }
}

const isLive = (name: string): boolean => sourceName(name)?.kind === LIVE

/** Describes a source that has not ended. */
export const sourceWords = (name: string, source: Source, log: Log): string => {
  const away = log.trouble?.() ?? null
  return `${isLive(name) ? 'the live chain' : 'the source'}, with ${source.frames} frames so far${away === null ? '' : `; ${away.reason}`}`
}

/** A demo and a recording progress with their clock unless their log is unreachable; the live chain progresses with its frames. */
export const sourceProgress = (name: string, source: Source, log: Log): string => {
  const hasClock = !isLive(name) && !source.ended && (log.trouble?.() ?? null) === null
  return `${source.frames} ${hasClock ? source.now() : ''}`
}

const stalled = (words: string, idleSMax: number): EngineError =>
  new EngineError(
    'exit_stalled',
    `--exit waited ${idleSMax} s without progress for ${words}. Committed work is kept: fix the cause and start again, or omit --exit.`,
  )
