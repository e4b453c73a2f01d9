// `--exit`: what is still waited for, said now and then, and given up when nothing has moved for too long.
import { EngineError } from '../../../schemas/errors.ts'
import type { Log } from '../../ports/log.ts'
import type { Source } from '../../sources/source.ts'
import { pause } from '../../waiting/waiting.ts'
import type { Io } from '../command.ts'
import { LIVE, sourceName } from '../settings/source-name.ts'

/** Nothing moved for so long: a job that started this shall not hang. */
const EXIT_IDLE_S_MAX = 120
/** What is waited for is said when it lasts so long, and then as often. */
const SAY_EVERY_S = 10
const POLL_MS = 100

export interface Awaited {
  /** What is waited for now; null once all is dealt with. */
  awaits(): string | null
  /** Another text whenever something has moved. */
  progress(): string
}

export interface ExitOptions {
  readonly say: Io['say']
  readonly stop: AbortSignal
  readonly idleSMax?: number
  readonly nowMs?: () => number
}

/** Resolves when all is dealt with, or at the stop. @throws EngineError `exit_stalled` */
export const untilDealtWith = async (awaited: Awaited, options: ExitOptions): Promise<void> => {
  const { say, stop, idleSMax = EXIT_IDLE_S_MAX, nowMs = () => performance.now() } = options
  let moved = awaited.progress()
  let movedMs = nowMs()
  let saidMs = movedMs
  for (;;) {
    const words = awaited.awaits()
    if (words === null || stop.aborted) return
    const progress = awaited.progress()
    if (progress !== moved) movedMs = nowMs()
    moved = progress
    if (nowMs() - movedMs >= idleSMax * 1_000) throw stalled(words, idleSMax)
    const isIdle = nowMs() - movedMs >= SAY_EVERY_S * 1_000
    if (isIdle && nowMs() - saidMs >= SAY_EVERY_S * 1_000) {
      say(`--exit waits for ${words}`)
      saidMs = nowMs()
    }
    await pause(POLL_MS, stop)
  }
}

const isLive = (name: string): boolean => sourceName(name)?.kind === LIVE

/** What is waited for of a source that has not ended. */
export const sourceWords = (name: string, source: Source, log: Log): string => {
  const away = log.trouble?.() ?? null
  return `${isLive(name) ? 'the live chain' : 'the source'}, of which ${source.frames} frames came${away === null ? '' : `; ${away.reason}`}`
}

/** A demo and a recording move with their clock, and have nothing to wait for but their log; the live chain moves with its frames. */
export const sourceProgress = (name: string, source: Source, log: Log): string => {
  const hasClock = !isLive(name) && !source.ended && (log.trouble?.() ?? null) === null
  return `${source.frames} ${hasClock ? source.now() : ''}`
}

const stalled = (words: string, idleSMax: number): EngineError =>
  new EngineError(
    'exit_stalled',
    `--exit waited ${idleSMax} s in vain for ${words}. What was committed is kept: put that right and start again, or leave --exit out.`,
  )
