// A realm of its own for the code of a detector: the language without clock, chance, I/O, promises and shared memory (lock.mjs).
import { readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import type { Of } from '../../../processors/detector-kit/fields.ts'
import * as kit from '../../../processors/detector-kit/helpers.ts'
import { VIEWS, type Views } from './views.ts'

/** Name of the detector's code in stacks. */
const SCRIPT = 'detector'
/** Its file may take so long to be evaluated. What `find` does in a call has no limit: it runs in this process. */
const EVALUATE_MS_MAX = 2_000
const REASON = 'a detector is a pure function of rows'

/** Helpers that files of detectors import, by name; those that make a definition are the realm's own. */
export const HELPER_NAMES: readonly string[] = [...Object.keys(kit), 'mintDetector', 'curveDetector']

interface Locked {
  readonly scope: object
  helper(name: string): unknown
  placeOf(error: unknown): string
  wrote(what: string): never
  settingsOf(json: string): Readonly<Record<string, number>>
}
type Lock = (tell: (words: string, place: string) => void, reason: string, script: string, helpers: object) => Locked
/** Evaluates the detector's file and gives its exports. */
type Factory = (scope: object, helper: Locked['helper']) => { readonly default?: unknown }

/** What a detector did that none may, although its code may have caught the error. */
export interface Trouble {
  readonly words: string
  /** `line:column` in the bundle; empty for unknown. */
  readonly place: string
}

/** Where code of one detector file runs. Instances share it, and nothing that code can write to. */
export class Realm {
  readonly #context = createContext({}, { codeGeneration: { strings: false, wasm: false }, microtaskMode: 'afterEvaluate' })
  readonly #locked: Locked
  readonly #factory: Factory
  readonly #views = new Map<Of, Views>()
  #trouble: Trouble | undefined

  /** `code`: a bundle that assigns its exports to `__detector`. */
  constructor(code: string) {
    const lock = this.#run(`(() => { 'use strict'\n${lockText()}\n})(), globalThis.lock`) as Lock
    delete this.#context.lock
    const tell = (words: string, place: string): void => {
      this.#trouble ??= { words, place }
    }
    this.#locked = lock(tell, REASON, SCRIPT, { ...kit })
    const text = `(function (globalThis, __helper) { 'use strict'\n${code}\nreturn __detector })`
    this.#factory = new Script(text, { filename: SCRIPT, lineOffset: -1 }).runInContext(this.#context) as Factory
  }
  /** Evaluates the file for the first time, for a limited time. @throws whatever its code throws, and where it takes too long */
  evaluateFirst(): unknown {
    this.#context.first = () => this.evaluate()
    try {
      return this.#run('first()', EVALUATE_MS_MAX)
    } finally {
      delete this.#context.first
    }
  }
  /** Evaluates the file once more: the definition that it exports by default, which shares nothing with those before. */
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
  /** `line:column` in the bundle where an error of the realm was made; empty for unknown. */
  placeOf(error: unknown): string {
    return this.#locked.placeOf(error)
  }
  get hasTrouble(): boolean {
    return this.#trouble !== undefined
  }
  /** What happened since the last call that none may do; the first of it. */
  takeTrouble(): Trouble | undefined {
    const trouble = this.#trouble
    this.#trouble = undefined
    return trouble
  }
  #run(text: string, timeout?: number): unknown {
    // Node would read the stack of what is thrown, in which the realm then has no place any more.
    return new Script(text).runInContext(this.#context, { displayErrors: false, ...(timeout === undefined ? {} : { timeout }) })
  }
}

let lockCode: string | undefined
const lockText = (): string => {
  lockCode ??= readFileSync(new URL('./lock.mjs', import.meta.url), 'utf8')
  return lockCode
}
