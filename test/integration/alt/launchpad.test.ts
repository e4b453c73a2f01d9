// Other addresses of the launchpad: their announcements are followed, stores of other addresses are rebuilt, and a process with other
// addresses stops.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mustHexKey } from '../../../schemas/keys.ts'
import type { RawFrame } from '../../../schemas/types.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import { LAUNCHPAD, useLaunchpad } from '../../../topology/launchpad-in-use.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { memoryStaging } from '../../../topology/versions/rebuild/staging-stores.ts'
import { Stores } from '../../../topology/versions/stores.ts'
import { readStores, versionsOf } from '../../../topology/versions/stores-record.ts'
import { foldAll, QUICK } from '../../fixtures/rebuild-market.ts'
import { appendNext, chainContentsOf } from '../../fixtures/two-chains.ts'
import { address, FILES, frame, launchLog, log as logOf, transaction, WALLET } from '../../unit/processors/alt/fixtures.ts'

const DEPLOYED = null
const OTHER_FACTORY = address(0x77)
const OTHERS = { factories: [OTHER_FACTORY], routers: { [address(0x78)]: 'mine' } }
const [DEPLOYED_TOKEN, OTHER_TOKEN] = [address(0x10), address(0x12)]
const [DEPLOYED_CURVE, OTHER_CURVE] = [address(0x20), address(0x22)]

/** A launch by each factory, and a buy on both curves. */
const FRAMES: readonly RawFrame[] = [
  frame(1, transaction(0, [launchLog(0, DEPLOYED_TOKEN, DEPLOYED_CURVE)])),
  frame(2, transaction(0, [{ ...launchLog(0, OTHER_TOKEN, OTHER_CURVE), address: mustHexKey(OTHER_FACTORY) }])),
  ...[DEPLOYED_CURVE, OTHER_CURVE].map((curve, n) =>
    frame(3 + n, transaction(0, [logOf(0, curve, 'CurveBuy', WALLET, WALLET, 10n ** 16n, 10n ** 24n, 10n ** 14n, 0n)], curve)),
  ),
].map((one) => ({ ...one, vouched: true }))

const filled = async (): Promise<Log> => {
  const log = createMemoryLog({ partitions: 2 })
  await appendNext(log, CURVE_RISK, FRAMES, FRAMES.length)
  return log
}
const folded = async (): Promise<Log> => {
  const log = await filled()
  await foldAll(log, CURVE_RISK)
  return log
}

afterEach(() => useLaunchpad(DEPLOYED))

test('has rows only of curves that the configured factories announced', async () => {
  const { curveChangelog } = CURVE_RISK.views.curves.reads
  const curves = async (): Promise<string> => JSON.stringify((await chainContentsOf(await folded(), CURVE_RISK))[curveChangelog.name])
  const deployed = await curves()
  useLaunchpad(OTHERS)
  const others = await curves()
  expect(
    [deployed, others].map((rows) => [DEPLOYED_TOKEN, OTHER_TOKEN].map((token) => rows.includes(token.slice(2).toLowerCase()))),
  ).toEqual([
    [true, false],
    [false, true],
  ])
})

test('a start with other addresses folds the frames again, and back, like a clean run', async () => {
  const log = await folded()
  const before = await chainContentsOf(log, CURVE_RISK)
  useLaunchpad(OTHERS)
  await foldAll(log, CURVE_RISK)
  expect(await chainContentsOf(log, CURVE_RISK)).toEqual(await chainContentsOf(await folded(), CURVE_RISK))
  const stores = await readStores(log, CURVE_RISK.operations.rebuild.reads.stores, 'alt')
  expect(stores?.versions).toEqual(versionsOf(CURVE_RISK))
  expect(stores?.versions.map(({ name }) => name)).toContainEqual(`decode-alt@${LAUNCHPAD.make}`)
  useLaunchpad(DEPLOYED)
  await foldAll(log, CURVE_RISK)
  expect(await chainContentsOf(log, CURVE_RISK)).toEqual(before)
})

test('stops with a message when another process rebuilt its stores with other addresses', async () => {
  const log = await folded()
  const stop = new AbortController().signal
  const stores = new Stores({ log, topology: CURVE_RISK, stop, limits: QUICK, staging: memoryStaging(), progress: () => {} })
  expect(await stores.prepare(stop)).toBe(true)
  useLaunchpad(OTHERS)
  await foldAll(log, CURVE_RISK)
  await expect(stores.prepare(stop)).rejects.toMatchObject({
    code: 'stores_of_other_addresses',
    message: expect.stringContaining('set ALT_FACTORIES and ALT_ROUTERS to the same values in all processes'),
  })
})

test('keeps the stores when the addresses differ only in order and case', () => {
  const [factory = ''] = [...LAUNCHPAD.factories]
  useLaunchpad({ factories: [`0x${Buffer.from(factory, 'latin1').toString('hex').toUpperCase()}`], routers: null })
  expect(LAUNCHPAD.make).toBeNull()
})

test('a command with other addresses finds no curve in a recording of the deployed launchpad', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'alt-launchpad-'))
  const mintfold = (env: Record<string, string>, ...args: string[]) =>
    promisify(execFile)(process.execPath, ['topology/cli/mintfold.mjs', ...args], { env: { ...process.env, ...env } })
  try {
    const [file, out] = [`test/data/alt/${FILES.launch}.json.gz`, join(dir, 'launch.avro')]
    await mintfold({}, 'import', file, '--out', out)
    const checked = async (env: Record<string, string>): Promise<unknown> =>
      mintfold(env, 'verify-tape', out).catch(({ stderr }: { readonly stderr: string }) => /(\d+) launches/.exec(stderr)?.[1])
    expect([await checked({}), await checked({ ALT_FACTORIES: OTHER_FACTORY })]).toEqual(['1', '0'])
    await expect(mintfold({ ALT_FACTORIES: 'nonsense' }, 'replay', out)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('("nonsense" is not one)'),
    })
  } finally {
    rmSync(dir, { recursive: true })
  }
})
