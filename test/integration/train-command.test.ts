// `mintfold train` for a user: over a history, over files, and with too little of either.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readModel } from '../../processors/odds/model.ts'
import { modelCodec, tapeBatchCodec } from '../../schemas/codecs.ts'
import { register } from '../../topology/cli/commands/train/train.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { writeTape } from '../../topology/sources/recording/tape-file.ts'
import { type Ran, runCommand } from '../fakes/run-command.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import { KNOWN_AFTER_S, MARKET_FROM_S } from '../fixtures/odds-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { readAll } from '../live.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'
import { fillKnownMarket } from './training-rows.ts'

const OVER_S = 40 * 3_600

describeEngine('mintfold train', () => {
  const dir = mkdtempSync(join(tmpdir(), 'train-'))
  const at = (name: string): string => join(dir, name)
  let given: GivenHistories
  let client: HistoryClient
  beforeAll(async () => {
    given = await givenHistories({ views: false })
    client = await given.fresh()
    await fillKnownMarket(client, 1, 1_600, OVER_S)
    await (await openLmdbLog({ dir: at('log'), partitions: 1 })).close()
  })
  afterAll(async () => {
    await given.remove()
    removeDirectory(dir)
  })
  const train = (...args: string[]): Promise<Ran> => {
    const { url, username, password } = given.engine.server.target()
    const clickhouse = {
      CLICKHOUSE_URL: url,
      CLICKHOUSE_USERNAME: username,
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DATABASE: client.database,
    }
    return runCommand(register, ['train', ...args], { env: { MINTFOLD_DATA_DIR: dir, MINTFOLD_PARTITIONS: '1', ...clickhouse } })
  }

  test('trains on the history, and writes a model with the printed figures', async () => {
    const { out, stderr, code, error } = await train('--out', at('model.json'))
    expect([error, code]).toEqual([undefined, 0])
    const model = readModel(readFileSync(at('model.json')))
    const line = JSON.parse(out)
    expect(line).toMatchObject({ type: 'model', id: model.id, data: model.body.data })
    expect(line.data.left).toEqual({ censored: 0, unresolved: 0, dropped: 0, purged: expect.any(Number) })
    expect(line.heads.rug_within_300s.test.brier_skill).toBeGreaterThan(0.2)
    expect(stderr.join('\n')).toMatch(/3200 judgements of settled launches[\s\S]*true_graduation: \d+ judgements of \d+ later launches/)
  })
  test('publishes the model to the log of the data directory, where the first one is in force', async () => {
    const { stderr, error } = await train()
    expect(error).toBeUndefined()
    expect(stderr.at(-1)).toMatch(/^model [0-9a-f]{16} is in_force: the first model of this log$/)
    const log = await openLmdbLog({ dir: at('log'), partitions: 1 })
    const [record] = await readAll(log, TOPICS.models)
    await log.close()
    const read = modelCodec.decode(record?.value as Uint8Array)
    expect(read).toMatchObject({ ok: true, value: { state: 'in_force', sequence: 1, id: readModel(readFileSync(at('model.json'))).id } })
    expect(existsSync(at(`model-${process.pid}.json`))).toBe(false)
  })
  test('makes no model of early data, and states how much there is', async () => {
    const { out, stderr, code } = await train('--until', String(MARKET_FROM_S + KNOWN_AFTER_S + 3_600))
    expect([out, code]).toEqual(['', 1])
    expect(stderr.at(-1)).toMatch(
      /^no model was trained: \d+ launches of the train window have settled; 300 are needed, without those of the last 2 h of each window$/,
    )
  })
  test('folds a tape file, whose launches have not settled', async () => {
    await writeTape(at('demo.tape'), batchesOf(240), tapeBatchCodec)
    const { stderr, code, error } = await train('--in', at('demo.tape'))
    expect([error, code]).toEqual([undefined, 1])
    expect(stderr.at(-1)).toBe('no model was trained: no launch with a judgement has settled; 300 are needed in each window')
  })
  test('refuses --every for a file', async () => {
    const { error } = await train('--every', '1', '--in', at('demo.tape'))
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringContaining('--every') })
  })
})

async function* batchesOf(seconds: number) {
  for (const slot of demoSlots({ seed: 1, rate: 1, seconds })) yield batchOf(slot)
}
