// Where the history is, by the settings and by what a running engine wrote down.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACCESS_FILE } from '../../../topology/history/engine/clickhouse-server.ts'
import { WRITER } from '../../../topology/history/engine/engine-config.ts'
import { type HistorySettings, historyDirOf, placeOf, readerOf } from '../../../topology/history/engine/where.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'

const SETTINGS: HistorySettings = {
  url: null,
  access: null,
  username: null,
  password: '',
  database: 'mintfold',
  port: 8403,
  hosts: ['db.internal'],
  days: 90,
}
const RUNNING = { url: 'http://127.0.0.1:8999', username: 'mintfold', password: 'secret', database: 'mintfold' }

describe('where the history is', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'mintfold-where-'))
    mkdirSync(historyDirOf(dataDir))
    writeFileSync(join(historyDirOf(dataDir), ACCESS_FILE), JSON.stringify(RUNNING))
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))

  test('given no address, then an engine in the data directory', () => {
    expect(placeOf(dataDir, SETTINGS)).toEqual({ dir: join(dataDir, 'history'), port: 8403, database: 'mintfold', hosts: ['db.internal'] })
  })
  test.each(['http://127.0.0.1:8999', 'http://localhost:8999/'])(
    'given %s, where the engine of the data directory runs, then with its password',
    (url) => {
      expect(placeOf(dataDir, { ...SETTINGS, url, database: 'other' })).toMatchObject({ ...RUNNING, database: 'other' })
    },
  )
  test.each([
    ['another port', { url: 'http://127.0.0.1:8998' }, 'default', ''],
    ['another machine', { url: 'http://10.0.0.1:8999' }, 'default', ''],
    ['a user of its own', { url: 'http://127.0.0.1:8999', username: 'me', password: 'mine' }, 'me', 'mine'],
    ['a user in the address', { url: 'http://me:mi%40ne@127.0.0.1:8998' }, 'me', 'mi@ne'],
  ])('given %s, then the password of the data directory is not sent there', (_what, settings, username, password) => {
    const place = placeOf(dataDir, { ...SETTINGS, ...settings })
    expect(place).toMatchObject({ username, password, url: new URL(settings.url).origin })
  })
  test('given an engine that was killed and left its access file, then no reader is found', async () => {
    writeFileSync(join(historyDirOf(dataDir), ACCESS_FILE), JSON.stringify({ ...RUNNING, url: 'http://127.0.0.1:1' }))
    expect(await readerOf(dataDir, SETTINGS)).toBeNull()
  })

  describe('given an engine on the port', () => {
    let engine: LocalServer
    /** Answers everybody's ping, and queries of who has its password. */
    beforeEach(async () => {
      engine = await startLocal(
        createServer((request, response) => {
          const isOurs = request.url === '/ping' || request.headers['x-clickhouse-key'] === RUNNING.password
          response.writeHead(isOurs ? 200 : 403).end()
        }),
      )
    })
    afterEach(() => engine.close())
    const leave = (access: object) => writeFileSync(join(historyDirOf(dataDir), ACCESS_FILE), JSON.stringify({ ...RUNNING, ...access }))

    test('that is the one of the data directory, then it is asked, as a reader', async () => {
      leave({ url: engine.url })
      expect(await readerOf(dataDir, SETTINGS)).toEqual({
        url: engine.url,
        username: 'owner',
        password: RUNNING.password,
        database: 'mintfold',
      })
    })
    test('whose storage is asked for, then it is asked as the writer', async () => {
      leave({ url: engine.url })
      expect(await readerOf(dataDir, SETTINGS, WRITER)).toMatchObject({ username: 'mintfold', password: RUNNING.password })
    })
    test('that is of another directory, where a killed process left its access file, then it is not asked', async () => {
      leave({ url: engine.url, password: 'of the killed one' })
      expect(await readerOf(dataDir, SETTINGS)).toBeNull()
    })
    test('and a data directory in which none was ever started, then it is not asked', async () => {
      rmSync(join(historyDirOf(dataDir), ACCESS_FILE))
      expect(await readerOf(dataDir, { ...SETTINGS, port: Number(new URL(engine.url).port) })).toBeNull()
    })
  })
})
