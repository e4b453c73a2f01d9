// Calls a detector again with rows of a run: in fresh instances, with other addresses and names, at other times, in another order.
//
// A fold passes events in order, so a detector can know the future only from state that it keeps between calls, or from data in its code.
// A fresh instance and another order reveal kept state; other addresses, names and times reveal data about mints, creators, slots or dates.
// None of these tests reveals a number that was fitted on the same data (such as a threshold): test the detector on a time range that the
// fit did not use, and correct for the number of trials.
import type { FieldKind } from '../../../processors/detector-kit/fields.ts'
import type { Evidence } from '../../../processors/mint/detectors/detector.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import { comparePositions, formatPosition, type Position } from '../../../schemas/position.ts'
import { DetectorFailure, type Instance } from '../detector-file/instance.ts'
import { type FormPair, formsOf, isSameShown, Relabelling } from './relabel.ts'
import { FLIP_KINDS, type FlipExample, type FlipKind, type LookAheadReport } from './report.ts'
import { type AnyRows, changeRows, type Primitive, visitFields } from './rows.ts'
import { backward, forward, isNumberShifted, isTextShifted, shifting } from './shift.ts'
import type { Call, WatchedDetector } from './watch.ts'

interface SampledCalls<Rows> {
  readonly firings: readonly Call<Rows>[]
  readonly lastCalls: readonly Call<Rows>[]
  readonly others: readonly Call<Rows>[]
}

/** An answer, or the error. */
type Answer = Evidence | DetectorFailure | undefined
type Same<Value> = (was: Value, is: Value) => boolean

const isFailure = (answer: Answer): answer is DetectorFailure => answer instanceof DetectorFailure

const callDetector = <Rows>(instance: Instance<Rows>, rows: Rows): Answer => {
  try {
    return instance.find(rows)
  } catch (failure) {
    if (failure instanceof DetectorFailure) return failure
    throw failure
  }
}

const isEqual: Same<unknown> = (was, is) => was === is

/** True if both have the same fields, with values that `numbers` and `texts` accept as equal; the order of names does not matter. */
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

/** Changed rows for a repeated call, and the answers that a detector without look-ahead may give. */
interface Variant<Rows> {
  readonly kind: FlipKind
  readonly rows: Rows
  isExpected(is: Answer): boolean
}

class RepeatedCalls<Rows extends AnyRows> {
  readonly #file: WatchedDetector<Rows>
  readonly #settings: Readonly<Record<string, number>>
  readonly #seed: number
  readonly #labels: Relabelling
  /** This instance is called with the variants of all calls; if its answer is not as expected, a fresh instance decides. */
  readonly #shared: Instance<Rows>
  readonly #first = new Map<FlipKind, { readonly at: Position; readonly example: FlipExample }>()
  readonly #remembered = new Set<Call<Rows>>()
  readonly flips = Object.fromEntries(FLIP_KINDS.map((kind) => [kind, 0])) as Record<FlipKind, number>
  compared = 0
  byExactAmounts = 0

