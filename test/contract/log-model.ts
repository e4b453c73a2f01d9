// Random operations against a model that is too simple to be wrong: every record ever written, and what a follower makes of them.
import * as fc from 'fast-check'
import type { Log, TaskOwner } from '../../topology/ports/log.ts'
import { code } from './log-contract.ts'
import { EVENTS, folded, type LogSetup, type OpenLog, out, ROWS, readAll, SETUP, text } from './log-topics.ts'

const PARTITIONS = 2
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

/** The log under test beside every record ever written. */
class Bench {
  readonly #opened: OpenLog
  #log: Log
  readonly #owners = new Map<number, TaskOwner>()
  readonly #under: Promise<void>[] = []
  readonly #events: (string | null)[][] = Array.from({ length: PARTITIONS }, () => [])
  readonly #starts: number[] = Array.from({ length: PARTITIONS }, () => 0)
  readonly #rows: Record<string, string>[] = Array.from({ length: PARTITIONS }, () => ({}))
  readonly #rowEnds: number[] = Array.from({ length: PARTITIONS }, () => 0)
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
      const start = this.#starts[partition] ?? 0
      const expected = (this.#events[partition] ?? []).map((value, offset) => [offset, value]).slice(start)
      const records = await readAll(this.#log, EVENTS, partition)
      expect(records.map(({ offset, value }) => [offset, text(value)])).toEqual(expected)
      expect([this.#log.start(EVENTS, partition), this.#log.end(EVENTS, partition)]).toEqual([start, this.#events[partition]?.length])
      expect(await folded(this.#log, ROWS, partition)).toEqual(this.#rows[partition])
      expect(this.#log.end(ROWS, partition)).toBe(this.#rowEnds[partition])
    }
    for (const [owner, input] of this.#inputs) expect((await this.#owner(owner)).committed().get('in')).toBe(input)
  }
  async #commit({ owner, writes, input, wait }: Extract<Operation, { type: 'commit' }>): Promise<void> {
    const outputs = writes.map(({ compacted, partition, key, value }) => out(compacted ? ROWS : EVENTS, partition, key, value))
    const done = (await this.#owner(owner)).commit({ outputs, inputs: new Map([['in', input]]) })
    this.#inputs.set(owner, input)
    for (const { compacted, partition, key, value } of writes) {
      const rows = this.#rows[partition] ?? {}
      if (!compacted) this.#events[partition]?.push(value)
      else if (value === null) delete rows[key]
      else rows[key] = value
      if (compacted) this.#rowEnds[partition] = (this.#rowEnds[partition] ?? 0) + 1
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
    const end = this.#events[partition]?.length ?? 0
    const offset = Math.floor((end * share) / 4)
    await this.#log.trim(EVENTS, partition, offset)
    this.#starts[partition] = Math.max(offset, this.#starts[partition] ?? 0)
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

/** fast-check prints seed and path of a failure. Few runs: each opens a log and may flush a disk some dozen times. */
export const logModel = (name: string, open: (setup: LogSetup) => Promise<OpenLog>): void => {
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
    await fc.assert(property, { numRuns: 15 })
  }, 60_000)
}
