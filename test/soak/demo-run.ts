// Plays a demo to its end and reads everything it wrote: the reference for runs with faults.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { copyHistory } from '../fixtures/migrated-history.ts'
import { freePort } from '../tools/free-port.ts'
import { type CanonicalContents, contentsOf, livingOf } from './compare.ts'
import type { DemoPlan } from './demo-up.ts'
import { computeAll, type Reach, reachOf, rowsOf, type StoredRows, storedIn } from './history-reader.ts'
import { answered } from './requests.ts'
import { demoArgs, startUp, type UpProcess } from './up-process.ts'

const PARTITIONS = 4
const END_MS_MAX = 1_800_000
const LOOK_MS = 250
/** Printed by the product when the market has ended. */
export const PLAYED = 'is played'
/** Every response is free. */
export const ENV = { MINTFOLD_PAYMENTS: 'off' }

/** A data directory and the market that is played in it. */
export interface World {
  readonly dir: string
  readonly plan: DemoPlan
}

/** Everything that must be equal. */
export interface Played {
  /** Log, stores, truth and rows of the history, as text by name. */
  readonly contents: Readonly<Record<string, readonly string[]>>
  readonly stored: StoredRows
  /** Contents of the canonical branch, with the history's rows but without their versions, which forks change. */
  readonly canonical: CanonicalContents
  /** Findings that the history shows as retracted. */
  readonly retracted: readonly string[]
  readonly exitCode: number | null
  /** From the start until the history was complete, ms. */
  readonly tookMs: number
}

/**
 * Plays the rest of the market at full speed. A new directory gets a history whose tables exist and whose views have no schedule: `finish`
 * computes the views.
 */
export const playToEnd = async ({ dir, plan }: World, port?: number): Promise<Played> => {
  if (!existsSync(dir)) await copyHistory(dir, 'asked')
  const startedMs = performance.now()
  const args = demoArgs({ ...plan, speed: 'max', measured: null })
  const up = await startUp({ dataDir: dir, port: port ?? (await freePort()), args, env: ENV }, END_MS_MAX)
  return finish(up, dir, startedMs)
}

/** Waits for the end of the market and for the history, stops the product, and reads everything. */
const finish = async (up: UpProcess, dir: string, startedMs: number): Promise<Played> => {
  try {
    await up.printed(PLAYED, END_MS_MAX)
    const last = await foldedBy(up)
    await reached(up, dir, ({ slot, upTo, tickAt }) => slot === last && upTo === tickAt)
    const tookMs = performance.now() - startedMs
    await computeAll(dir)
    const [stored, { rows }] = await Promise.all([storedIn(dir), storedIn(dir, ['version'])])
    const retracted = await rowsOf<{ id: string }>(dir, 'SELECT DISTINCT finding_id AS id FROM mintfold.retracted_flags ORDER BY id')
    const exitCode = await up.stop()
    // Written with the first launch whose outcome is known; a short stream may have none.
    const truthPath = join(dir, 'demo-truth.jsonl')
    const truth = existsSync(truthPath) ? readFileSync(truthPath, 'utf8').split('\n') : []
    const contents = { ...(await contentsOf(dir, PARTITIONS)), truth, ...stored.rows }
    const canonical = await livingOf(dir, PARTITIONS)
    const ofBranch = { ...canonical, contents: { ...canonical.contents, truth, ...rows } }
    return { contents, stored, canonical: ofBranch, retracted: retracted.map(({ id }) => id), exitCode, tookMs }
  } finally {
    if (up.isAlive) await up.kill()
  }
}

/** Resolves when the history meets the condition. */
export const reached = async (up: UpProcess, dir: string, isThere: (reach: Reach) => boolean | Promise<boolean>): Promise<void> => {
  for (const endMs = performance.now() + END_MS_MAX; performance.now() < endMs && up.isAlive; await pause(LOOK_MS)) {
    const reach = await reachOf(dir)
    if (reach !== null && (await isThere(reach))) return
  }
  throw new Error(`the history has not reached its target within ${END_MS_MAX} ms\n${up.lines.join('\n')}`)
}

interface Health {
  readonly t: number
  readonly sources: readonly { readonly folded: number | null; readonly feed_lag_s: number | null }[]
}

const healthOf = async (up: UpProcess, msMax: number): Promise<Health> => {
  const asked = fetch(`${up.url}/health`, { signal: AbortSignal.timeout(msMax) })
  return (await answered(
    asked.then((answer) => answer.json()),
    msMax,
  )) as Health
}

/** The newest slot that every fold has processed. */
const foldedBy = async (up: UpProcess): Promise<number> => (await healthOf(up, END_MS_MAX)).sources[0]?.folded ?? 0

/** Stream time of the source and of the newest folded tick, unix s. */
export interface Head {
  readonly now: number
  readonly folded: number
}

/** Null if the product does not report it in time. */
export const headOf = async (up: UpProcess, msMax: number): Promise<Head | null> => {
  try {
    const { t, sources } = await healthOf(up, msMax)
    const lagS = sources[0]?.feed_lag_s ?? null
    return lagS === null ? null : { now: t, folded: t - lagS }
  } catch {
    return null
  }
}

/** Settles both before it throws the first failure, so that nothing keeps running. */
export const both = async <A, B>(a: Promise<A>, b: Promise<B>): Promise<readonly [A, B]> => {
  await Promise.allSettled([a, b])
  return [await a, await b]
}
