// When a task commits: the intervals of limits.ts, by the clock of the time slice.
import type { FrameHeader } from '../../processors/contract.ts'
import type { ExchangeReader } from './exchange/exchange-reader.ts'
import { commitIntervalOf, type EngineLimits } from './limits.ts'
import type { Task } from './task.ts'
import type { TimeSlice } from './time-slice.ts'

interface PaceParts<Event, Header extends FrameHeader> {
  readonly task: Task<Event, Header>
  readonly limits: EngineLimits
  readonly slice: TimeSlice
  readonly exchange: ExchangeReader | undefined
}

/** Where the task stands. */
interface Standing {
  /** Input records that are not folded. */
  readonly backlogRecords: number
  /** Since when the next frame waits for facts of other tasks, ms; undefined if it does not. */
  readonly waitingSince: number | undefined
}

export class CommitPace<Event, Header extends FrameHeader> {
  readonly #parts: PaceParts<Event, Header>
  #lastAt = 0

  constructor(parts: PaceParts<Event, Header>) {
    this.#parts = parts
  }
  isDue(standing: Standing, isInFlight: boolean): boolean {
    const { task, limits, slice } = this.#parts
    if (!task.isDirty) return false
    const { commitEventsMax, aheadEventsMax, catchUpEventsMax, promptIntervalMs } = limits
    const isFarBehind = this.#isFarBehind(standing)
    if (isInFlight) return task.pendingEvents >= (isFarBehind ? catchUpEventsMax : aheadEventsMax)
    if (task.pendingEvents >= (isFarBehind ? catchUpEventsMax : commitEventsMax)) return true
    const now = slice.pace()
    const since = now - this.#lastAt
    const intervalMs = commitIntervalOf(limits, standing.backlogRecords)
    if (since >= intervalMs || (since >= intervalMs / 2 && slice.ledAt > Math.max(this.#lastAt, now - promptIntervalMs))) return true
    return since >= promptIntervalMs && (this.#isPrompt(standing) || this.#waitsLong(standing, now))
  }
  /** When a commit is due although nothing new comes, ms; call it if none is in flight. */
  nextAt(standing: Standing): number {
    const { promptIntervalMs } = this.#parts.limits
    const { waitingSince } = standing
    const promptAt = this.#lastAt + promptIntervalMs
    return waitingSince === undefined || this.#isPrompt(standing) ? promptAt : Math.max(promptAt, waitingSince + this.#waitMs)
  }
  /** Notes a commit; returns whether it can wait for those of other tasks. */
  begin(standing: Standing, isStopping: boolean): boolean {
    const { limits, slice } = this.#parts
    const now = slice.pace()
    const intervalMs = commitIntervalOf(limits, standing.backlogRecords)
    if (Math.min(now - this.#lastAt, 2 * (now - slice.ledAt)) >= intervalMs) slice.ledAt = now
    this.#lastAt = now
    return this.#isFarBehind(standing) && !(isStopping || this.#tellsOthers || this.#waitsLong(standing, now))
  }

  #isFarBehind({ backlogRecords }: Standing): boolean {
    return backlogRecords > this.#parts.limits.backlogRecordsMax
  }
  /** Even when far behind: tasks in other processes may wait for this one's facts. */
  #isPrompt(standing: Standing): boolean {
    return this.#tellsOthers || (!this.#isFarBehind(standing) && (this.#parts.task.hasConclusions || standing.backlogRecords <= 0))
  }
  /** True if epochs were closed that tasks of other processes receive only by a commit. */
  get #tellsOthers(): boolean {
    const { task, exchange } = this.#parts
    return task.exchange?.hasUnsent === true && exchange?.isPrompt === false
  }
  /** Facts from tasks of the same process arrive at once; a task of another process may itself need this task's commit. */
  #waitsLong({ waitingSince }: Standing, now: number): boolean {
    return waitingSince !== undefined && now - waitingSince >= this.#waitMs
  }
  /** A task that is told this one's facts needs the commit only if the message is lost. */
  get #waitMs(): number {
    const { limits, exchange } = this.#parts
    return exchange?.isTold === true ? limits.toldIntervalMs : limits.promptIntervalMs
  }
}
