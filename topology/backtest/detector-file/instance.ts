// An instance of a detector file, which is called with rows of the host realm.
import type { Evidence } from '../../../processors/mint/detectors/detector.ts'
import { messageOf, UsageError } from '../../../schemas/errors.ts'
import { formatPosition, type Position } from '../../../schemas/position.ts'
import type { Bundle } from './bundle.ts'
import type { Definition } from './definition.ts'
import { evidenceOf } from './evidence.ts'
import type { Realm } from './realm.ts'

/** A detector threw, wrote to its rows, used a name that lock.mjs refuses, or returned something other than evidence. Exit code 2. */
export class DetectorFailure extends UsageError {
  readonly detector: string
  /** Position of the rows that `find` was called with; undefined if `notJudged` failed. */
  readonly position: Position | undefined
  /** What the detector did, without the position. */
  readonly reason: string

  constructor(detector: string, position: Position | undefined, reason: string, location: string | undefined, cause?: unknown) {
    const at = position === undefined ? '' : ` at ${formatPosition(position)}`
    super(`detector ${detector}${at}: ${reason}${location === undefined ? '' : ` (${location})`}`)
    if (cause !== undefined) this.cause = cause
    this.detector = detector
    this.position = position
    this.reason = reason
  }
}

/** A detector, ready to be called: its file was evaluated for this instance only, so instances share no variables. */
export interface Instance<Rows> {
  /**
   * Evidence, or undefined. Rows may change between calls; they are not copied. A call has no time limit: an endless loop blocks the
   * thread.
   * @throws DetectorFailure
   */
  find(rows: Rows): Evidence | undefined
  /** Why the mint or curve of these rows is not judged; undefined if it is judged. @throws DetectorFailure */
  notJudged(rows: Partial<Rows>): string | undefined
}

const FROZEN = /read.only|not extensible|Cannot (?:delete|redefine|define) property|cannot be changed/

/** Shared by all instances of one file. */
export interface Loaded {
  readonly realm: Realm
  readonly bundle: Pick<Bundle, 'placeOf'>
}

/** The arguments of `find` of a mint or a curve detector. */
interface AnyRows {
  readonly position: Position
}

/** `definition`: from an evaluation of the file for this instance only. */
export const instanceOf = <Rows extends AnyRows>(
  { realm, bundle }: Loaded,
  definition: Definition,
  settings: Readonly<Record<string, number>>,
): Instance<Rows> => {
  const { rows: view, views, pointAt } = realm.viewsOf(definition.of)
  const { find, id } = definition
  const frozenSettings = realm.settingsOf(settings)
  const locationIn = (location: string): string | undefined => {
    const [line, column] = location.split(':').map(Number)
    return line === undefined || column === undefined ? undefined : bundle.placeOf(line, column)
  }
  const failureOf = (reason: string, location: string, position: Position | undefined, cause?: unknown): DetectorFailure =>
    new DetectorFailure(id, position, reason, locationIn(location), cause)
  /** Throws if the call used a refused name or wrote to a row, even if the detector's code caught the original error. */
  const checkViolation = (position: Position | undefined): void => {
    const violation = realm.takeViolation()
    if (violation !== undefined) throw failureOf(violation.message, violation.location, position)
  }
  const thrownBy = (thrown: unknown, position: Position | undefined): DetectorFailure => {
    const message = String(messageOf(thrown))
    const hint = FROZEN.test(message) ? '; rows, settings, globals and prototypes are read-only: a detector is a pure function of rows' : ''
    return failureOf(`throws ${message}${hint}`, realm.placeOf(thrown), position, thrown)
  }
  return {
    find: (rows) => {
      pointAt(rows)
      let answer: unknown
      try {
        answer = find(view, frozenSettings)
      } catch (thrown) {
        checkViolation(rows.position)
        throw thrownBy(thrown, rows.position)
      }
      if (realm.hasViolation) checkViolation(rows.position)
      if (answer === undefined) return undefined
      const evidence = evidenceOf(answer)
      if (typeof evidence === 'string') throw failureOf(evidence, '', rows.position)
      return evidence
    },
    notJudged: (rows) => {
      if (definition.notJudged === undefined) return undefined
      pointAt(rows)
      let answer: unknown
      try {
        const { launch, curve, pool } = views
        answer =
          definition.of === 'mint'
            ? definition.notJudged(curve, 'pool' in rows && rows.pool ? pool : undefined)
            : definition.notJudged(launch)
      } catch (thrown) {
        checkViolation(undefined)
        throw thrownBy(thrown, undefined)
      }
      checkViolation(undefined)
      if (answer !== undefined && typeof answer !== 'string')
        throw failureOf(`notJudged returns a ${typeof answer}: return a string, or undefined`, '', undefined)
      return answer
    },
  }
}
