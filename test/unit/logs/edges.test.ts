// Edge cases of the logs: empty and long ids, topics without records, process start times, schema lookups.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import avro from 'avsc'
import { isRunning, thisProcess } from '../../../topology/data-dir/process-identity.ts'
import { SchemaRegistry } from '../../../topology/logs/kafka/registry/registry.ts'
import { Wire } from '../../../topology/logs/kafka/registry/wire.ts'
import { assertId, ID_BYTES_MAX } from '../../../topology/logs/limits.ts'
import { openLmdbLog } from '../../../topology/logs/lmdb/lmdb.ts'
import { watchLmdbLog } from '../../../topology/logs/lmdb/lmdb-reader.ts'
import { EVENTS, out, ROWS, SETUP, text, write } from '../../contract/log-topics.ts'

test('an id is not empty, and has a limited length', () => {
  for (const id of ['', 'x'.repeat(ID_BYTES_MAX + 1), '\u00fc'.repeat(ID_BYTES_MAX / 2 + 1)])
    expect(() => assertId(id)).toThrow("an owner's id has 1 to")
  for (const id of ['x', 'x'.repeat(ID_BYTES_MAX)]) expect(() => assertId(id)).not.toThrow()
})

test('a watched log has bounds for topics with and without records', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-watch-'))
  const log = await openLmdbLog({ dir, ...SETUP })
  const watched = await watchLmdbLog(dir)
  expect([watched.start(EVENTS, 1), watched.end(EVENTS, 1)]).toEqual([0, 0])
  await write(await log.own('a'), [out(EVENTS, 1, 'k', '1'), out(EVENTS, 1, 'k', '2')])
  await log.trim(EVENTS, 1, 1)
  expect([watched.start(EVENTS, 1), watched.end(EVENTS, 1)]).toEqual([1, 2])
  expect([watched.start(EVENTS, 0), watched.end(EVENTS, 0), watched.end(ROWS, 0)]).toEqual([0, 0, 0])
  const records = await watched.read(EVENTS, 1, 1, { recordsMax: 9, bytesMax: 1_000 })
  expect(records.map(({ value }) => text(value))).toEqual(['2'])
  await watched.close()
  await log.close()
  rmSync(dir, { recursive: true })
})

test('a process is identified by its start time: on Linux in clock ticks since boot', () => {
  const identity = thisProcess()
  expect(identity).toMatchObject({
    pid: process.pid,
    startedAt: process.platform === 'linux' ? expect.stringMatching(/^\d+$/) : expect.any(String),
  })
  expect(isRunning(identity)).toBe(true)
  expect([isRunning({ ...identity, startedAt: `${identity.startedAt}0` }), isRunning({ ...identity, boot: 'another' })]).toEqual([
    false,
    false,
  ])
})

test("a value of an unknown schema is looked up once, under the topic's subject", async () => {
  const asked: unknown[] = []
  const [readerSchema, writerSchema] = ['long', 'int'].map((type) =>
    JSON.stringify({ type: 'record', name: 'R', fields: [{ name: 'a', type }] }),
  )
  const registry: SchemaRegistry = Object.assign(new SchemaRegistry({ url: 'http://127.0.0.1:1', login: null }), {
    register: async () => 7,
    schema: async (...of: unknown[]) => {
      asked.push(of)
      return of[1] === 8 ? writerSchema : undefined
    },
  })
  const wire = await Wire.open('flags-value', readerSchema as string, registry)
  const bytesOf = (id: number): Buffer => Buffer.concat([Buffer.from([0, 0, 0, 0, id]), avro.Type.forSchema('int').toBuffer(300)])
  const body = bytesOf(7).subarray(5)
  expect([await wire.unwrap(bytesOf(7)), await wire.unwrap(bytesOf(8)), await wire.unwrap(bytesOf(8))]).toEqual([
    { value: body },
    { value: body },
    { value: body },
  ])
  expect(await wire.unwrap(bytesOf(9))).toMatchObject({ fault: 'the registry has no schema 9 of flags-value' })
  expect(asked).toEqual([
    ['flags-value', 8],
    ['flags-value', 9],
  ])
  expect(await wire.unwrap(Buffer.from([1, 2]))).toMatchObject({ fault: 'no schema id before the value' })
  registry.close()
})
