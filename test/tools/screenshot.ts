// Takes the screenshots of the page in README.md: `npm run screenshot` starts the demo and waits until its history is written; with an
// address, `npm run screenshot -- http://127.0.0.1:8402`, it uses a running demo.
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { removed } from './removed.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const VIEWPORT = { width: 1280, height: 860 }
const BYTES_MAX = 150_000
const QUALITIES = [80, 70, 60, 50, 40]
/** Long enough for the market's figures, which are computed once a minute. */
const FIGURES_MS = 90_000
const ANSWERS = /mintfold answers on (http:\/\/\S+)/
const IS_WHOLE = 'the whole history can be queried now'

interface Demo {
  readonly url: string
  stop(): Promise<void>
}

/** Resolves once the demo's history can be queried. @throws if the process ends before that */
const startDemo = async (): Promise<Demo> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-screenshot-'))
  const ports = { MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0', MINTFOLD_METRICS_PORT: '0' }
  const child = spawn(process.execPath, [join(ROOT, 'topology/cli/mintfold.mjs'), 'up'], {
    // With this working directory the page shows the default name of the data directory.
    cwd: dir,
    env: { ...process.env, ...ports },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  let url = ''
  let isWhole = false
  for await (const line of createInterface({ input: child.stderr })) {
    url = ANSWERS.exec(line)?.[1] ?? url
    isWhole = line.includes(IS_WHOLE)
    if (isWhole) break
  }
  if (!isWhole) throw new Error('the demo ended before its history was written')
  child.stderr.resume()
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      removed(dir)
    },
  }
}

/** The picture of the highest quality within the limit. @throws if even the lowest quality exceeds it */
const pictureOf = async (page: Page): Promise<Buffer> => {
  for (const quality of QUALITIES) {
    const picture = await page.screenshot({ type: 'jpeg', quality })
    if (picture.length <= BYTES_MAX) return picture
  }
  throw new Error(`the picture of ${page.url()} exceeds ${BYTES_MAX} bytes even at the lowest quality`)
}

const take = async (url: string): Promise<void> => {
  const browser = await launchBrowser()
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: VIEWPORT, colorScheme })
    await page.goto(url, { waitUntil: 'networkidle' })
    const picture = await pictureOf(page)
    writeFileSync(join(ROOT, `deploy/pictures/page-${colorScheme}.jpg`), picture)
    process.stdout.write(`deploy/pictures/page-${colorScheme}.jpg: ${picture.length} bytes\n`)
  }
  await browser.close()
}

const [given] = process.argv.slice(2)
if (given === undefined) {
  const demo = await startDemo()
  try {
    await sleep(FIGURES_MS)
    await take(demo.url)
  } finally {
    await demo.stop()
  }
} else await take(given)
