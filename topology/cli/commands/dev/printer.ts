// The terminal output of `dev`: each save once, faults at once, and findings of newer events.
import type { MarkedFinding } from '../../../backtest/dev/changes.ts'
import type { Io } from '../../command.ts'
import { answerLines, findingLine, wrongLines } from './lines.ts'
import type { Shown, View } from './session.ts'

/** A failure of a detector that did load. */
const OF_RUN = /^detector /
/** Findings of newer events printed at once. */
const ARRIVED_MAX = 20

export class Printer {
  readonly #io: Pick<Io, 'out' | 'printNotice'>
  /** Until the tape is read up to this time, findings are partial and not printed; unix seconds of the tape. */
  wholeAt = Number.POSITIVE_INFINITY
  #printed = { save: 0, mints: new Set<string>() }
  #isFirst = true
  #isUncheckedSaid = false

  constructor(io: Pick<Io, 'out' | 'printNotice'>) {
    this.#io = io
  }
  show(view: View, why: 'saved' | 'answered' | 'failed' | 'typed'): void {
    const { shown, types, fault } = view
    if (why === 'failed' && fault !== null) this.#printNotices(wrongLines(view, fault))
    // If the bundler already reported a syntax error, the compiler reports the same one.
    if (why === 'typed' && typeof types === 'object' && (fault === null || OF_RUN.test(fault)))
      this.#printNotices(wrongLines(view, types.wrong))
    if (why === 'typed' && types === 'unchecked' && !this.#isUncheckedSaid) {
      this.#isUncheckedSaid = true
      this.#io.printNotice('types are not checked: no TypeScript compiler is installed')
    }
    // Findings of a file with type errors are not printed, so they wait for the check.
    if ((why === 'answered' || why === 'typed') && types !== 'checking' && shown?.isOld === false) this.#answered(shown)
  }
  #answered(shown: Shown): void {
    if (shown.answer.to < this.wholeAt) return
    const isNew = shown.save !== this.#printed.save
    const fresh = shown.changes.filter(({ finding }) => !this.#printed.mints.has(finding.mint))
    if (isNew) this.#print(answerLines(shown, this.#isFirst))
    else this.#arrived(fresh)
    if (isNew) this.#printed = { save: shown.save, mints: new Set() }
    for (const { finding } of isNew ? shown.changes : fresh) this.#printed.mints.add(finding.mint)
    this.#isFirst = false
  }
  #arrived(fresh: readonly MarkedFinding[]): void {
    const arrived = fresh.filter(({ mark }) => mark !== 'gone')
    const left = arrived.length - ARRIVED_MAX
    this.#print([
      ...arrived.slice(0, ARRIVED_MAX).map(({ finding }) => findingLine({ mark: 'arrived', finding })),
      ...(left > 0 ? [`  and ${left} more: the page has them`] : []),
    ])
  }
  #printNotices(lines: readonly string[]): void {
    for (const line of lines) this.#io.printNotice(line)
  }
  #print(lines: readonly string[]): void {
    for (const line of lines) void this.#io.out(`${line}\n`)
  }
}
