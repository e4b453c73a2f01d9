// A sink that follows the outputs into an external table: rows first, then its offsets, so a row may arrive twice and must count once.
// The table behaves like the history's: it never refuses a duplicate or late insert, and the newest version of a row or frame is valid.

import { EngineError } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { LogRecord, TaskOwner } from '../../topology/ports/log.ts'
import type { ReadOutput } from './invariants.ts'
import type { Job, JobProcess, Seat } from './job.ts'
import type { Actor, Machine } from './machine.ts'

interface Row {
  readonly name: string
  readonly frame: string
  readonly isRetraction: boolean
  /** Offset of the record. */
  readonly version: number
}

const RECORDS_MAX = 20
const SLOW_MS_MAX = 2_000
const BACKOFF_MS = 50

/** Rows by name; a retracted frame hides its older rows. */
export class SinkTable {
  readonly #rows = new Map<string, Row>()
  readonly #rolledBack = new Map<string, number>()

  insert(rows: readonly Row[]): void {
    for (const row of rows)
      if (row.isRetraction) this.#rolledBack.set(row.frame, Math.max(this.#rolledBack.get(row.frame) ?? -1, row.version))
      else if (row.version >= (this.#rows.get(row.name)?.version ?? -1)) this.#rows.set(row.name, row)
  }
  /** Valid rows, sorted. */
  standing(): string[] {
    const standing = [...this.#rows.values()].filter(({ frame, version }) => version > (this.#rolledBack.get(frame) ?? -1))
    return standing.map(({ name }) => name).sort()
  }
}

export interface SinkOptions {
  readonly topics: readonly Topic[]
  readonly readOutput: ReadOutput
  readonly table: SinkTable
  readonly machine: Machine
}

/** The sink of each process has its own connection to the table: its rows may arrive after the process died. */
export const sinkJob = (options: SinkOptions): Job => ({ id: 'sink', open: (process) => new Sink(options, process) })

const NETWORK: Actor = { isAlive: true, isPaused: false }

class Sink implements Seat {
  readonly #options: SinkOptions
  readonly #process: JobProcess
  readonly #offsets = new Map<string, number>()
  #owner!: TaskOwner
  #isStopping = false
  #isIdle = false
  #wake = (): void => {}

  constructor(options: SinkOptions, process: JobProcess) {
    this.#options = options
    this.#process = process
  }
  async restore(): Promise<void> {
    this.#owner = await this.#process.log.own('sink')
    const committed = this.#owner.committed()
    for (const { name, topic, partition } of this.#partitions())
      this.#offsets.set(name, committed.get(name) ?? this.#process.log.start(topic, partition))
  }
  async run(): Promise<void> {
    const unsubscribe = this.#process.log.onCommit(() => this.#wake())
    while (!this.#isStopping) {
      const rows = await this.#read()
      if (rows.length === 0) await this.#idle()
      else {
        await this.#retried(() => this.#insert(rows))
        await this.#retried(() => this.#owner.commit({ outputs: [], inputs: new Map(this.#offsets) }))
      }
    }
    unsubscribe()
  }
  stop(): void {
    this.#isStopping = true
    this.#wake()
  }
  get isCaughtUp(): boolean {
    return this.#isIdle && !this.#hasMore()
  }
  *#partitions(): Iterable<{ readonly name: string; readonly topic: Topic; readonly partition: number }> {
    for (const topic of this.#options.topics)
      for (let partition = 0; partition < this.#process.log.partitions(topic); partition++)
        yield { name: `${topic.name}/${partition}`, topic, partition }
  }
  #hasMore(): boolean {
    return [...this.#partitions()].some(({ name, topic, partition }) => this.#next(name) < this.#process.log.end(topic, partition))
  }
  #next(name: string): number {
    return this.#offsets.get(name) ?? 0
  }
  async #read(): Promise<Row[]> {
    const rows: Row[] = []
    for (const { name, topic, partition } of this.#partitions()) {
      if (this.#next(name) >= this.#process.log.end(topic, partition)) continue
      for (const record of await this.#process.log.read(topic, partition, this.#next(name), { recordsMax: RECORDS_MAX, bytesMax: 1e6 })) {
        rows.push(...this.#rowsOf(topic, name, record))
        this.#offsets.set(name, record.offset + 1)
      }
    }
    return rows
  }
  #rowsOf(topic: Topic, name: string, { value, offset: version }: LogRecord): Row[] {
    const output = this.#options.readOutput({ topic, value })
    if (output === undefined) return []
    if (output.type === 'line') return [{ name: output.line, frame: `${name} ${output.frame}`, isRetraction: false, version }]
    return output.frames.map((frame) => ({ name: '', frame: `${name} ${frame}`, isRetraction: true, version }))
  }
  #insert(rows: readonly Row[]): Promise<void> {
    const { machine, table } = this.#options
    const { faults } = machine
    return new Promise((resolve, reject) => {
      const arrive = (): void => {
        const isLost = faults.draw('sink fails before its effect')
        if (!isLost) table.insert(rows)
        if (isLost || faults.draw('sink fails after its effect')) reject(away())
        else resolve()
      }
      machine.op(NETWORK, arrive, faults.delayMs('sink is slow', SLOW_MS_MAX))
    })
  }
  async #retried(action: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await action()
      } catch (failure) {
        if (!(failure instanceof EngineError && failure.retriable)) throw failure
        await new Promise<void>((resolve) => setTimeout(resolve, BACKOFF_MS))
      }
    }
  }
  async #idle(): Promise<void> {
    if (this.#isStopping || this.#hasMore()) return
    this.#isIdle = true
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    this.#isIdle = false
  }
}

const away = (): EngineError => new EngineError('server_unreachable', 'the table does not answer', { retriable: true })
