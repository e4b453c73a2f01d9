// Location of the history: from the settings and from the access file of a running engine.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACCESS_FILE, WRITER } from '../../../topology/history/engine/access.ts'
import { type HistorySettings, historyDirOf, placeOf, readerOf } from '../../../topology/history/engine/where.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'

const SETTINGS: HistorySettings = {
  url: null,
  access: null,
  cluster: null,
  username: null,
  password: '',
  database: 'mintfold',
  port: 8403,
  hosts: ['db.internal'],
  days: 90,
}
const RUNNING = {
  ...{ url: 'http://127.0.0.1:8999', username: 'mintfold', password: 'secret', database: 'mintfold' },
  reader: { username: 'reader', password: 'of readers' },
  owner: { username: 'owner', password: 'of the owner' },
}
const WRITING = { username: 'mintfold', password: 'secret' }

describe('the location of the history', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'mintfold-where-'))
    mkdirSync(historyDirOf(dataDir))
    writeFileSync(join(historyDirOf(dataDir), ACCESS_FILE), JSON.stringify(RUNNING))
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))

  test('without an address is the engine in the data directory', () => {
    expect(placeOf(dataDir, SETTINGS)).toEqual({ dir: join(dataDir, 'history'), port: 8403, database: 'mintfold', hosts: ['db.internal'] })
  })
  test.each(['http://127.0.0.1:8999', 'http://localhost:8999/'])(
    'is %s with the password of the data directory, where its engine runs',
    (url) => {
      expect(placeOf(dataDir, { ...SETTINGS, url, database: 'other' })).toMatchObject({ ...WRITING, url: RUNNING.url, database: 'other' })
    },
  )
  test('is the servers of a cluster, with the user of the first', () => {
    const url = 'http://me:mine@a:8123,http://b:8123'
    expect(placeOf(dataDir, { ...SETTINGS, url, cluster: 'main' })).toEqual({
      ...{ url: 'http://a:8123', others: ['http://b:8123'], cluster: 'main' },
      ...{ username: 'me', password: 'mine', database: 'mintfold' },
    })
  })
  test.each([
    ['another port', { url: 'http://127.0.0.1:8998' }, 'default', ''],
    ['another machine', { url: 'http://10.0.0.1:8999' }, 'default', ''],
    ['its own user', { url: 'http://127.0.0.1:8999', username: 'me', password: 'mine' }, 'me', 'mine'],
    ['a user in the address', { url: 'http://me:mi%40ne@127.0.0.1:8998' }, 'me', 'mi@ne'],
  ])('%s does not receive the password of the data directory', (_what, settings, username, password) => {
    const target = placeOf(dataDir, { ...SETTINGS, ...settings })
    expect(target).toMatchObject({ username, password, url: new URL(settings.url).origin })
  })
  test('a stale access file of a killed engine gives no reader', async () => {
    writeFileSync(join(historyDirOf(dataDir), ACCESS_FILE), JSON.stringify({ ...RUNNING, url: 'http://127.0.0.1:1' }))
    expect(await readerOf(dataDir, SETTINGS, 'reader')).toBeNull()
  })

  describe('an engine on the port', () => {
    let engine: LocalServer
    /** Answers any ping, and queries with its password. */
    beforeEach(async () => {
      engine = await startLocal(
        createServer((request, response) => {
          const isAllowed = request.url === '/ping' || request.headers['x-clickhouse-key'] === RUNNING.password
          response.writeHead(isAllowed ? 200 : 403).end()
        }),
      )
    })
    afterEach(() => engine.close())
    const leave = (access: object) => writeFileSync(join(historyDirOf(dataDir), ACCESS_FILE), JSON.stringify({ ...RUNNING, ...access }))

    test.each(['reader', 'owner'] as const)('of this data directory is used, as its %s', async (user) => {
      leave({ url: engine.url })
      expect(await readerOf(dataDir, SETTINGS, user)).toEqual({ ...RUNNING[user], url: engine.url, database: 'mintfold', isReader: true })
    })
    test('whose storage is read is used as the writer', async () => {
      leave({ url: engine.url })
      expect(await readerOf(dataDir, SETTINGS, WRITER)).toMatchObject({ username: 'mintfold', password: RUNNING.password })
    })
    test('of another directory, with a stale access file of a killed process, is not used', async () => {
      leave({ url: engine.url, password: 'of the killed one' })
      expect(await readerOf(dataDir, SETTINGS, 'reader')).toBeNull()
    })
    test('without an access file in the data directory is not used', async () => {
      rmSync(join(historyDirOf(dataDir), ACCESS_FILE))
      expect(await readerOf(dataDir, { ...SETTINGS, port: Number(new URL(engine.url).port) }, 'reader')).toBeNull()
    })
  })
})
