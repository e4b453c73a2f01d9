import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATCH_UP_S, DEMO_DEFAULTS, HISTORY_S } from '../../../topology/simulator/solana/defaults.ts'
import { isInGap, isLost, NO_LOSSES } from '../../../topology/simulator/solana/losses.ts'
import type { DemoTruth } from '../../../topology/simulator/solana/market-types.ts'
import { Pacer } from '../../../topology/simulator/solana/pacer.ts'
import { printedTruth } from '../../../topology/simulator/solana/printed-truth.ts'
import { openTruthFile } from '../../../topology/simulator/truth-file.ts'
import { tinyMarket } from '../../fixtures/demo-bytes-market.ts'
import { key } from '../../fixtures/demo-bytes-story.ts'

const truth = (slot: number): DemoTruth => ({
  mint: key(`mint ${slot}`),
  creator: key('creator'),
  slot,
  launchedAtMs: 1,
  archetype: 'slow_drain',
  bundleWallets: [key('a')],
  insiders: [],
  rug: { kind: 'drain', atMs: 9 },
  graduated: false,
  creatorSoldAtMs: null,
  bundleDumpedAtMs: null,
  curveDrainedAtMs: 9,
  poolDrainedAtMs: null,
  closedLowAtMs: null,
  migratedLowAtMs: null,
  peakLamports: 7_000_000_000,
})
const lineOf = (n: number, one: DemoTruth): string => `${JSON.stringify({ n, ...printedTruth(one) })}\n`
const truths = Array.from({ length: 9 }, (_, slot) => truth(slot))
const all = truths.map((one, n) => lineOf(n, one)).join('')

describe('the truth file of the demo', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'demo-truth-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))
  const createFile = (path: string, count: number, bytesMax?: number): void => {
    const write = openTruthFile(path, bytesMax)
    for (const one of truths.slice(0, count)) write(printedTruth(one))
  }

  test('has each truth once, after starts that repeat them', () => {
    const path = join(dir, 'truth.jsonl')
    for (const count of [0, 3, 2, 7, 9]) createFile(path, count)
    expect(readFileSync(path, 'utf8')).toBe(all)
  })
  test.each([1, 20, 200])('rewrites the line after a kill that cut the last %d bytes off', (bytes) => {
    const path = join(dir, 'truth.jsonl')
    createFile(path, 5)
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, -bytes))
    createFile(path, 9)
    expect(readFileSync(path, 'utf8')).toBe(all)
  })
  test('moves its older half to a second file beyond the limit, and a start continues from there', () => {
    const path = join(dir, 'truth.jsonl')
    const lineBytes = lineOf(0, truth(0)).length
    createFile(path, 4, 3 * lineBytes)
    createFile(path, 9, 3 * lineBytes)
    expect(readFileSync(`${path}.old`, 'utf8') + readFileSync(path, 'utf8')).toBe(
      truths
        .slice(3)
        .map((one, n) => lineOf(n + 3, one))
        .join(''),
    )
    rmSync(path)
    createFile(path, 9, 3 * lineBytes)
    expect(readFileSync(path, 'utf8')).toContain('"n":6')
  })
  test('names a path that cannot be written', () => {
    appendFileSync(join(dir, 'file'), '')
    expect(() => createFile(join(dir, 'file', 'truth.jsonl'), 1)).toThrow('cannot be written')
    expect(existsSync(join(dir, 'file', 'truth.jsonl'))).toBe(false)
  })
})

describe('losses of the demo', () => {
  const transactions = [...tinyMarket(1_790_000_000_000, 10)].flatMap((slot) => slot.transactions)

  test('a gap includes its start and excludes its end', () => {
    const losses = { gaps: [{ fromS: 10, toS: 12 }], lostPerMillion: 0 }
    expect([9.9, 10, 11.9, 12].map((atS) => isInGap(losses, atS))).toEqual([false, true, true, false])
    expect(isInGap(NO_LOSSES, 0)).toBe(false)
  })
  test('a given share of the launchpad’s transactions is lost, the same at each read, and never a lone transfer', () => {
    const lost = (lostPerMillion: number) => transactions.filter((tx) => isLost({ gaps: [], lostPerMillion }, tx))
    const launchpad = transactions.filter(({ instructions }) => instructions.some(({ kind }) => kind === 'launchpad'))
    expect(lost(0)).toEqual([])
    expect(lost(1_000_000)).toEqual(launchpad)
    expect(lost(300_000)).toEqual(lost(300_000))
    expect(lost(300_000).length / launchpad.length).toBeCloseTo(0.3, 1)
  })
})

describe('the pace of the demo', () => {
  test('continues on the time line of another source of the stream: overdue slots are late', () => {
    const pacer = new Pacer(() => 9_000)
    pacer.keep({ streamMs: 300_000, wallMs: 5_000 })
    expect(pacer.anchor(100_000, 'max')).toMatchObject({ streamMs: 100_000, wallMs: 9_000, speed: 0 })
    expect(pacer.anchor(300_400, 1)).toMatchObject({ streamMs: 300_000, wallMs: 5_000, speed: 1 })
    expect(pacer.waitMs(303_000)).toBe(-1_000)
  })
  test('has an anchor where it begins and changes', () => {
    let wallMs = 5_000
    const pacer = new Pacer(() => wallMs)
    expect(pacer.anchor(100_000, 'max')).toMatchObject({ streamMs: 100_000, wallMs: 5_000, speed: 0 })
    expect(pacer.waitMs(900_000)).toBe(0)
    expect(pacer.anchor(200_000, 'max')).toBeUndefined()
    expect(pacer.anchor(300_000, 20)).toMatchObject({ streamMs: 300_000, speed: 20 })
    expect(pacer.waitMs(320_000)).toBe(1_000)
    wallMs += 600
    expect(pacer.waitMs(320_000)).toBe(400)
  })
  test('begins its paced part at a reproducible time if no start is given', () => {
    expect(new Date(DEMO_DEFAULTS.startMs + (HISTORY_S + CATCH_UP_S) * 1_000).toISOString()).toBe('2026-10-15T12:00:00.000Z')
  })
})
