// Pauses the broker and roles for a while, as a swapping machine or a stalled network does: sessions expire, tasks move, zombies return.
// Nothing is lost or duplicated, and no process gives up.
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../bench/synthetic-tape.ts'
import { startBroker } from '../services/broker.ts'
import type { Jvm } from '../services/jvm.ts'
import { streamOf } from './differential.ts'
import { KafkaWorld } from './kafka-world.ts'
import type { UpProcess } from './up-process.ts'

/** Minutes of the market in each run of the soak. */
export const SOAK_MINUTES = 10
const PROCESSES = 3
/** Half of the pauses are of the broker, where all sessions may expire at once. */
const BROKER_SHARE = 0.5
const GAP_MS_MAX = 1_500
/** Short pauses are more frequent; a session expires after 6 s. */
const PAUSE_MS_MIN = 200
const PAUSE_MS_MAX = 12_000
const BEGUN_MS_MAX = 120_000
const CAPTURED_MS_MAX = 600_000

/** The result. `differences` must be empty and `exitCodes` 0. */
export interface PausesReport {
  readonly seed: number
  /** In order of time: the paused process and for how long. */
  readonly pauses: readonly string[]
  readonly differences: readonly string[]
  /** Exit codes of the processes, which are stopped at the end. */
  readonly exitCodes: readonly (number | null)[]
  /** Output of the roles if the run fails. */
  readonly lines: readonly (readonly string[])[]
  readonly seconds: number
}

export const isPausedWell = ({ differences, exitCodes }: PausesReport): boolean =>
  differences.length === 0 && exitCodes.every((code) => code === 0)

/** A forking market, captured at full speed by one process and folded by three, while one of them or the broker is paused. */
export const runKafkaPauses = async (minutes: number, seed: number, registryUrl: string): Promise<PausesReport> => {
  const startedMs = Date.now()
  const broker = await startBroker()
  const world = await KafkaWorld.open(streamOf(minutes), { brokers: broker.address, registryUrl })
  try {
    const processes = Array.from({ length: PROCESSES }, () => world.process())
    const [expected] = await Promise.all([world.reference(), ...processes.map((one) => one.printed('processes from', BEGUN_MS_MAX))])
    const capture = world.capture('max')
    const roles = [...processes, capture]
    const captured = capture.printed('the source has ended', CAPTURED_MS_MAX)
    const pauses = await disturb(seed, broker, roles, captured)
    const differences = await world.arrived(expected)
    const exitCodes = await Promise.all(processes.map((one) => one.stop()))
    const report = { seed, pauses, differences, exitCodes, lines: [], seconds: Math.round((Date.now() - startedMs) / 1_000) }
    return isPausedWell(report) ? report : { ...report, lines: roles.map(({ lines }) => lines) }
  } finally {
    await world.close()
    await broker.kill()
  }
}

/** One pause after the other until `over` resolves. */
const disturb = async (seed: number, broker: Jvm, roles: readonly UpProcess[], over: Promise<void>): Promise<readonly string[]> => {
  const random = randomOf(seed)
  const pauses: string[] = []
  let isOver = false
  const ended = over.finally(() => {
    isOver = true
  })
  ended.catch(() => {})
  while (!isOver) {
    await pause(random() * GAP_MS_MAX)
    const isBroker = random() < BROKER_SHARE
    const index = Math.floor(random() * roles.length)
    const ms = Math.round(PAUSE_MS_MIN + random() ** 2 * (PAUSE_MS_MAX - PAUSE_MS_MIN))
    const paused = isBroker ? broker : (roles[index] as UpProcess)
    paused.pause()
    await pause(ms)
    paused.resume()
    pauses.push(`${isBroker ? 'broker' : `role ${index}`} ${ms} ms`)
  }
  await ended
  return pauses
}
