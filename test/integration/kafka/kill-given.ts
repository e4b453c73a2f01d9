// A writer in a separate process, and the log's invariants after any kill.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { KafkaLogOptions } from '../../../topology/logs/kafka/options.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { EVENTS, folded, ROWS, readAll, text } from '../../contract/log-topics.ts'
import { RUN } from '../../tools/run.ts'

const WRITER = fileURLToPath(new URL('./kafka-writer.ts', import.meta.url))
const WRITERS = 2

export interface Writer {
  readonly child: ChildProcess
  /** Last number that each owner printed. */
  readonly printed: ReadonlyMap<string, number>
  /** Resolves when it has both owners. */
  readonly isOpen: Promise<void>
  readonly exited: Promise<void>
}

export const startWriter = ({ brokers, registry, prefix }: KafkaLogOptions, seed: number, isShared = false): Writer => {
  const args = [...RUN, WRITER, brokers.join(), registry.url, prefix, String(seed), isShared ? 'shared' : '']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const printed = new Map<string, number>()
  let opened = 0
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const isOpen = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line === 'open' && ++opened === WRITERS) resolve()
      const [id = '', number] = line.split(' ')
      if (number !== undefined) printed.set(id, Number(number))
    })
    lines.on('close', () => reject(new Error('the writer ended before it was open')))
  })
  isOpen.catch(() => {})
  const exited = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => {})
  return { child, printed, isOpen, exited }
}

/** Ends the open transactions of killed writers: until then they hide whatever follows in a partition that both write. */
export const fenceBoth = async (log: Log): Promise<void> => {
  for (const id of ['a', 'b']) await log.own(id)
  await log.refresh()
}

/** Asserts that commits are atomic: all places of a commit have the same number, and every smaller number is there once. */
export const checkOwner = async (log: Log, id: string, partition: number, acknowledged: number): Promise<number> => {
  const last = (await log.own(id)).committed().get('in') ?? 0
  expect(last).toBeGreaterThanOrEqual(acknowledged)
  const expected = Array.from({ length: last }, (_, i) => String(i + 1))
  expect((await readAll(log, EVENTS, partition)).map(({ value }) => text(value))).toEqual(expected)
  const shared = (await readAll(log, EVENTS, 2)).filter(({ key }) => text(key) === id)
  expect(shared.map(({ value }) => text(value))).toEqual(expected)
  expect((await folded(log, ROWS, partition)).total).toBe(last === 0 ? undefined : String(last))
  return last
}
