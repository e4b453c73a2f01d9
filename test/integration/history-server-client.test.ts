// The client of ClickHouse against faulty servers: too old, partial responses, slow, full, read-only, not a ClickHouse at all.
import type { ServerResponse } from 'node:http'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { failureFrom, givenFake } from './history-server-given.ts'

const BATCH = { table: 't', format: 'JSONCompactEachRow', body: Buffer.from('[1]\n') } as const
const REQUEST_MS = 300

/** Runs `work` with a client of a server that responds like this. */
const against = async <T>(answer: (response: ServerResponse) => void, work: (client: HistoryClient) => Promise<T>): Promise<T> => {
  const fake = await givenFake((request, response) => {
    request.resume()
    answer(response)
  })
  const client = createHistoryClient({ url: fake.url, username: 'default', password: '', database: 'mintfold' }, REQUEST_MS)
  try {
    return await work(client)
  } finally {
    await client.close()
    await fake.close()
  }
}
const responds =
  (text: string, status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status).end(text)
const respondsError = (code: number, type: string, text: string) =>
  responds(`Code: ${code}. DB::Exception: ${text}. (${type}) (version 26.7.2.1)`, 500)

describe('the version', () => {
  const checked = (version: string) => against(responds(`{"version":"${version}"}\n`), (client) => client.checkVersion())

  test.each(['25.8.2.1', '25.10.1', '26.7.2.1'])('%s is supported', async (version) => {
    expect(await checked(version)).toBe(version)
  })
  test.each(['18.16.1', '24.10.1.1', '25.7.3.128'])('%s is refused by name, permanently', async (version) => {
    const failure = await failureFrom(checked(version))
    expect(failure).toMatchObject({ code: 'history_version', retriable: false })
    expect(failure.message).toContain(version)
    expect(failure.message).toContain('25.8')
  })
  test.each([
    ['no version', '{"version":7}\n'],
    ['no row', ''],
    ['a page', '<html>hello</html>\n'],
  ])('%s is not accepted as a ClickHouse', async (_what, text) => {
    expect(await failureFrom(against(responds(text), (client) => client.checkVersion()))).toMatchObject({
      code: 'history_down',
      retriable: true,
    })
  })
})

describe('a response', () => {
  const rows = (answer: (response: ServerResponse) => void) => against(answer, (client) => client.rows('SELECT 1'))

  test('returns its rows when it is complete', async () => {
    expect(await rows(responds('{"a":1}\n{"a":2}\n'))).toEqual([{ a: 1 }, { a: 2 }])
  })
  test.each<[string, (response: ServerResponse) => void]>([
    ['that ends in the middle of a row', responds('{"a":1}\n{"a":')],
    ['that ends after a complete row without its line break', responds('{"a":1}\n{"a":2}')],
    [
      'whose connection breaks',
      (response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"a":1}\n')
        setTimeout(() => response.destroy(), 20)
      },
    ],
    ['that never comes', () => undefined],
    ['that stops half way', (response) => void response.writeHead(200).write('{"a":1}\n')],
  ])('%s is a retriable failure, without rows', async (_what, answer) => {
    expect(await failureFrom(rows(answer))).toMatchObject({ name: 'EngineError', code: 'history_down', retriable: true })
  })
  const exchanged = respondsError(218, 'TABLE_IS_DROPPED', 'Table mintfold.base_rates is dropped or detached')
  test('is requested again if the refresh of a view exchanges a table while it is read', async () => {
    let asked = 0
    const answer = (response: ServerResponse) => (asked++ === 0 ? exchanged(response) : responds('{"a":2}\n')(response))
    expect([await rows(answer), asked]).toEqual([[{ a: 2 }], 2])
  })
  test('with the same error again is a retriable failure', async () => {
    expect(await failureFrom(rows(exchanged))).toMatchObject({ code: 'history_busy', retriable: true })
  })
  test('with more bytes than the limit is refused', async () => {
    const failure = await failureFrom(rows(responds(`{"a":"${'x'.repeat(17 * 1024 * 1024)}"}\n`)))
    expect(failure).toMatchObject({ code: 'history_query', retriable: false })
  })
})

describe('an insert', () => {
  test.each([
    ['a full disk', respondsError(243, 'NOT_ENOUGH_SPACE', 'Cannot reserve 1.00 MiB'), 'history_full', true],
    [
      'a full disk under another code',
      respondsError(75, 'CANNOT_WRITE_TO_FILE_DESCRIPTOR', 'write failed, errno: 28, No space left on device'),
      'history_full',
      true,
    ],
    ['a read-only server', respondsError(164, 'READONLY', 'Cannot execute query in readonly mode'), 'history_read_only', true],
    ['a read-only table', respondsError(242, 'TABLE_IS_READ_ONLY', 'Table is in readonly mode'), 'history_read_only', true],
    ['no memory left', respondsError(241, 'MEMORY_LIMIT_EXCEEDED', 'memory limit exceeded'), 'history_busy', true],
    ['too many parts', respondsError(252, 'TOO_MANY_PARTS', 'Too many parts'), 'history_busy', true],
    ['a user without the right', respondsError(497, 'ACCESS_DENIED', 'Not enough privileges'), 'history_refused', false],
    ['a wrong table', respondsError(60, 'UNKNOWN_TABLE', 'Table does not exist'), 'history_query', false],
  ])('with %s fails with the cause, and whether to retry', async (_what, answer, code, retriable) => {
    const failure = await failureFrom(against(answer, (client) => client.insert(BATCH)))
    expect(failure).toMatchObject({ name: 'EngineError', code, retriable })
    expect(failure.message).not.toContain('version 26')
  })
  test('to a refused connection fails with the address without its password', async () => {
    const client = createHistoryClient({ url: 'http://127.0.0.1:1/', username: 'me', password: 'hidden', database: 'mintfold' })
    const failure = await failureFrom(client.insert(BATCH))
    expect(failure).toMatchObject({ code: 'history_down', retriable: true })
    expect(failure.message).toContain('http://127.0.0.1:1 ')
    expect(failure.message).not.toContain('hidden')
    await client.close()
  })
})
