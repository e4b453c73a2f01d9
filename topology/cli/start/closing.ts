// Shutdown of a process: closes its parts in reverse order of their start, each even if another fails.
import { messageOf } from '../../../schemas/errors.ts'

/** A step that takes longer is reported: the whole stop has 10 s. */
const SLOW_MS = 2_000

/** Collects the parts to close. */
export class Closing {
  readonly #steps: { readonly name: string; readonly end: () => Promise<void> }[] = []
  readonly #printNotice: (line: string) => void
  readonly #slowMs: number

  /** `printNotice` receives slow steps, and all failures except the one that is thrown. */
  constructor(printNotice: (line: string) => void = () => {}, slowMs = SLOW_MS) {
    this.#printNotice = printNotice
    this.#slowMs = slowMs
  }
  add(name: string, end: () => Promise<void>): void {
    this.#steps.push({ name, end })
  }
  /**
   * Closes all parts. `known`: the failure of the work, which a step that waits for the work rejects with too.
   * @throws the first other failure, with the name of its step, after all were closed
   */
  async run(known?: unknown): Promise<void> {
    const [first, ...others] = await this.#end(known)
    for (const failure of others) this.#printNotice(messageOf(failure))
    if (first !== undefined) throw first
  }
  /** Runs `work`, then closes all parts. @throws the error of `work`; if there is none, the same as `run` */
  async after<T>(work: (closing: Closing) => Promise<T>): Promise<T> {
    let done: T
    try {
      done = await work(this)
    } catch (failure) {
      for (const other of await this.#end(failure)) this.#printNotice(messageOf(other))
      throw failure
    }
    await this.run()
    return done
  }

  async #end(known?: unknown): Promise<readonly Error[]> {
    const failures: Error[] = []
    for (const { name, end } of this.#steps.splice(0).reverse()) {
      const slow = setTimeout(() => this.#printNotice(`stopping: waiting for '${name}'`), this.#slowMs)
      try {
        await end()
      } catch (cause) {
        if (cause === undefined || cause !== known) failures.push(named(name, cause))
      } finally {
        clearTimeout(slow)
      }
    }
    return failures
  }
}

/** Returns the same error object, because its code and name determine the exit code. */
const named = (step: string, cause: unknown): Error => {
  const failure = cause instanceof Error ? cause : new Error(messageOf(cause))
  const words = `'${step}' failed to stop: ${failure.message}`
  failure.stack = failure.stack?.replace(failure.message, words) ?? words
  failure.message = words
  return failure
}
