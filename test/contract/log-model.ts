// Random operations against a model that is too simple to be wrong: every record ever written, and the state of a consumer of them.
import * as fc from 'fast-check'
import type { Log, TaskOwner } from '../../topology/ports/log.ts'
import { code, EVENTS, folded, type LogSetup, type OpenLog, out, ROWS, readAll, SETUP, text } from './log-topics.ts'

const PARTITIONS = 2
const NOT_TRIMMED = { trimmed: 0, start: 0 }
type Write = { readonly compacted: boolean; readonly partition: number; readonly key: string; readonly value: string | null }
type Operation =
  | { readonly type: 'commit'; readonly owner: number; readonly writes: readonly Write[]; readonly input: number; readonly wait: boolean }
  | { readonly type: 'own'; readonly owner: number }
  | { readonly type: 'trim'; readonly partition: number; readonly share: number }
  | { readonly type: 'reopen' }

const aWrite: fc.Arbitrary<Write> = fc.record({
  compacted: fc.boolean(),
  partition: fc.nat(PARTITIONS - 1),
  key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  value: fc.option(fc.oneof(fc.string({ maxLength: 5 }), fc.constant('long '.repeat(900))), { freq: 3 }),
})
const anOperation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('commit' as const),
      owner: fc.nat(1),
      writes: fc.array(aWrite, { maxLength: 8 }),
      input: fc.nat(1_000),
      wait: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('own' as const), owner: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('trim' as const), partition: fc.nat(PARTITIONS - 1), share: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constant({ type: 'reopen' as const }) },
)

/** The log under test and every record ever written. */
class Bench {
  readonly #opened: OpenLog
  #log: Log
  readonly #owners = new Map<number, TaskOwner>()
  readonly #under: Promise<void>[] = []
  #writing = 0
  readonly #events: (string | null)[][] = Array.from({ length: PARTITIONS }, () => [])
  readonly #trims: { readonly trimmed: number; readonly start: number }[] = Array.from({ length: PARTITIONS }, () => NOT_TRIMMED)
  readonly #rows: Record<string, string>[] = Array.from({ length: PARTITIONS }, () => ({}))
  readonly #inputs = new Map<number, number>()

  constructor(opened: OpenLog) {
    this.#opened = opened
    this.#log = opened.log
  }
  async apply(operation: Operation): Promise<void> {
    if (operation.type === 'commit') return this.#commit(operation)
    await Promise.all(this.#under.splice(0))
    if (operation.type === 'own') await this.#own(operation.owner)
    else if (operation.type === 'trim') await this.#trim(operation.partition, operation.share)
    else await this.#reopen()
  }
  async check(): Promise<void> {
    await Promise.all(this.#under.splice(0))
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const { trimmed, start } = this.#trims[partition] ?? NOT_TRIMMED
      const records = await readAll(this.#log, EVENTS, partition)
      expect(records.map(({ value }) => text(value))).toEqual(this.#events[partition]?.slice(trimmed))
      const last = records.at(-1)?.offset ?? start - 1
      expect([this.#log.start(EVENTS, partition), this.#log.end(EVENTS, partition)]).toEqual([start, Math.max(start, last + 1)])
      expect(await folded(this.#log, ROWS, partition)).toEqual(this.#rows[partition])
    }
    for (const [owner, input] of this.#inputs) expect((await this.#owner(owner)).committed().get('in')).toBe(input)
  }
  async #commit({ owner, writes, input, wait }: Extract<Operation, { type: 'commit' }>): Promise<void> {
    const outputs = writes.map(({ compacted, partition, key, value }) => out(compacted ? ROWS : EVENTS, partition, key, value))
    // Concurrent commits of two owners are unordered.
    if (owner !== this.#writing) await Promise.all(this.#under.splice(0))
    this.#writing = owner
    const done = (await this.#owner(owner)).commit({ outputs, inputs: new Map([['in', input]]) })
    this.#inputs.set(owner, input)
    for (const { compacted, partition, key, value } of writes) {
      const rows = this.#rows[partition] ?? {}
      if (!compacted) this.#events[partition]?.push(value)
      else if (value === null) delete rows[key]
      else rows[key] = value
    }
    this.#under.push(done)
    if (wait) await done
  }
  async #own(owner: number): Promise<void> {
    const older = await this.#owner(owner)
    this.#owners.set(owner, await this.#log.own(`owner ${owner}`))
    await expect(older.commit({ outputs: [out(EVENTS, 0, 'k', 'zombie')], inputs: new Map() })).rejects.toEqual(code('fenced'))
  }
  async #trim(partition: number, share: number): Promise<void> {
    const { trimmed, start } = this.#trims[partition] ?? NOT_TRIMMED
    const records = await readAll(this.#log, EVENTS, partition)
    const dropped = Math.floor((records.length * share) / 4)
    const offset = records[dropped]?.offset ?? this.#log.end(EVENTS, partition)
    await this.#log.trim(EVENTS, partition, offset)
    this.#trims[partition] = { trimmed: trimmed + dropped, start: Math.max(start, offset) }
  }
  async #reopen(): Promise<void> {
    if (this.#opened.reopen === undefined) return
    this.#log = await this.#opened.reopen()
    this.#owners.clear()
  }
  async #owner(owner: number): Promise<TaskOwner> {
    const known = this.#owners.get(owner)
    if (known !== undefined) return known
    const fresh = await this.#log.own(`owner ${owner}`)
    this.#owners.set(owner, fresh)
    return fresh
  }
}

/** Few: each opens a log and may flush a disk some dozen times. */
const RUNS = 15

/** fast-check prints seed and path of a failure. */
export const logModel = (name: string, open: (setup: LogSetup) => Promise<OpenLog>, numRuns = RUNS): void => {
  test(`${name}: after any operations, a reader sees what the model has`, async () => {
    const property = fc.asyncProperty(fc.array(anOperation, { maxLength: 40 }), async (operations) => {
      const opened = await open(SETUP)
      try {
        const bench = new Bench(opened)
        for (const operation of operations) await bench.apply(operation)
        await bench.check()
      } finally {
        await opened.close()
      }
    })
    // Where a run takes a second, an immediate full counterexample is worth more than a shrunk one after the test's time limit.
    await fc.assert(property, { numRuns, endOnFailure: numRuns < RUNS })
  }, 60_000)
}
