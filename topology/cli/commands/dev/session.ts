// The state of `dev`: findings and faults of the newest save of a detector file, and the changes since the previous save.
import { UsageError } from '../../../../schemas/errors.ts'
import type { Answer } from '../../../backtest/dev/answer.ts'
import { changesOf, countsOf, type MarkCounts, type MarkedFinding } from '../../../backtest/dev/changes.ts'
import type { EvaluationResult } from '../../../backtest/dev/detector-thread.ts'

export type Types = 'checking' | 'right' | 'unchecked' | { readonly wrong: string }

/** The findings shown. */
export interface Shown {
  readonly answer: Answer
  readonly calls: number
  readonly tookMs: number
  /** Number of the save that has these findings. */
  readonly save: number
  /** True if the newest save has no result yet or is faulty. */
  readonly isOld: boolean
  /** True if `changes` compares them with the previous save; false if that has no result, or the newest save has none. */
  readonly isCompared: boolean
  /** Changes since the previous save; all marks are equal if nothing is compared. */
  readonly changes: readonly MarkedFinding[]
  readonly counts: MarkCounts
}

export interface View {
  readonly save: number
  readonly isAsking: boolean
  readonly shown: Shown | undefined
  /** Why the newest save has no findings: it does not load, or its detector failed. */
  readonly fault: string | null
  readonly types: Types
}

/** The result of one save. */
type Found = Omit<Shown, 'isOld' | 'isCompared' | 'changes' | 'counts'>

interface SessionOptions {
  /** Runs the newest save; returns its number. */
  ask(): number
  /** Runs the detector on newer rows, once the newest save has a result. */
  more(): void
  /** True if types were checked. @throws UsageError for type errors */
  check(): Promise<boolean>
  /** Called on any change of the view; `why`: what happened. */
  changed(view: View, why: 'saved' | 'answered' | 'failed' | 'typed'): void
}

export class Session {
  readonly #options: SessionOptions
  #save = 0
  #isAsking = false
  #found: Found | undefined
  /** The result that the newest save is compared with. */
  #before: Found | undefined
  #fault: string | null = null
  #types: Types = 'checking'
  #checking: Promise<void> | undefined
  #shown: Shown | undefined

  constructor(options: SessionOptions) {
    this.#options = options
  }
  get view(): View {
    return { save: this.#save, isAsking: this.#isAsking, shown: this.#shown, fault: this.#fault, types: this.#types }
  }
  /** Called when the file has changed. */
  saved(): void {
    if (this.#found !== undefined && !this.#isWrong) this.#before = this.#found
    this.#found = undefined
    this.#save = this.#options.ask()
    this.#isAsking = true
    this.#fault = null
    this.#types = 'checking'
    this.#changed('saved')
    this.#checking ??= this.#check()
  }
  /** Called when more rows have arrived. */
  arrived(): void {
    if (this.#fault === null) this.#options.more()
  }
  receive(result: EvaluationResult): void {
    if (result.requestNumber !== this.#save || result.type === 'loaded') return
    this.#isAsking = false
    if (result.type === 'answered') {
      const { answer, calls, tookMs } = result
      this.#found = { answer, calls, tookMs, save: result.requestNumber }
    } else {
      // The save had a result before its detector failed on newer rows.
      if (this.#found !== undefined && !this.#isWrong) this.#before = this.#found
      this.#found = undefined
      this.#fault = result.message
    }
    this.#changed(result.type)
  }

  get #isWrong(): boolean {
    return this.#fault !== null || typeof this.#types === 'object'
  }
  /** Runs one check at a time; a save during a check is checked next. */
  async #check(): Promise<void> {
    const save = this.#save
    const types = await this.#options.check().then(
      (isChecked): Types => (isChecked ? 'right' : 'unchecked'),
      (failure: unknown): Types => {
        if (failure instanceof UsageError) return { wrong: failure.message }
        throw failure
      },
    )
    if (save !== this.#save) return this.#check()
    this.#checking = undefined
    this.#types = types
    this.#changed('typed')
  }
  #changed(why: 'saved' | 'answered' | 'failed' | 'typed'): void {
    this.#shown = this.#showing()
    this.#options.changed(this.view, why)
  }
  #showing(): Shown | undefined {
    if (this.#found === undefined || this.#isWrong) {
      if (this.#before === undefined) return undefined
      const changes = changesOf(this.#before.answer, undefined)
      return { ...this.#before, isOld: true, isCompared: false, changes, counts: countsOf(changes) }
    }
    const changes = changesOf(this.#found.answer, this.#before?.answer)
    return { ...this.#found, isOld: false, isCompared: this.#before !== undefined, changes, counts: countsOf(changes) }
  }
}
