// Two processes that take payments to one wallet on one machine without a shared payment store: the second one is warned when it starts.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGate } from '../../../topology/cli/selling/open-gate.ts'
import { noteSeller, sellersFolder, sellersTo } from '../../../topology/cli/selling/seller-notes.ts'
import { parseSettings } from '../../../topology/cli/settings/settings.ts'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { identityOf } from '../../../topology/data-dir/process-identity.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

const WALLET = 'So11111111111111111111111111111111111111112'
const FACILITATOR = { MINTFOLD_PAYMENTS: 'facilitator', X402_PAY_TO: WALLET, X402_FACILITATOR_URL: 'http://127.0.0.1:9' }

let dir = ''
let other: ChildProcess
let notices: [string, Record<string, string | number>][] = []
/** These tests ignore the notice that the facilitator does not answer. */
const notice = (code: string, facts: Record<string, string | number>): void => {
  if (code !== 'facilitator_unreachable') notices.push([code, facts])
}
const formerTmp = process.env.TMPDIR
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-sellers-test-'))
  process.env.TMPDIR = dir
  other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  notices = []
})
afterEach(async () => {
  await killOther()
  if (formerTmp === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = formerTmp
  removeDirectory(dir)
})
const killOther = async (): Promise<void> => {
  if (other.exitCode !== null || other.signalCode !== null) return
  const ended = once(other, 'exit')
  other.kill('SIGKILL')
  await ended
}
/** Writes a note as another process would; returns the function that removes it. */
const noteOfOther = (wallet = WALLET): (() => void) =>
  noteSeller([wallet], '/srv/other', () => {}, sellersFolder(), identityOf(other.pid as number))
const open = async (env: Record<string, string>): Promise<Closing> => {
  const closing = new Closing()
  const settings = parseSettings({ MINTFOLD_DATA_DIR: join(dir, 'data'), ...env }, { source: 'demo' })
  await openGate(settings, closing, [], notice, { admit: async () => null, admitUnverifiable: async () => null }, undefined)
  return closing
}
const sellers = (): number[] => sellersTo(WALLET, sellersFolder()).map(({ pid }) => pid)

describe('a seller without Redis', () => {
  test('is warned of another process that takes payments to its wallet, and keeps a note until it ends', async () => {
    noteOfOther()
    const closing = await open(FACILITATOR)
    expect(notices).toEqual([['wallet_sold_twice', expect.objectContaining({ wallet: WALLET, pid: other.pid, directory: '/srv/other' })]])
    expect(notices[0]?.[1].words).toContain('REDIS_URL')
    expect(sellers().sort()).toEqual([process.pid, other.pid].sort())
    await closing.run()
    expect(sellers()).toEqual([other.pid])
  })
  test('is not warned of a process that was killed, has ended, or takes payments to another wallet', async () => {
    noteOfOther(`${WALLET.slice(0, -1)}3`)
    noteOfOther()()
    await (await open(FACILITATOR)).run()
    noteOfOther()
    await killOther()
    await (await open(FACILITATOR)).run()
    expect(notices).toEqual([])
  })
  test('writes no note and gets no warning if it takes no real payments', async () => {
    noteOfOther()
    const closing = await open({ MINTFOLD_PAYMENTS: 'off' })
    expect([notices, sellers()]).toEqual([[], [other.pid]])
    await closing.run()
  })
  test('starts if notes cannot be written, with a notice', async () => {
    writeFileSync(sellersFolder(), 'no folder')
    await (await open(FACILITATOR)).run()
    expect(notices.map(([code]) => code)).toEqual(['sellers_unknown'])
  })
  test('follows no symbolic link in place of its note, and ignores a file that is not a note', () => {
    const precious = join(dir, 'precious')
    writeFileSync(precious, 'precious')
    const take = noteSeller([WALLET], dir, notice)
    const [name = ''] = readdirSync(sellersFolder())
    take()
    symlinkSync(precious, join(sellersFolder(), name))
    writeFileSync(join(sellersFolder(), `${name}9`), '{"pid":')
    noteSeller([WALLET], dir, notice)()
    expect([notices, readFileSync(precious, 'utf8')]).toEqual([[], 'precious'])
  })
})
