// A view whose log fails for a while, or no longer holds what the view would read next.

import { readSchema } from '../../schemas/avro.ts'
import { deadLetterCodec, progressCodec } from '../../schemas/codecs.ts'
import { EngineError } from '../../schemas/errors.ts'
import type { Key } from '../../schemas/keys.ts'
import { emptyPage, pageKey, stateTypeOf } from '../../topology/engine/rows/state-type.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log, OutRecord } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { TOPICS } from '../fixtures/topics.ts'

const progress = (number: number): OutRecord => ({
  topic: TOPICS.progress,
  partition: 0,
  key: Buffer.from('mint-0'),
  value: progressCodec.encode({
    ...{ task: 'mint-0', chain: 'solana', number, hash8: 'abc', time: 1_000 + number, gapFrom: null, gapTo: null },
    ...{ confirmed: null, finalized: null, forks: 0 },
  }),
})
const letter = (id: string): OutRecord => ({
  topic: TOPICS.deadLetters,
  partition: 0,
  key: Buffer.from('k'),
  value: deadLetterCodec.encode({
    ...{ id, position: 'mint/1', hash8: '', processor: 'mint', version: 1, code: 'x', reason: 'r', signature: null },
    ...{ bytes: Buffer.alloc(1), withdrawn: null, revision: 0 },
  }),
})
const MINTS = stateTypeOf(readSchema('mint-state'))
const EMPTY_ROW = MINTS.encode(emptyPage(MINTS.kinds))
const FORGOTTEN = 'A'.repeat(32) as Key
const KEPT = 'B'.repeat(32) as Key
const row = (mint: Key, value: Uint8Array | null): OutRecord => ({
  ...{ topic: TOPICS.mintChangelog, partition: 0, key: pageKey(mint, 0), value },
})
const away = new EngineError('log_unreachable', 'no broker took a read', { retriable: true })

/** A log whose reads fail while `failure` is set. */
class FailingLog {
  failure: Error | undefined
  trouble: ReturnType<NonNullable<Log['trouble']>> = null
  readonly log: Log
  constructor(log: Log) {
    const read: Log['read'] = async (...asked) => {
      if (this.failure !== undefined) throw this.failure
      return log.read(...asked)
    }
    this.log = Object.assign(Object.create(null) as Log, {
      ...{ read, trouble: () => this.trouble },
      ...{ partitions: log.partitions.bind(log), start: log.start.bind(log), end: log.end.bind(log), refresh: log.refresh.bind(log) },
      tombstoneFloor: log.tombstoneFloor.bind(log),
      ...{ own: log.own.bind(log), onCommit: log.onCommit.bind(log), trim: log.trim.bind(log), close: log.close.bind(log) },
    })
  }
}

const given = async () => {
  const failing = new FailingLog(createMemoryLog({ partitions: 1, tombstoneRecordsKept: 10 }))
  const { log } = failing
  const owner = await log.own('test')
  const append = (...outputs: OutRecord[]) => owner.commit({ outputs, inputs: new Map() })
  const notices: string[] = []
  let noticed = (): void => {}
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null }, Date.now, (code) => {
    notices.push(code)
    noticed()
  })
  const notified = async (code: string): Promise<void> => {
    while (!notices.includes(code)) await new Promise<void>((resolve) => (noticed = resolve))
  }
  await append(progress(1), letter('a'))
  return { failing, log, append, view, notices, notified }
}

describe('a view', () => {
  test('reports a failing read, keeps showing what it has, and continues when reads succeed', async () => {
    const { failing, append, view, notices, notified } = await given()
    await view.start()
    failing.failure = away
    await append(progress(2))
    await notified('view_waits')
    expect(view.status()).toMatchObject({ ready: true, folded: { number: 1 }, trouble: { reason: 'no broker took a read' } })
    failing.failure = undefined
    await append(progress(3))
    await view.caughtUp()
    expect(view.status()).toMatchObject({ ready: true, folded: { number: 3 }, trouble: null })
    expect(notices).toEqual(['view_waits', 'view_goes_on'])
    await view.stop()
  })
  test('waits at its start for a log that cannot be read', async () => {
    const { failing, view, notified } = await given()
    failing.failure = away
    const started = view.start()
    await notified('view_waits')
    expect(view.status().ready).toBe(false)
    failing.failure = undefined
    await started
    expect(view.status()).toMatchObject({ ready: true, folded: { number: 1 } })
    await view.stop()
  })
  test('stops while it waits', async () => {
    const { failing, view, notified } = await given()
    failing.failure = away
    const started = view.start()
    await notified('view_waits')
    await view.stop()
    await started
    expect(view.status().ready).toBe(false)
  })
  test('rejects `failed`, and nothing else, with a permanent failure', async () => {
    const { failing, append, view } = await given()
    await view.start()
    failing.failure = new EngineError('log_refused', 'no access')
    await append(progress(2))
    await expect(view.failed).rejects.toThrow('no access')
    await view.stop()
  })
  test('continues at the start of a topic whose next record was trimmed, and reports it', async () => {
    const { failing, log, append, view, notices, notified } = await given()
    await view.start()
    failing.failure = away
    await append(letter('b'), letter('c'))
    await notified('view_waits')
    await log.trim(TOPICS.deadLetters, 0, 2)
    failing.failure = undefined
    await view.caughtUp()
    expect(view.status()).toMatchObject({ ready: true, trouble: null, counters: { dead_letters: 2 } })
    expect(notices).toEqual(['view_waits', 'view_records_lost', 'view_goes_on'])
    await view.stop()
  })
  test('reads a changelog again when it fell behind the retained tombstones', async () => {
    const { failing, append, view, notices, notified } = await given()
    await append(row(FORGOTTEN, EMPTY_ROW))
    await view.start()
    expect(view.get(FORGOTTEN)).toBeDefined()
    failing.failure = away
    await append(row(FORGOTTEN, null))
    await notified('view_waits')
    for (let i = 0; i < 20; i++) await append(row(KEPT, EMPTY_ROW))
    failing.failure = undefined
    await view.caughtUp()
    expect([view.get(FORGOTTEN), view.get(KEPT) === undefined]).toEqual([undefined, false])
    expect(view.status()).toMatchObject({ ready: true, tracked: 1 })
    expect(notices).toContain('view_starts_again')
    await view.stop()
  })
  test('reads nothing again while it keeps up with the tombstones', async () => {
    const { append, view, notices } = await given()
    await view.start()
    for (let i = 0; i < 40; i++) {
      await append(row(KEPT, EMPTY_ROW))
      await view.caughtUp()
    }
    expect(notices).toEqual([])
    await view.stop()
  })
  test('reports the trouble of its log although no read fails', async () => {
    const { failing, view } = await given()
    await view.start()
    failing.trouble = { reason: 'no broker answers', sinceMs: 5 }
    expect(view.status()).toMatchObject({ ready: true, trouble: { reason: 'no broker answers', sinceMs: 5 } })
    await view.stop()
  })
})
