// How a process ends: parts in the reverse order of their start, each even if another fails.
import { messageOf } from '../../../schemas/errors.ts'

/** A step that lasts so long is named: the whole stop has 10 s. */
const SLOW_MS = 2_000

/** Collects what must end. */
export class Closing {
  readonly #steps: { readonly name: string; readonly end: () => Promise<void> }[] = []
  readonly #say: (line: string) => void
  readonly #slowMs: number

  /** `say` is told of steps that are slow, and of failures beside the one that is thrown. */
  constructor(say: (line: string) => void = () => {}, slowMs = SLOW_MS) {
    this.#say = say
    this.#slowMs = slowMs
  }
  add(name: string, end: () => Promise<void>): void {
    this.#steps.push({ name, end })
  }
  /** Ends all. @throws the first failure, after all were tried, with the name of its step */
  async run(): Promise<void> {
    const [first, ...others] = await this.#end()
    for (const failure of others) this.#say(messageOf(failure))
    if (first !== undefined) throw first
  }
  /** Does `work`, then ends all. @throws what `work` throws, else as `run` */
  async after<T>(work: (closing: Closing) => Promise<T>): Promise<T> {
    let done: T
    try {
      done = await work(this)
    } catch (failure) {
      for (const other of await this.#end()) this.#say(messageOf(other))
      throw failure
    }
    await this.run()
    return done
  }

  async #end(): Promise<readonly Error[]> {
    const failures: Error[] = []
    for (const { name, end } of this.#steps.splice(0).reverse()) {
      const slow = setTimeout(() => this.#say(`stopping: waits for '${name}'`), this.#slowMs)
      try {
        await end()
      } catch (cause) {
        failures.push(named(name, cause))
      } finally {
        clearTimeout(slow)
      }
    }
    return failures
  }
}

/** The failure itself, because its code and name decide how the process ends. */
const named = (step: string, cause: unknown): Error => {
  const failure = cause instanceof Error ? cause : new Error(messageOf(cause))
  const words = `'${step}' did not end well: ${failure.message}`
  failure.stack = failure.stack?.replace(failure.message, words) ?? words
  failure.message = words
  return failure
}
