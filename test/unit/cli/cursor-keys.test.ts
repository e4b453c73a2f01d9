import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CURSOR_KEYS_FILE, openCursorKeys } from '../../../topology/cli/selling/cursor-keys.ts'
import { type Env, listSettings, parseSettings } from '../../../topology/cli/settings/settings.ts'

const DEMO = { source: 'demo' }
const [YOUNG, OLD] = ['y'.repeat(32), 'o'.repeat(40)]

describe('keys of watch cursors', () => {
  let dataDir = ''
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'mintfold-keys-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))
  const open = (env: Env = {}) => openCursorKeys(parseSettings({ MINTFOLD_DATA_DIR: join(dataDir, 'data'), ...env }, DEMO))
  const file = (): string => join(dataDir, 'data', CURSOR_KEYS_FILE)

  test('are created on the first start with owner-only permissions, and kept', async () => {
    const [made, ...others] = await open()
    expect(others).toEqual([])
    expect(made).toHaveLength(32)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(await open()).toEqual([made])
  })
  test('a key put before the first is the newest', async () => {
    const [old] = await open()
    const young = Buffer.alloc(32, 9)
    writeFileSync(file(), `${young.toString('base64url')}\n${readFileSync(file(), 'utf8')}`)
    expect(await open()).toEqual([young, old])
  })
  test('a copy readable by others is restricted to the owner', async () => {
    await open()
    chmodSync(file(), 0o644)
    await open()
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })
  test.each(['', 'short\n', `${'A'.repeat(43)}\nA\n`])('a file without keys is named, and not replaced: %j', async (text) => {
    await open()
    writeFileSync(file(), text)
    await expect(open()).rejects.toMatchObject({ name: 'EngineError', code: 'cursor_keys', facts: { path: file() } })
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })
  test('a data directory that cannot be created is an error', async () => {
    await expect(openCursorKeys({ ...parseSettings({}, DEMO), dataDir: '/dev/null/x' })).rejects.toMatchObject({ code: 'cursor_keys' })
  })
  test('of the setting come newest first, and no file is created', async () => {
    expect(await open({ MINTFOLD_CURSOR_KEYS: `${YOUNG},${OLD}` })).toEqual([Buffer.from(YOUNG), Buffer.from(OLD)])
    expect(() => statSync(file())).toThrow('ENOENT')
  })
})

test.each(['short', `${YOUNG},`, `${YOUNG},short`, Array.from({ length: 9 }, () => YOUNG).join(','), 'x'.repeat(257)])(
  'an invalid setting is refused without its value: %s',
  (value) => {
    expect(() => parseSettings({ MINTFOLD_CURSOR_KEYS: value }, DEMO)).toThrow(
      'MINTFOLD_CURSOR_KEYS is wrong: it must be 1 to 8 secrets of 32 to 256 characters, comma-separated, newest first',
    )
  },
)

test('keys are never printed', () => {
  const line = listSettings({ MINTFOLD_CURSOR_KEYS: YOUNG }).find(({ name }) => name === 'MINTFOLD_CURSOR_KEYS')
  expect(line).toMatchObject({ isSet: true, shown: '[redacted]' })
})
