// `mintfold dev` from save to save, over a tape of the demo in which every name is hostile.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { main } from '../../../topology/cli/main.ts'
import { createIo } from '../../../topology/cli/output/io.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { sourceOf } from '../../unit/backtest/given-file.ts'
import { fakeEdges } from '../../unit/cli/fake-edges.ts'
import { HOSTILE, type RunningDev, runDev, writeDemoTape } from './given-dev.ts'

const dir = mkdtempSync(join(tmpdir(), 'mintfold-dev-'))
const path = join(dir, 'mine.ts')
const tape = join(dir, 'demo.tape')
const SOURCE = sourceOf(`({ curve }) => (curve.buys >= least ? { buys: curve.buys } : undefined)`, `import { least } from './limits.ts'\n`)
const limitsOf = (least: number, folder = ''): void => writeFileSync(join(dir, folder, 'limits.ts'), `export const least = ${least}\n`)
const inline = (find: string): string => sourceOf(find, '', '\n')
let texts = 0
/** A detector that fires at this many buys. Its text differs each time, because writing an unchanged file does not count as a save. */
const BUYS = (least: number): string =>
  `${inline(`({ curve }) => (curve.buys >= ${least} ? { buys: curve.buys } : undefined)`)}// ${++texts}\n`
const ANSWERED = /save \d+: mine, version 1 \(\w{8}\): \d+ findings/
const pageOf = async (url: string): Promise<string> => (await fetch(url)).text()

let dev: RunningDev
beforeAll(async () => {
  await writeDemoTape(tape)
  limitsOf(5)
  writeFileSync(path, SOURCE)
  dev = await runDev(path, {}, '--in', tape)
  await dev.save(SOURCE).prints(/save 1: mine, version 1 \(\w{8}\): (?!0 )\d+ findings in (?!0 )\d+ launches/, 'precision ', 'base rate ')
})
afterAll(async () => {
  await dev.stop()
  removeDirectory(dir)
})

test('a save shows the findings again, and the changes since the save before', async () => {
  const savedMs = performance.now()
  await dev.save(BUYS(6)).prints(ANSWERED)
  process.stderr.write(`dev: findings appeared ${Math.round(performance.now() - savedMs)} ms after the save\n`)
  const fewer = await dev.save(BUYS(9)).prints(ANSWERED, /since the previous save: 0 new, [1-9]\d* gone, [1-9]\d* changed, 0 unchanged/)
  expect(fewer).toMatch(/^ {2}gone {5}2026-\S+ \+\d+ s /m)
  expect(fewer).toMatch(/^ {2}changed .* {2}before: \{"buys":6\} at \+\d+ s$/m)
  await dev
    .save(BUYS(6))
    .prints(ANSWERED, /since the previous save: [1-9]\d* new, 0 gone, [1-9]\d* changed, 0 unchanged/, /^ {2}new {6}2026/m)
  await dev.save(`// Another comment.\n${BUYS(6)}`).prints(ANSWERED, /0 new, 0 gone, 0 changed, [1-9]\d* unchanged/)
})

test('detects a save by renaming another file, a save of an imported file, and an imported file that is added later', async () => {
  await dev.save(BUYS(7), 'renamed').prints(ANSWERED)
  await dev.save(SOURCE, 'renamed').prints(ANSWERED)
  await dev.after(() => limitsOf(8)).prints(ANSWERED, /0 new, [1-9]\d* gone/)
  const absent = SOURCE.replace('./limits.ts', './more/limits.ts')
  await dev.save(absent).prints('it does not run', /mine\.ts:2:\d+: there is no file .*more\/limits\.ts/, 'OLD: these ')
  mkdirSync(join(dir, 'more'))
  await dev.after(() => limitsOf(7, 'more')).prints(ANSWERED, /[1-9]\d* new, 0 gone/)
})

test('shows type errors with file and line; the earlier findings stay, marked as old', async () => {
  await dev.save(BUYS(6)).prints(ANSWERED)
  const wrong = await dev
    .save(BUYS(6).replace('buys: curve.buys', 'buys: curve.buys, of: launch.at'))
    .prints(/mine\.ts:\d+:\d+: TS2304: Cannot find name 'launch'|mine\.ts:\d+:\d+: error TS2304: Cannot find name 'launch'/, 'OLD: these ')
  expect(wrong).toMatch(/detector mine at solana:[\d.]+: throws launch is not defined \(.*mine\.ts:\d+:\d+\)/)
  const page = await pageOf(dev.url)
  expect(page).toContain('Type errors')
  expect(page).toContain('class="found old"')
  const unused = BUYS(6)
    .replace('({ curve })', '({ curve }: { curve: { buys: string } })')
    .replace('>= 6', "!== '' && Number(curve.buys) >= 6")
  expect(await dev.save(unused).prints('type errors:', 'has type errors')).not.toMatch(ANSWERED)
  await dev.save(BUYS(6)).prints(ANSWERED, /0 new, 0 gone, 0 changed/)
})

test('terminates a detector that never returns when its file is saved again, and runs the newest text', async () => {
  await dev.save(BUYS(6)).prints(ANSWERED)
  const looping = inline('({ curve }) => { for (; curve.buys > 3; ) ; return undefined }')
  dev.save(looping)
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await dev.save(BUYS(6)).prints(ANSWERED, /0 new, 0 gone, 0 changed/)
})

test('the page shows findings with hostile names as text, refuses requests for another host, and announces a save', async () => {
  await dev.save(BUYS(6)).prints(ANSWERED)
  expect(dev.stdout).not.toContain('\u001b')
  expect(dev.stdout).not.toContain('\u202e')
  expect(dev.stdout).toContain('\\u2066')
  const page = await pageOf(dev.url)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;img')
  expect(page).not.toContain(HOSTILE.slice(0, 8).concat('alert'))
  for (const raw of ['<img', '\u202e', '\u001b', '\u2066']) expect(page).not.toContain(raw)
  expect(page.match(/<(script|link|img|a)\b[^>]*>/g)).toEqual(['<link rel="stylesheet" href="/dev.css">', '<script src="/dev.js" defer>'])
  const answer = await fetch(dev.url)
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  const events = await fetch(`${dev.url}events`)
  const reader = (events.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  const receives = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(received)) received += (await reader.read()).value ?? ''
  }
  await receives(/^data: /)
  received = ''
  dev.save(BUYS(12))
  await receives(/data: .*version 1.*"buys\\":12|data: .*&quot;buys&quot;:12/)
  await reader.cancel()
  expect(await statusFor(dev.url, 'evil.example')).toBe(421)
})

test('ends at Ctrl-C, also while a detector does not return, and refuses a taken port', async () => {
  const other = join(dir, 'other.ts')
  writeFileSync(other, inline('({ curve }) => { for (; curve.buys > 0; ) ; return undefined }'))
  const edges = fakeEdges()
  expect(await main(['dev', other, '--in', tape, '--port', new URL(dev.url).port], createIo(edges))).toBe(3)
  expect(edges.written.stderr).toMatch(/port \d+ on 127\.0\.0\.1 is taken: use another port with --port/)
  const endless = await runDev(other, {}, '--in', tape)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const startedMs = performance.now()
  expect(await endless.stop()).toBe(0)
  expect(performance.now() - startedMs).toBeLessThan(9_000)
})

const statusFor = async (url: string, host: string): Promise<number> => {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => resolve(response.resume().statusCode ?? 0))
      .on('error', reject)
      .end()
  })
}
