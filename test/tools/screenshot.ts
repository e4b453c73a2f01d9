// Takes the screenshots of the page in README.md: `npm run screenshot` starts the demo and waits until its history is written; with an
// address, `npm run screenshot -- http://127.0.0.1:8402`, it uses a running demo.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { BIN, startUp, type UpProcess } from '../soak/up-process.ts'
import { launchBrowser } from './browser.ts'
import { freePort } from './free-port.ts'
import { removeDirectory } from './remove-directory.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const VIEWPORT = { width: 1280, height: 860 }
const BYTES_MAX = 150_000
const QUALITIES = [80, 70, 60, 50, 40]
/** Long enough for the market's figures, which are computed once a minute. */
const FIGURES_MS = 90_000
const MS_MAX = 300_000
/** The default of the product. */
const DATA_DIR = '.mintfold'

/** Resolves once the demo's history can be queried. @throws if the process ends before that, or takes longer than MS_MAX */
const startDemo = async (dir: string): Promise<UpProcess> => {
  const demo = await startUp(
    {
      dataDir: join(dir, DATA_DIR),
      port: await freePort(),
      args: [BIN, 'up'],
      // With this working directory the page shows the default name of the data directory.
      cwd: dir,
      env: { MINTFOLD_DATA_DIR: DATA_DIR, MINTFOLD_METRICS_PORT: '0' },
    },
    MS_MAX,
  )
  await demo.printed('the whole history can be queried now', MS_MAX)
  return demo
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
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-screenshot-'))
  const demo = await startDemo(dir)
  try {
    await sleep(FIGURES_MS)
    await take(demo.url)
  } finally {
    await demo.stop()
    removeDirectory(dir)
  }
} else await take(given)
