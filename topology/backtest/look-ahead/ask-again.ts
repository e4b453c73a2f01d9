// Asks a detector again about calls of a run: in fresh instances, under other labels, at other times, in another order.
//
// A fold is given its events in order, so a detector can know of the future only what it remembers of other calls, or what is written into
// it. What it remembers shows in a fresh instance and in another order; what is written into it by mint, creator, name, slot or date shows
// under other labels and at other times. A number fitted on the same data (a threshold, say) shows in no such test: trials on time that the
// fit has not seen, corrected for how many were tried, are for that.
import type { Evidence } from '../../../processors/mint/detectors/detector.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import { comparePositions, formatPosition } from '../../../schemas/position.ts'
import { DetectorFailure, type Instance } from '../detector-file/instance.ts'
import { formsOf, maskOf, Relabelling } from './relabel.ts'
import { FLIP_KINDS, type FlipExample, type FlipKind, type LookAheadReport } from './report.ts'
import { type AnyRows, changeRows, lookAt } from './rows.ts'
import { back, forward, isNumberShifted, isTextShifted, shifting } from './shift.ts'
import type { Asked, Call } from './watch.ts'

interface Kept<Rows> {
  readonly firings: readonly Call<Rows>[]
  readonly lastCalls: readonly Call<Rows>[]
  readonly others: readonly Call<Rows>[]
}

/** An answer, or why there is none. */
type Answer = Evidence | DetectorFailure | undefined
type Same<Value> = (was: Value, is: Value) => boolean

const isFailure = (answer: Answer): answer is DetectorFailure => answer instanceof DetectorFailure

const ask = <Rows>(instance: Instance<Rows>, rows: Rows): Answer => {
  try {
    return instance.find(rows)
  } catch (failure) {
    if (failure instanceof DetectorFailure) return failure
    throw failure
  }
}

const isEqual: Same<unknown> = (was, is) => was === is

/** The same fields with the same values, or such as count as the same; names may come in any order. */
const isSame = (was: Answer, is: Answer, numbers: Same<number> = isEqual, texts: Same<string> = isEqual): boolean => {
  if (was === undefined || is === undefined || isFailure(was) || isFailure(is)) return was === is
  const names = Object.keys(was)
  if (names.length !== Object.keys(is).length) return false
  return names.every((name) => {
    const [a, b] = [was[name], is[name]]
    if (typeof a === 'number' && typeof b === 'number') return numbers(a, b)
    return typeof a === 'string' && typeof b === 'string' ? texts(a, b) : a === b && Object.hasOwn(is, name)
  })
}

class Again<Rows extends AnyRows> {
  readonly #file: Asked<Rows>
  readonly #settings: Readonly<Record<string, number>>
  readonly #seed: number
  readonly #labels: Relabelling
  readonly #first = new Map<FlipKind, FlipExample>()
  readonly flips = Object.fromEntries(FLIP_KINDS.map((kind) => [kind, 0])) as Record<FlipKind, number>
  readonly #remembered = new Set<Call<Rows>>()
  compared = 0
  byExactAmounts = 0

