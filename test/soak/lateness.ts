// Finds the seconds in which a product was too late, and those of them that the machine explains.
import type { Reading } from './gauges.ts'

export const LAG_MS_MAX = 2_000
/**
 * On a shared machine a late second counts only if, around it, the main thread waited little for a processor and the host took little
 * processor time. The time in which the disk stood still is reported but excuses nothing: the product may be the cause.
 */
const STARVED_SHARE_MAX = 0.2
const STOLEN_SHARE_MAX = 0.05
/** Seconds around a late one: a backlog takes a while to work off, and the host's disk is slow some seconds before processors are short. */
const BEFORE_S = 30
const AFTER_S = 10
const WORDS_MAX = 200

/** One second. */
export interface Second extends Pick<Reading, 'nowS' | 'lagMsMax' | 'loopMsMax' | 'starvedMs' | 'stolenMs'> {
  /** Time in which the disk stood still. */
  readonly diskStillMs: number
}

export interface Lateness {
  /** Seconds over the limit. */
  readonly all: number
  /** Those of them that the machine does not explain. */
  readonly own: number
  /** The first 200 of all, as text. */
  readonly late: readonly string[]
}

/** @param seconds consecutive seconds */
export const latenessOf = (seconds: readonly Second[]): Lateness => {
  const late = seconds.flatMap((second, i) => {
    if (second.lagMsMax <= LAG_MS_MAX) return []
    const around = seconds.slice(Math.max(0, i - BEFORE_S), i + AFTER_S + 1)
    const starved = shareOf(around.map(({ starvedMs }) => starvedMs))
    const stolen = shareOf(around.map(({ stolenMs }) => stolenMs))
    // The oldest slot that is late now was due this many seconds ago.
    const stillMs = Math.round(
      sumOf(seconds.slice(Math.max(0, i - Math.ceil(second.lagMsMax / 1_000)), i + 1).map((one) => one.diskStillMs)),
    )
    const isOwn = starved <= STARVED_SHARE_MAX && stolen <= STOLEN_SHARE_MAX
    const missing = `starved ${Math.round(starved * 100)} %, stolen ${Math.round(stolen * 100)} %, disk still ${stillMs} ms`
    const at = new Date(second.nowS * 1_000).toISOString()
    return [{ isOwn, text: `${at} lag ${second.lagMsMax} ms, loop ${second.loopMsMax} ms, ${missing}${isOwn ? ', own' : ''}` }]
  })
  return { all: late.length, own: late.filter(({ isOwn }) => isOwn).length, late: late.slice(0, WORDS_MAX).map(({ text }) => text) }
}

const sumOf = (ms: readonly number[]): number => ms.reduce((sum, one) => sum + one, 0)
const shareOf = (ms: readonly number[]): number => sumOf(ms) / (ms.length * 1_000)
