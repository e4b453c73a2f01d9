// The commands that README.md, query-api/README.md and the page `/alerts` offer for copying, run as they are against a demo, whose
// addresses and directory alone are replaced.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseHTML } from 'linkedom'
import { BIN, UpProcess } from '../soak/up-process.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { until } from '../tools/until.ts'

/** On a busy machine the history of an hour takes minutes. */
const MS_MAX = 480_000
const ROOT = new URL('../../', import.meta.url).pathname
const RECEIVER = /receive_alerts\.mjs 9000/

let dir = ''
let up: UpProcess
let receiverPort = 0
const receivers: ChildProcess[] = []
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-documented-'))
  const args = [BIN, 'up', '--source', 'demo', '--history', '1', '--seed', '3', '--rate', '0.2']
  up = new UpProcess({ dataDir: join(dir, 'data'), port: await freePort(), args })
  await up.printed('the whole history can be queried now', MS_MAX)
  const rugs = 'npx mintfold sql "SELECT count() FROM mintfold.outcomes WHERE rugged" --format TSV'
  await until(async () => Number(await run(rugs)) > 0, { msMax: MS_MAX / 2, everyMs: 1_000 })
}, MS_MAX)
afterAll(async () => {
  for (const receiver of receivers) receiver.kill('SIGKILL')
  await up.kill()
  removeDirectory(dir)
})

/** Lines of the shell block after a heading or bold text of a document. */
const blockAfter = (path: string, start: string): readonly string[] => {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(text.slice(text.indexOf(start))) ?? []
  return block.split('\n').filter((line) => line !== '')
}
/** Here the server and the receiver have other ports, and the directory another name. */
const here = (line: string): string =>
  line
    .replace(/\s+# .*$/, '')
    .replaceAll(/127\.0\.0\.1(:|%3A)9000/g, `127.0.0.1$1${receiverPort}`)
    .replace('receive_alerts.mjs 9000', `receive_alerts.mjs ${receiverPort}`)
    .replaceAll('http://127.0.0.1:8402', up.url)
    .replaceAll(' .mintfold/', ` ${join(dir, 'data')}/`)
    .replace(/^npx mintfold buy (.*)$/, (_all, rest: string) => `npx mintfold buy ${rest} --server ${up.url}`)
    .replaceAll('npx mintfold', `${process.execPath} -- ${BIN}`)
const env = () => ({ ...process.env, MINTFOLD_DATA_DIR: join(dir, 'data') })
const run = (line: string): Promise<string> =>
  promisify(execFile)('sh', ['-c', here(line)], { cwd: ROOT, env: env(), timeout: MS_MAX / 2 }).then(({ stdout }) => stdout)

/** Runs a receiver until the end of the tests, and any other command to its end. */
const runs = async (lines: readonly string[]): Promise<string> => {
  let out = ''
  for (const line of lines) {
    if (RECEIVER.test(line)) await receive(line)
    else out += await run(line)
  }
  return out
}
/** On a port of its own: each is a host of its own, which gets one challenge a minute. */
const receive = async (line: string): Promise<void> => {
  receiverPort = await freePort()
  for (const former of receivers.splice(0)) former.kill('SIGKILL')
  const receiver = spawn('sh', ['-c', `exec ${here(line).replace(/ &$/, '')}`], { cwd: ROOT, stdio: 'ignore' })
  receivers.push(receiver)
  const answers = () =>
    fetch(`http://127.0.0.1:${receiverPort}`, { method: 'POST', body: '{"challenge":"c"}' }).then(
      async (response) => (await response.text()) === '{"challenge":"c"}',
      () => false,
    )
  await until(answers)
}

test.each([
  ['README.md', '**Agent: 402, pay, card.**', 3, /"what":"watched"/],
  ['README.md', '**Analyst: three questions in SQL.**', 3, /rug_kind/],
  ['query-api/README.md', '## Alerts', 2, /"subscription_id":"sub_/],
])(
  'each command of %s after %s succeeds',
  async (path, start, count, shown) => {
    const lines = blockAfter(path, start)
    expect(lines).toHaveLength(count)
    expect(await runs(lines)).toMatch(shown)
  },
  MS_MAX,
)

test(
  'the commands that the page /alerts offers start a receiver and buy a subscription',
  async () => {
    const html = await (await fetch(`${up.url}/alerts`, { headers: { accept: 'text/html' } })).text()
    const { document } = parseHTML(html)
    const lines = [...document.querySelectorAll('[data-copy]')].map((button) => button.getAttribute('data-copy') ?? '')
    expect(lines.map((line) => /receive_alerts|mintfold buy|curl/.exec(line)?.[0])).toEqual(['receive_alerts', 'mintfold buy', 'curl'])
    const out = await runs(lines.map((line) => line.replace(/^MINTFOLD_DATA_DIR=\S+ /, '').replace(/ --server \S+$/, '')))
    expect(out).toContain('"subscription_id":"sub_')
    expect(out).toContain('HTTP/1.1 402 Payment Required')
  },
  MS_MAX,
)

test(
  'the demo lives in the time of its reader: the last two hours of SQL have launches, and the service has the time of the wall',
  async () => {
    const recent = 'SELECT count() FROM mintfold.launches WHERE tick_at > now() - INTERVAL 2 HOUR AND tick_at <= now()'
    expect(Number(await run(`npx mintfold sql "${recent}" --format TSV`))).toBeGreaterThan(10)
    const health = (await (await fetch(`${up.url}/health`)).json()) as { readonly t: number }
    expect(Math.abs(health.t - Date.now() / 1_000)).toBeLessThan(60)
  },
  MS_MAX,
)
