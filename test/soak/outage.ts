// Kills the only broker during a run and starts it again after a while. Every role waits and reports the outage; a role that is asked to
// stop meanwhile stops.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startBroker } from '../services/broker.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { until } from '../tools/until.ts'
import { KafkaWorld } from './kafka-world.ts'
import type { Plan } from './streams.ts'
import type { UpProcess } from './up-process.ts'

/** The run captures a recording, which is paced from its first frame on. */
const PLAN: Plan = { seed: 3, rate: 1, frames: 150, partitions: 3 }
/** Slow enough that the stream, which takes half a minute, has not ended when the broker goes. */
const SPEED = 2
/** At least this many frames are folded, as `serve` reports it, when the broker goes. */
const BEFORE_FRAMES = 20
const BEGUN_MS_MAX = 120_000
const READY_MS_MAX = 60_000
const CAPTURED_MS_MAX = 300_000
const LINES_SHOWN = 20
const POLL_MS = 100
const STOP_MS_MAX = 10_000
/** Any free port. */
const METRICS = { MINTFOLD_METRICS_PORT: '0' }

export interface OutageReport {
  readonly awayS: number
  /** From the broker's end until the roles were checked. */
  readonly lookedAtS: number
  /** Status and error of `serve`'s `/ready` at that time. */
  readonly ready: { readonly status: number; readonly error: string }
  /** `mintfold_log_away_seconds` of each role at that time. */
  readonly awaySeconds: readonly number[]
  /** How a process and a capture that were asked to stop during the outage ended. */
  readonly stopped: readonly { readonly code: number | null; readonly ms: number }[]
  /** From the broker's start until `serve` was ready again; infinite if it was not within 60 s. */
  readonly backMs: number
  readonly differences: readonly string[]
  /** Exit codes of the other roles at the end. */
  readonly exitCodes: readonly (number | null)[]
  /** Output of the roles if the run fails. */
  readonly lines: readonly (readonly string[])[]
}

export const isOutlived = ({ lookedAtS, ready, awaySeconds, stopped, differences, exitCodes }: OutageReport): boolean =>
  ready.status === 503 &&
  ready.error === 'log_away' &&
  awaySeconds.every((seconds) => seconds > 0 && seconds < lookedAtS) &&
  [...stopped.map(({ code }) => code), ...exitCodes].every((code) => code === 0) &&
  stopped.every(({ ms }) => ms < STOP_MS_MAX) &&
  differences.length === 0

/** Runs the outage; the schema registry stays available. */
export const runOutage = async (awayS: number, registryUrl: string): Promise<OutageReport> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-outage-'))
  const first = await startBroker({ dir })
  let broker = first
  const world = await KafkaWorld.open(PLAN, { brokers: broker.address, registryUrl })
  try {
    const processes = [world.process(METRICS), world.process(METRICS)]
    const leaving = world.process(METRICS)
    const serve = await world.serve('serve', METRICS)
    const begun = [...processes, leaving].map((one) => one.printed('processes from', BEGUN_MS_MAX))
    const [expected] = await Promise.all([world.reference(), ...begun])
    const capture = world.capture(SPEED, METRICS, true)
    await until(async () => (await framesOf(serve)) >= BEFORE_FRAMES, { everyMs: POLL_MS })
    const roles = [...processes, leaving, serve, capture]
    const awayMs = performance.now()
    await broker.kill()
    await pause((awayS * 1_000) / 2)
    await Promise.all(roles.map(untilAway))
    const ready = await readyOf(serve)
    const awaySeconds = await Promise.all(roles.map(awaySecondsOf))
    const lookedAtS = (performance.now() - awayMs) / 1_000
    const [stopped] = await Promise.all([Promise.all([leaving, capture].map(stopOf)), pause((awayS * 1_000) / 2)])
    broker = await startBroker({ dir, port: first.port })
    const backMs = await untilReady(serve).catch((cause) => {
      throw new Error(`serve does not answer any more; it printed:\n${serve.lines.slice(-LINES_SHOWN).join('\n')}`, { cause })
    })
    const again = world.capture('max')
    await again.printed('the source has ended', CAPTURED_MS_MAX)
    const differences = await world.arrived(expected)
    const exitCodes = await Promise.all([...processes, serve].map((one) => one.stop()))
    const report = { awayS, lookedAtS, ready, awaySeconds, stopped, backMs, differences, exitCodes, lines: [] }
    return isOutlived(report) ? report : { ...report, lines: [...roles, again].map(({ lines }) => lines.slice(-LINES_SHOWN)) }
  } finally {
    await world.close()
    await broker.kill()
    removeDirectory(dir)
  }
}

const untilAway = (role: UpProcess): Promise<void> =>
  until(async () => (await awaySecondsOf(role)) > 0, { everyMs: POLL_MS }).catch((cause) => {
    const is = role.isAlive ? 'runs' : 'has ended'
    throw new Error(`a role that ${is} does not report the outage; it printed:\n${role.lines.slice(-LINES_SHOWN).join('\n')}`, { cause })
  })

const readyOf = async ({ url }: UpProcess): Promise<OutageReport['ready']> => {
  const answer = await fetch(`${url}/ready`)
  const { error = '' } = (await answer.json()) as { error?: string }
  return { status: answer.status, error }
}

/** Number of folded frames as `/health` reports it; 0 while it reports none. */
const framesOf = async ({ url }: UpProcess): Promise<number> => {
  const { counters } = (await (await fetch(`${url}/health`)).json()) as { counters?: { frames: number } }
  return counters?.frames ?? 0
}

const untilReady = async (serve: UpProcess): Promise<number> => {
  const startedMs = performance.now()
  while ((await readyOf(serve)).status !== 200) {
    if (performance.now() - startedMs > READY_MS_MAX) return Number.POSITIVE_INFINITY
    await pause(POLL_MS)
  }
  return Math.round(performance.now() - startedMs)
}

const awaySecondsOf = async ({ lines }: UpProcess): Promise<number> => {
  const [, url = ''] = lines.map((line) => /metrics are on (\S+)/.exec(line)).find((match) => match !== null) ?? []
  const page = await fetch(new URL('/metrics', url)).then(
    (answer) => answer.text(),
    () => '',
  )
  return Number(/^mintfold_log_away_seconds(?:\{[^}]*\})? (\S+)$/m.exec(page)?.[1] ?? Number.NaN)
}

const stopOf = async (role: UpProcess): Promise<OutageReport['stopped'][number]> => {
  const startedMs = performance.now()
  const code = await role.stop()
  return { code, ms: Math.round(performance.now() - startedMs) }
}
