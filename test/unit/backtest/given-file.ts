// Detector files of a test, in their own folder, and rows to evaluate them on.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DetectorRows } from '../../../processors/mint/detectors/detector.ts'
import { newCurve } from '../../../processors/mint/rows.ts'
import type { Key, Signature } from '../../../schemas/keys.ts'
import type { LaunchRow } from '../../../schemas/types.ts'
import { loadDetectorFile, type MintDetectorFile } from '../../../topology/backtest/detector-file/load.ts'
import { Random } from '../../../topology/simulator/random.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'

const dirs: string[] = []
afterAll(() => dirs.splice(0).forEach(removeDirectory))

/** Writes files into one folder; returns the path of the first. */
export const givenFiles = (files: Readonly<Record<string, string>>): string => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-detector-'))
  dirs.push(dir)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
  return join(dir, Object.keys(files)[0] as string)
}

/** Source of a detector with this function `find`, after other code. */
export const sourceOf = (find: string, before = '', rest = ''): string =>
  `import { mintDetector } from 'mintfold/detector'
${before}
export default mintDetector({ id: 'mine', version: 1, flag: 'mine', firesWhen: 'it does', ${rest} find: ${find} })
`

const unchecked = async (): Promise<boolean> => false
/** Without the type check, which takes half a second. */
export const loaded = async (path: string): Promise<MintDetectorFile> => {
  const file = await loadDetectorFile(path, unchecked)
  if (file.of !== 'mint') throw new Error('not a detector of mints')
  return file
}
export const fileOf = (find: string, before = '', rest = ''): Promise<MintDetectorFile> =>
  loaded(givenFiles({ 'mine.ts': sourceOf(find, before, rest) }))

const AT = Date.UTC(2026, 9, 15, 12, 20) / 1_000
const SLOT = 443_000_000

const launchOf = (random: Random, n: number): LaunchRow => {
  const creator = random.key()
  const name = `Coin ${n} of ${'abcdefg'.charAt(n % 7)}`
  return {
    ...{ number: SLOT + n * 7, tx: n % 5, outer: 1, inner: 2, hash8: `Ha5h${1_000 + n}`, signature: random.signature() as Signature },
    ...{ at: AT + n * 3, name: name, symbol: `C${n}`, uri: `https://files.example/${n}.json` },
    ...{ user: creator, creator: n % 3 === 0 ? creator : random.key(), creatorIsWallet: true, bondingCurve: random.key() as Key },
    ...{ tokenProgram: null, mayhem: false, cashback: false, quoteMint: null, vouched: false, placed: true },
    ...{ supplyUnits: 10 ** 15, realTokenUnits: 793_100_000_000_000 },
  }
}

/** Mints are launched one after the other and trade in turn; returns the rows after each of the `events` events of each mint. */
export const callsOf = ({ mints, events }: { readonly mints: number; readonly events: number }): readonly DetectorRows[] => {
  const random = new Random(7)
  const launches = Array.from({ length: mints }, (_, n) => launchOf(random, n))
  return Array.from({ length: events }, (_, event) =>
    launches.map((launch, n): DetectorRows => {
      const [number, at] = [SLOT + (mints + event) * 7 + n, AT + (mints + event) * 3]
      const [buys, sells] = [event + 1, Math.floor((event * n) / 9)]
      const realQuoteUnits = (n + 1) * 10 ** 8 * (event % 4)
      const last = { lastNumber: number, lastAt: at, lastTradeAt: at, peakNumber: number, peakHash8: launch.hash8 }
      const curve = { ...newCurve(), ...last, buys, sells, realQuoteUnits, peakQuoteUnits: (n + 1) * 3 * 10 ** 8 }
      return { launch, curve, pool: undefined, position: { chain: 'solana', number, tx: n, outer: 0, inner: 1 } }
    }),
  ).flat()
}
export const ROWS = callsOf({ mints: 1, events: 1 })[0] as DetectorRows
