// Frames that later records make final, of the same read or of the next: they need no undo.
import type { FrameHeader } from '../../../processors/contract.ts'
import type { Input } from '../../../topology/engine/definition.ts'
import { InputReads } from '../../../topology/engine/input-reads.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { parsePageKey } from '../../../topology/engine/rows/state-type.ts'
import { Task } from '../../../topology/engine/task.ts'
import { foreseen } from '../../../topology/engine/undo/foreseen.ts'
import type { Log, LogRecord } from '../../../topology/ports/log.ts'
import { type Ask, definition, key, TASKS } from '../../fixtures/askers.ts'

type AskInput = Input<Ask, FrameHeader>

const frame = (number: number): AskInput => ({
  type: 'frame',
  frame: {
    header: { chain: 'alt', number, hash8: `h${number}`, sequence: number, time: number, final: false },
    events: [{ tx: 0, outer: 0, inner: 0, asker: key(number % 3), teller: key(1), amount: 3 }],
  },
})
const final = (number: number): AskInput => ({
  type: 'finality',
  finality: { chain: 'alt', sequence: 100, confirmed: number, finalized: number },
})
const fork = (number: number): AskInput => ({ type: 'revert', revert: { chain: 'alt', sequence: 200, number, hash8: `h${number}` } })

const given = () => {
  const task = new Task(definition(1), 0, DEFAULT_LIMITS)
  task.begin({ input: 0, exchange: 0 })
  let offset = 0
  const read = (...inputs: readonly AskInput[]): void => {
    const records = inputs.map(
      (input): LogRecord => ({ offset: offset++, key: Buffer.from('k'), value: Buffer.from(JSON.stringify(input)) }),
    )
    for (const record of foreseen(records, definition(1))) expect(task.step(record)).toBe(true)
  }
  const undo = (): string[] =>
    task
      .takeCommit()
      .outputs.filter(({ topic, value }) => topic === TASKS && value !== null)
      .map(({ key: name }) => parsePageKey(name).key)
      .filter((name) => name.includes('/undo/'))
  return { task, read, undo }
}

describe('frames that a later record of the same read makes final', () => {
  test('have no undo; the frames above them have one, and can be rolled back', () => {
    const { task, read, undo } = given()
    read(frame(1), frame(2), final(2))
    expect(undo()).toEqual([])
    read(frame(3), frame(4), final(3), frame(5))
    expect(undo()).toEqual(['askers-0/undo/4'])
    read(fork(3), frame(6))
    expect(undo()).toEqual(['askers-0/undo/6'])
    expect(() => task.revert({ chain: 'alt', sequence: 300, number: 2, hash8: 'h2' })).toThrow(
      expect.objectContaining({ code: 'undo_exhausted' }),
    )
  })
  test('are not those that come after that record, even with a lower number: another node may still report a fork there', () => {
    const { task, read, undo } = given()
    read(frame(1), final(3), frame(2), frame(3))
    expect(undo()).toEqual(['askers-0/undo/2'])
    read(fork(1), frame(4))
    expect(task.takeCommit().events).toBe(1)
  })
  test('are kept if a fork comes before that record: they may be orphaned', () => {
    const { read, undo } = given()
    read(frame(1), frame(2), frame(3), fork(1), frame(4), final(4))
    read(frame(5))
    expect(undo()).toEqual(['askers-0/undo/5'])
    const early = given()
    early.read(frame(1), frame(2))
    expect(early.undo()).toEqual(['askers-0/undo/1'])
  })
})

describe('the input of a task', () => {
  /** A log that returns at most two records for each read. */
  const readsOf = (...inputs: readonly AskInput[]) => {
    const all = inputs.map((input, offset): LogRecord => ({ offset, key: Buffer.from('k'), value: Buffer.from(JSON.stringify(input)) }))
    const read = async (_topic: unknown, _partition: number, from: number): Promise<readonly LogRecord[]> => all.slice(from, from + 2)
    const log = { read, end: () => all.length } as unknown as Log
    return new InputReads(log, definition(1), 0, { recordsMax: 2, bytesMax: 1_000 })
  }
  const all = async (reads: ReturnType<typeof readsOf>) => {
    const found: (readonly [number, number | undefined])[] = []
    for (let at = 0; ; ) {
      const records = await reads.from(at)
      if (records.length === 0) return found
      found.push(...records.map(({ offset, finalTo }) => [offset, finalTo] as const))
      at = (records.at(-1)?.offset ?? 0) + 1
    }
  }

  test('is read once, in order, and a frame is known to be final if the next read says so', async () => {
    const reads = readsOf(frame(1), frame(2), final(2), frame(3), frame(4))
    expect(await all(reads)).toEqual([
      [0, 2],
      [1, 2],
      [2, undefined],
      [3, undefined],
      [4, undefined],
    ])
  })
  test('has no final frames before a fork, whatever the reads after it say', async () => {
    const reads = readsOf(frame(1), frame(2), fork(1), final(2), frame(3))
    expect(await all(reads)).toEqual([
      [0, undefined],
      [1, undefined],
      [2, 2],
      [3, undefined],
      [4, undefined],
    ])
  })
})
