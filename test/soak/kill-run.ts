// Kills a process at random times, then plays the rest of the input: the result equals an undisturbed run, and every payment buys once.
import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RawFrame } from '../../schemas/types.ts'
import { startSandbox } from '../../topology/sandbox/sandbox.ts'
import { readRecording, writeRecording } from '../../topology/sources/recording/recording-file.ts'
import { randomOf } from '../bench/synthetic-tape.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { until } from '../tools/until.ts'
import { buySteadily, noPurchases, resendAll } from './clients.ts'
import { contentsOf, differences } from './compare.ts'
import { recordingArgs, startUp, type UpOptions, UpProcess } from './up-process.ts'

const SOURCES = ['launches', 'transactions', 'blocks'].map((name) => fileURLToPath(new URL(`../recordings/${name}.avro`, import.meta.url)))
const FIRST_SLOT = 500_000_000
const FIRST_TIME = 1_800_000_000
/** Stream seconds between frames: mints' inactivity timers expire within the recording. */
const STEP_S = 10

/** Writes `frames` frames to `path`. Coins repeat, so their reserves do not follow from one trade to the next. */
const writeLongRecording = async (path: string, frames: number): Promise<void> => {
  const recorded: RawFrame[] = []
  for (const source of SOURCES) for await (const frame of readRecording(source)) recorded.push(frame)
  const again = function* (): Iterable<RawFrame> {
    for (let i = 0; i < frames; i++) {
      const hash = createHash('sha256').update(`frame ${i}`).digest('hex')
      const parent = createHash('sha256')
        .update(`frame ${i - 1}`)
        .digest('hex')
      const links = {
        number: FIRST_SLOT + i,
        hash,
        parentNumber: FIRST_SLOT + i - 1,
        parentHash: parent,
        blockTime: FIRST_TIME + i * STEP_S,
      }
      yield { ...(recorded[i % recorded.length] as RawFrame), ...links, whole: true, placed: true, vouched: true }
    }
  }
  await writeRecording(path, again())
}

const FRAMES_MAX = 3_000
const FRAMES_PER_KILL = 250
const PRICE_MICRO_USDC = 10_000
const BUY_PATH = '/v1/launches/recent'
const PLAYED = 'the recording is played'
const ANSWERS = 'mintfold answers on'
const PARTITIONS = 4
/** Bounds of the delay of a kill: after the start of the process or, every other time, after the process can answer. */
const KILL_MS_MIN = 50
const KILL_MS_MAX = 2_000
const RESENT = 20
/** Address of a history that never answers: demo-kills.ts covers the history, whose engine would take more time than the product. */
const ENV = { CLICKHOUSE_URL: 'http://127.0.0.1:9' }
/** The run without kills folds in one thread, the killed ones in two. */
const ONE_THREAD = { ...ENV, MINTFOLD_FOLD_THREADS: '1' }
const TWO_THREADS = { ...ENV, MINTFOLD_FOLD_THREADS: '2' }

/** The result. The lists must be empty, the two amounts equal, and `exitCode` 0. */
export interface KillReport {
  readonly seed: number
  readonly kills: number
  readonly killsBeforeAnswering: number
  readonly answered: number
  readonly refused: number
  readonly broken: readonly string[]
  readonly resentDiffer: readonly string[]
  readonly differences: readonly string[]
  readonly paidMicroUsdc: number
  readonly expectedMicroUsdc: number
  readonly exitCode: number | null
}

/** Runs in its own directory under the system's temporary one. */
export const runKills = async (kills: number, seed: number): Promise<KillReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-kills-'))
  try {
    const recording = join(dir, 'long.avro')
    const frames = Math.min(FRAMES_MAX, kills * FRAMES_PER_KILL)
    await writeLongRecording(recording, frames)
    const clean = await cleanRun(join(dir, 'clean'), recording)
    const killed = await killedRun(join(dir, 'killed'), { recording, frames, kills, seed })
    const sandbox = await startSandbox({ dataDir: join(dir, 'killed') })
    const { payToMicroUsdc } = await sandbox.balances()
    await sandbox.close()
    const { answered, refused, broken } = killed.purchases
    return {
      seed,
      kills,
      killsBeforeAnswering: killed.early,
      answered: answered.size,
      refused,
      broken,
      resentDiffer: killed.resentDiffer,
      differences: differences(clean, await contentsOf(join(dir, 'killed'), PARTITIONS)),
      paidMicroUsdc: payToMicroUsdc,
      expectedMicroUsdc: answered.size * PRICE_MICRO_USDC,
      exitCode: killed.exitCode,
    }
  } finally {
    removeDirectory(dir)
  }
}

const cleanRun = async (dataDir: string, recording: string) => {
  const up = await startUp({ dataDir, args: recordingArgs(recording, 'max'), port: await freePort(), env: ONE_THREAD })
  await up.printed(PLAYED)
  await up.stop()
  return contentsOf(dataDir, PARTITIONS)
}

interface Killed {
  readonly recording: string
  readonly frames: number
  readonly kills: number
  readonly seed: number
}
const killedRun = async (dataDir: string, { recording, frames, kills, seed }: Killed) => {
  const random = randomOf(seed)
  const port = await freePort()
  const stop = new AbortController()
  const errand = { url: () => `http://127.0.0.1:${port}`, path: BUY_PATH, walletFile: join(dataDir, 'wallet.json'), stop: stop.signal }
  const purchases = noPurchases()
  const buying = buySteadily(errand, purchases)
  // The recording lasts about one wall second for each kill, so that most kills fall while it plays.
  const speed = (frames * STEP_S) / kills
  let early = 0
  for (let kill = 0; kill < kills; kill++) {
    const waitMs = KILL_MS_MIN + random() * (KILL_MS_MAX - KILL_MS_MIN)
    const options = { dataDir, args: recordingArgs(recording, speed), port, env: TWO_THREADS }
    if (!(await killAfter(waitMs, kill % 2 === 1, options))) early++
  }
  const up = await startUp({ dataDir, args: recordingArgs(recording, 'max'), port, env: TWO_THREADS })
  await up.printed(PLAYED)
  // On a busy machine none of the killed processes may live long enough to sell.
  await until(() => purchases.answered.size > 0)
  stop.abort()
  await buying
  const resentDiffer = await resendAll(up.url, purchases, RESENT)
  return { purchases, resentDiffer, early, exitCode: await up.stop() }
}

/** Resolves to whether the process could answer before it was killed. */
const killAfter = async (waitMs: number, onceItAnswers: boolean, options: UpOptions): Promise<boolean> => {
  const up = new UpProcess(options)
  if (onceItAnswers) await up.printed(ANSWERS)
  await pause(waitMs)
  await up.kill()
  return up.has(ANSWERS)
}
