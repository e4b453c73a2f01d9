// What `dev` knows of a detector file: what its newest text finds, what is wrong with it, and what changed since the text before.
import { UsageError } from '../../../../schemas/errors.ts'
import type { Answer } from '../../../backtest/dev/answer.ts'
import type { Heard } from '../../../backtest/dev/asker.ts'
import { changesOf, countsOf, type MarkCounts, type MarkedFinding } from '../../../backtest/dev/changes.ts'

export type Types = 'checking' | 'right' | 'unchecked' | { readonly wrong: string }

/** Findings as they are shown. */
export interface Shown {
  readonly answer: Answer
  readonly calls: number
  readonly tookMs: number
  /** Number of the save that they are of. */
  readonly save: number
  /** The newest save has none yet, or something is wrong with it. */
  readonly isOld: boolean
  /** With the save before; false where there was none, or nothing newer than it. */
  readonly isCompared: boolean
  /** Since the save before; the same for all where nothing is compared. */
  readonly changes: readonly MarkedFinding[]
  readonly counts: MarkCounts
}

export interface View {
  readonly save: number
  readonly isAsking: boolean
  readonly shown: Shown | undefined
  /** Why the newest save finds nothing: it does not load, or its detector failed. */
  readonly fault: string | null
  readonly types: Types
}

/** One save that was answered. */
type Found = Omit<Shown, 'isOld' | 'isCompared' | 'changes' | 'counts'>

interface SessionOptions {
  ask(): number
  /** Asks about what came since, as soon as the newest save was answered. */
  more(): void
  /** True where types were checked. @throws UsageError for wrong ones */
  check(): Promise<boolean>
  /** Anything of the view is another; `why`: what has come. */
  changed(view: View, why: 'saved' | 'answered' | 'failed' | 'typed'): void
}

export class Session {
  readonly #options: SessionOptions
  #save = 0
  #isAsking = false
  #found: Found | undefined
  /** What the newest save is compared with. */
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
  /** The file has another text. */
  saved(): void {
    if (this.#found !== undefined && !this.#isWrong) this.#before = this.#found
    this.#found = undefined
    this.#save = this.#options.ask()
    this.#isAsking = true
    this.#fault = null
    this.#types = 'checking'
    this.#tell('saved')
    this.#checking ??= this.#check()
  }
  /** More rows are there. */
  arrived(): void {
    if (this.#fault === null) this.#options.more()
  }
  hear(told: Heard): void {
    if (told.ask !== this.#save || told.type === 'loaded') return
    this.#isAsking = false
    if (told.type === 'answered') {
      const { answer, calls, tookMs } = told
      this.#found = { answer, calls, tookMs, save: told.ask }
    } else {
      // It has found something before it failed about newer rows.
      if (this.#found !== undefined && !this.#isWrong) this.#before = this.#found
      this.#found = undefined
      this.#fault = told.words
    }
    this.#tell(told.type)
  }

  get #isWrong(): boolean {
    return this.#fault !== null || typeof this.#types === 'object'
  }
  /** One check at a time; a save meanwhile has the next one. */
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
    this.#tell('typed')
  }
  #tell(why: 'saved' | 'answered' | 'failed' | 'typed'): void {
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
