// Calls by name, at most one at a time for each: all that ask while one runs share the next, which begins after they asked.

/** Calls of one name. */
interface Calls<Value> {
  running: Promise<unknown>
  next: Promise<Value> | undefined
}

export class SharedCalls<Value> {
  readonly #call: (name: string) => Promise<Value>
  readonly #byName = new Map<string, Calls<Value>>()

  constructor(call: (name: string) => Promise<Value>) {
    this.#call = call
  }
  /** The result of a call that begins after this one. Rejects as that call does. */
  of(name: string): Promise<Value> {
    const calls = this.#byName.get(name) ?? { running: Promise.resolve(), next: undefined }
    this.#byName.set(name, calls)
    calls.next ??= this.#after(name, calls)
    return calls.next
  }
  async #after(name: string, calls: Calls<Value>): Promise<Value> {
    await calls.running
    calls.next = undefined
    const call = this.#call(name)
    const ended = call.then(
      () => {},
      () => {},
    )
    calls.running = ended
    await ended
    if (calls.running === ended && calls.next === undefined) this.#byName.delete(name)
    return call
  }
}
