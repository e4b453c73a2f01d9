// A separate realm for the code of a detector: the language without clock, randomness, I/O, promises and shared memory (lock.mjs).
import { readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import type { Of } from '../../../processors/detector-kit/fields.ts'
import * as kit from '../../../processors/detector-kit/helpers.ts'
import { VIEWS, type Views } from './views.ts'

/** Name of the detector's code in stack traces. */
const SCRIPT = 'detector'
/** Time limit for evaluating the file. A call of `find` has no limit: it runs in this process. */
const EVALUATE_MS_MAX = 2_000
const REASON = 'a detector is a pure function of rows'

/** Names of the helpers that detector files import: those of the kit, and two that make definitions, which lock.mjs adds. */
export const HELPER_NAMES: readonly string[] = [...Object.keys(kit), 'mintDetector', 'curveDetector']

interface Locked {
  readonly scope: object
  helper(name: string): unknown
  placeOf(error: unknown): string
  wrote(what: string): never
  settingsOf(json: string): Readonly<Record<string, number>>
}
type Lock = (report: (message: string, location: string) => void, reason: string, script: string, helpers: object) => Locked
/** Evaluates the detector's file and returns its exports. */
type Factory = (scope: object, helper: Locked['helper']) => { readonly default?: unknown }

/** A forbidden action of a detector, recorded because its code may have caught the error. */
export interface Violation {
  readonly message: string
  /** `line:column` in the bundle; empty if unknown. */
  readonly location: string
}

/** The realm in which the code of one detector file runs. Evaluations share the realm, but no object that the file's code can write to. */
export class Realm {
  readonly #context = createContext({}, { codeGeneration: { strings: false, wasm: false }, microtaskMode: 'afterEvaluate' })
  readonly #locked: Locked
  readonly #factory: Factory
  readonly #views = new Map<Of, Views>()
  #violation: Violation | undefined

  /** `code`: a bundle that assigns its exports to `__detector`. */
  constructor(code: string) {
    const lock = this.#run(`(() => { 'use strict'\n${lockText()}\n})(), globalThis.lock`) as Lock
    delete this.#context.lock
    const report = (message: string, location: string): void => {
      this.#violation ??= { message, location }
    }
    this.#locked = lock(report, REASON, SCRIPT, { ...kit })
    const text = `(function (globalThis, __helper) { 'use strict'\n${code}\nreturn __detector })`
    this.#factory = new Script(text, { filename: SCRIPT, lineOffset: -1 }).runInContext(this.#context) as Factory
  }
  /** Evaluates the file for the first time, with a time limit. @throws any error of its code, and if it takes too long */
  evaluateFirst(): unknown {
    this.#context.first = () => this.evaluate()
    try {
      return this.#run('first()', EVALUATE_MS_MAX)
    } finally {
      delete this.#context.first
    }
  }
  /** Evaluates the file again and returns its default export, which shares no state with earlier ones. */
  evaluate(): unknown {
    const factory = this.#factory
    return factory(this.#locked.scope, this.#locked.helper).default
  }
  settingsOf(settings: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
    return this.#locked.settingsOf(JSON.stringify(settings))
  }
  viewsOf(of: Of): Views {
    const known = this.#views.get(of)
    if (known !== undefined) return known
    const made = (this.#run(`(${VIEWS[of]})`) as (wrote: Locked['wrote']) => Views)(this.#locked.wrote)
    this.#views.set(of, made)
    return made
  }
  /** `line:column` in the bundle where an error of the realm was created; empty if unknown. */
  placeOf(error: unknown): string {
    return this.#locked.placeOf(error)
  }
  get hasViolation(): boolean {
    return this.#violation !== undefined
  }
  /** The first forbidden action since the last call. */
  takeViolation(): Violation | undefined {
    const violation = this.#violation
    this.#violation = undefined
    return violation
  }
  #run(text: string, timeout?: number): unknown {
    // Displaying errors would make Node read the stack of a thrown error, and its position in the realm would be lost.
    return new Script(text).runInContext(this.#context, { displayErrors: false, ...(timeout === undefined ? {} : { timeout }) })
  }
}

let lockCode: string | undefined
const lockText = (): string => {
  lockCode ??= readFileSync(new URL('./lock.mjs', import.meta.url), 'utf8')
  return lockCode
}
