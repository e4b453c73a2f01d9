// Kills roles on Kafka at random times and restarts each at once: nothing is lost or duplicated, on the log and in the history.
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../bench/synthetic-tape.ts'
import type { SharedKafka } from '../services/shared.ts'
import type { Plan } from './kafka-plan.ts'
import { KafkaWorld } from './kafka-world.ts'
import type { UpProcess } from './up-process.ts'

/** Shortest time between two kills. */
const KILL_MS_MIN = 200
const KILL_MS_MAX = 3_500
const FRAMES_A_KILL = 30
const SLOT_S = 0.4

/** The result. `differences` must be empty. */
export interface KafkaKillReport {
  readonly seed: number
  readonly kills: Readonly<Record<string, number>>
  readonly differences: readonly string[]
  readonly rows: Readonly<Record<string, string>>
  /** Exit codes of the processes stopped at the end. */
  readonly exitCodes: readonly (number | null)[]
  /** The last lines of each process: those whose exit code was not 0, or all if there are differences. */
  readonly failed: readonly string[]
  readonly seconds: number
}

type Role = 'capture' | 'process' | 'serve'
const ROLES: readonly Role[] = ['process', 'process', 'process', 'capture', 'serve']

/** Runs one capture, three task processes and one server over a stream that lasts about as long as the kills. */
export const runKafkaKills = async (kills: number, seed: number, services: SharedKafka): Promise<KafkaKillReport> => {
  const startedMs = Date.now()
  const plan: Plan = { seed: 7, rate: 4, frames: 60 + kills * FRAMES_A_KILL, partitions: 6, curveMinutes: 3 }
  const world = await KafkaWorld.open(plan, services)
  const counted: Record<string, number> = { capture: 0, process: 0, serve: 0 }
  const speed = Math.max(1, (FRAMES_A_KILL * SLOT_S) / ((KILL_MS_MIN + KILL_MS_MAX) / 2_000))
  const start = async (role: Role): Promise<UpProcess> =>
    role === 'capture' ? world.capture(speed) : role === 'process' ? world.process() : world.serve('serve')
  const running = new Map<number, UpProcess>()
  try {
    const expected = await world.reference()
    for (const [index, role] of ROLES.entries()) running.set(index, await start(role))
    const random = randomOf(seed)
    for (let kill = 0; kill < kills; kill++) {
      await pause(KILL_MS_MIN + random() * (KILL_MS_MAX - KILL_MS_MIN))
      const index = Math.floor(random() * ROLES.length)
      const role = ROLES[index] as Role
      await running.get(index)?.kill()
      counted[role] = (counted[role] ?? 0) + 1
      running.set(index, await start(role))
    }
    await running.get(ROLES.indexOf('capture'))?.kill()
    running.set(ROLES.indexOf('capture'), world.capture('max'))
    const differences = await world.arrived(expected)
    const exitCodes = await Promise.all(Array.from(running.values(), (one) => one.stop()))
    const failed = [...running.values()].flatMap(({ lines }, at) =>
      exitCodes[at] === 0 && differences.length === 0 ? [] : [lines.slice(-8).join(' | ')],
    )
    const seconds = Math.round((Date.now() - startedMs) / 1_000)
    return { seed, kills: counted, differences, rows: expected.history, exitCodes, failed, seconds }
  } finally {
    await world.close()
  }
}