  constructor(file: WatchedDetector<Rows>, settings: Readonly<Record<string, number>>, seed: number) {
    this.#file = file
    this.#settings = settings
    this.#seed = seed
    this.#labels = new Relabelling(seed)
    this.#shared = this.#fresh()
  }
  get examples(): readonly FlipExample[] {
    return FLIP_KINDS.flatMap((kind) => this.#first.get(kind)?.example ?? [])
  }
  judge(call: Call<Rows>): void {
    const { rows, answer } = call
    const again = callDetector(this.#fresh(), rows)
    this.compared++
    if (!isSame(answer, again)) {
      this.#remembered.add(call)
      this.#flip('remembers', call, again)
      return
    }
    this.#check(call, this.#relabelled(call))
    const [later, earlier] = this.#shifted(call)
    if (this.#check(call, later)) this.#check(call, earlier)
    if (answer !== undefined && callDetector(this.#shared, changeRows(this.#file.of, rows, increaseAmounts)) === undefined)
      this.byExactAmounts++
  }
  /** Repeats all calls in one instance, from the last to the first. */
  judgeReversed(calls: readonly Call<Rows>[]): void {
    const instance = this.#fresh()
    for (const call of [...calls].reverse()) {
      const is = callDetector(instance, call.rows)
      this.compared++
      if (!this.#remembered.has(call) && !isSame(call.answer, is)) this.#flip('depends on order', call, is)
    }
  }
  #fresh(): Instance<Rows> {
    return this.#file.make(this.#settings)
  }
  #relabelled({ rows, answer }: Call<Rows>): Variant<Rows> {
    const other = changeRows(this.#file.of, rows, this.#labels.change)
    const texts: Same<string> = (was, is) =>
      was === is || this.#labels.words(was) === is || isSameShown(was, is, this.#pairsOf(rows, other))
    return { kind: 'knows addresses', rows: other, isExpected: (is) => isSame(answer, is, isEqual, texts) }
  }
  #pairsOf(rows: Rows, other: Rows): readonly FormPair[] {
    const forms = [rows, other].map((one) => {
      const all: string[] = []
      visitFields(this.#file.of, one, (kind, value) => all.push(...formsOf(kind, value)))
      return all
    })
    return (forms[0] ?? []).map((was, n) => ({ was, is: forms[1]?.[n] ?? '' }))
  }
  /**
   * The call moved forward and back in time. Moved back, only whether the detector fires is compared, because minutes and seconds in
   * evidence may change.
   */
  #shifted({ rows, answer }: Call<Rows>): readonly [Variant<Rows>, Variant<Rows>] {
    const { of } = this.#file
    const [later, earlier] = [forward(this.#seed), backward(of, rows, this.#seed)]
    const numbers: Same<number> = (was, is) => isNumberShifted(was, is, later)
    const texts: Same<string> = (was, is) => isTextShifted(was, is, later)
    const kind = 'knows dates'
    return [
      { kind, rows: changeRows(of, rows, shifting(later)), isExpected: (is) => isSame(answer, is, numbers, texts) },
      {
        kind,
        rows: changeRows(of, rows, shifting(earlier)),
        isExpected: (is) => !isFailure(is) && (is === undefined) === (answer === undefined),
      },
    ]
  }
  #check(call: Call<Rows>, { kind, rows, isExpected }: Variant<Rows>): boolean {
    this.compared++
    const shared = callDetector(this.#shared, rows)
    if (isExpected(shared)) return true
    const fresh = callDetector(this.#fresh(), rows)
    if (isExpected(fresh)) this.#flip('depends on order', call, shared)
    else this.#flip(kind, call, fresh)
    return false
  }
  #flip(kind: FlipKind, call: Call<Rows>, is: Answer): void {
    this.flips[kind]++
    const known = this.#first.get(kind)
    const { position: at } = call.rows
    if (known === undefined || comparePositions(at, known.at) < 0) this.#first.set(kind, { at, example: exampleOf(kind, call, is) })
  }
}

const MILLION = 1_000_000
/** For `changeRows`: increases amounts by a millionth, which preserves their order and equality. */
const increaseAmounts = (kind: FieldKind, value: Primitive): Primitive => {
  if (kind !== 'amount') return value
  if (typeof value === 'bigint') return value + value / BigInt(MILLION)
  return typeof value === 'number' && value > 0 ? value + Math.ceil(value / MILLION) : value
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

/** The calls of all samples, without duplicates, in the order of positions. */
const distinctCalls = <Rows extends AnyRows>({ firings, lastCalls, others }: SampledCalls<Rows>): readonly Call<Rows>[] => {
  const distinct = new Map<string, Call<Rows>>()
  for (const call of [...firings, ...lastCalls, ...others]) {
    const { launch, position } = call.rows
    const launched = formatPosition({ ...launch, chain: position.chain })
    distinct.set(`${launched} ${formatPosition(position)}`, call)
  }
  return [...distinct.values()].sort(
    (a, b) => comparePositions(a.rows.position, b.rows.position) || comparePositions(a.rows.launch, b.rows.launch),
  )
}

/** `counts`: of the whole run. */
export const repeatCalls = <Rows extends AnyRows>(
  file: WatchedDetector<Rows>,
  settings: Readonly<Record<string, number>>,
  seed: number,
  kept: SampledCalls<Rows>,
  counts: Pick<LookAheadReport, 'calls' | 'firings'>,
): LookAheadReport => {
  const calls = distinctCalls(kept)
  const again = new RepeatedCalls(file, settings, seed)
  for (const call of calls) again.judge(call)
  again.judgeReversed(calls)
  const { id: detector, version, hash } = file
  const { flips, compared, byExactAmounts, examples } = again
  const repeated = { firings: kept.firings.length, lastCalls: kept.lastCalls.length, others: kept.others.length, all: calls.length }
  const flipsTotal = FLIP_KINDS.reduce((sum, kind) => sum + flips[kind], 0)
  return { detector, version, hash, seed, ...counts, repeated, compared, flips, flipsTotal, byExactAmounts, examples }
}