  constructor(file: Asked<Rows>, settings: Readonly<Record<string, number>>, seed: number) {
    this.#file = file
    this.#settings = settings
    this.#seed = seed
    this.#labels = new Relabelling(seed)
  }
  get examples(): readonly FlipExample[] {
    return FLIP_KINDS.flatMap((kind) => this.#first.get(kind) ?? [])
  }
  /** In fresh instances each. */
  judge(call: Call<Rows>): void {
    const { rows, answer } = call
    if (!this.#hold('remembers', call, this.#fresh(rows), (is) => isSame(answer, is))) {
      this.#remembered.add(call)
      return
    }
    this.#relabel(call)
    this.#shift(call)
    if (answer !== undefined && this.#fresh(this.#grown(rows)) === undefined) this.byExactAmounts++
  }
  /** In one instance, from the last call to the first. */
  judgeReversed(calls: readonly Call<Rows>[]): void {
    const instance = this.#file.make(this.#settings)
    for (const call of [...calls].reverse()) {
      const is = ask(instance, call.rows)
      if (!this.#remembered.has(call)) this.#hold('depends on order', call, is, (answer) => isSame(call.answer, answer))
    }
  }
  #fresh(rows: Rows): Answer {
    return ask(this.#file.make(this.#settings), rows)
  }
  #relabel(call: Call<Rows>): void {
    const { of } = this.#file
    const rows = changeRows(of, call.rows, this.#labels.change)
    let forms: { readonly was: string[]; readonly is: string[] } | undefined
    const made = (): { readonly was: string[]; readonly is: string[] } => {
      forms ??= { was: this.#formsOf(call.rows), is: this.#formsOf(rows) }
      return forms
    }
    const texts: Same<string> = (was, is) =>
      was === is || this.#labels.words(was) === is || maskOf(was, made().was) === maskOf(is, made().is)
    this.#hold('knows addresses', call, this.#fresh(rows), (is) => isSame(call.answer, is, isEqual, texts))
  }
  #formsOf(rows: Rows): string[] {
    const forms: string[] = []
    lookAt(this.#file.of, rows, (kind, value) => {
      if (kind !== 'slot' && kind !== 'time') forms.push(...formsOf(kind, value))
    })
    return forms
  }
  /** Back in time, only whether it fires counts: minutes and seconds in evidence move. */
  #shift(call: Call<Rows>): void {
    const { of } = this.#file
    const [later, earlier] = [forward(this.#seed), back(of, call.rows, this.#seed)]
    const at = (shift: typeof later): Answer => this.#fresh(changeRows(of, call.rows, shifting(shift)))
    const isMoved = (is: Answer): boolean =>
      isSame(
        call.answer,
        is,
        (a, b) => isNumberShifted(a, b, later),
        (a, b) => isTextShifted(a, b, later),
      )
    if (this.#hold('knows dates', call, at(later), isMoved))
      this.#hold('knows dates', call, at(earlier), (is) => !isFailure(is) && (is === undefined) === (call.answer === undefined))
  }
  /** All amounts a millionth larger: equal ones stay equal, greater ones greater. */
  #grown(rows: Rows): Rows {
    const grown: Record<string, unknown> = {}
    for (const [name, row] of Object.entries(rows))
      grown[name] = typeof row === 'object' && row !== null ? Object.fromEntries(Object.entries(row).map(grownField)) : row
    return grown as Rows
  }
  #hold(kind: FlipKind, call: Call<Rows>, is: Answer, isRight: (is: Answer) => boolean): boolean {
    this.compared++
    if (isRight(is)) return true
    this.flips[kind]++
    // Calls come in the order of positions, but for those in reverse.
    if (kind === 'depends on order' || !this.#first.has(kind)) this.#first.set(kind, exampleOf(kind, call, is))
    return false
  }
}

const MILLION = 1_000_000
const grownField = ([field, value]: [string, unknown]): [string, unknown] => {
  if (!/Units$/.test(field)) return [field, value]
  if (typeof value === 'bigint') return [field, value + value / BigInt(MILLION)]
  return [field, typeof value === 'number' && value > 0 ? value + Math.ceil(value / MILLION) : value]
}

const exampleOf = <Rows extends AnyRows>(kind: FlipKind, { rows, answer }: Call<Rows>, is: Answer): FlipExample => {
  const { position } = rows
  const { number, tx, outer, inner, curve, bondingCurve } = rows.launch as Rows['launch'] & {
    readonly curve?: Key
    readonly bondingCurve?: Key
  }
  const address = bondingCurve ?? curve
  return {
    kind,
    position: formatPosition(position),
    launch: formatPosition({ chain: position.chain, number, tx, outer, inner }),
    curve: address === undefined ? '' : keyText(address),
    was: answer ?? null,
    is: is === undefined || isFailure(is) ? null : is,
    failure: isFailure(is) ? is.message : null,
  }
}

/** The calls of all lists, each once, in the order of positions. */
const together = <Rows extends AnyRows>({ firings, lastCalls, others }: Kept<Rows>): readonly Call<Rows>[] => {
  const lists = new Map<string, Call<Rows>>()
  for (const call of [...firings, ...lastCalls, ...others]) {
    const { launch, position } = call.rows
    const launched = formatPosition({ ...launch, chain: position.chain })
    lists.set(`${launched} ${formatPosition(position)}`, call)
  }
  return [...lists.values()].sort(
    (a, b) => comparePositions(a.rows.position, b.rows.position) || comparePositions(a.rows.launch, b.rows.launch),
  )
}

/** `counts`: of the whole run. */
export const askAgain = <Rows extends AnyRows>(
  file: Asked<Rows>,
  settings: Readonly<Record<string, number>>,
  seed: number,
  kept: Kept<Rows>,
  counts: Pick<LookAheadReport, 'calls' | 'firings'>,
): LookAheadReport => {
  const calls = together(kept)
  const again = new Again(file, settings, seed)
  for (const call of calls) again.judge(call)
  again.judgeReversed(calls)
  const { id: detector, version, hash } = file
  const { flips, compared, byExactAmounts, examples } = again
  const asked = { firings: kept.firings.length, lastCalls: kept.lastCalls.length, others: kept.others.length, all: calls.length }
  const flipsTotal = FLIP_KINDS.reduce((sum, kind) => sum + flips[kind], 0)
  return { detector, version, hash, seed, ...counts, asked, compared, flips, flipsTotal, byExactAmounts, examples }
}
