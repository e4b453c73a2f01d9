// In which seconds a product was too late, and for which of them the machine is to blame.
import type { Reading } from './gauges.ts'

export const LAG_MS_MAX = 2_000
/**
 * On a machine that others use too, a second counts only where, around it, the main thread had waited little for a processor and the
 * machine's host had given little of the processors to others. How long the disk had stood still is told and excuses nothing: the product
 * may be why.
 */
const STARVED_SHARE_MAX = 0.2
const STOLEN_SHARE_MAX = 0.05
/** What has piled up is worked off for a while; and the host's disk is slow some seconds before its processors are short. */
const BEFORE_S = 30
const AFTER_S = 10
const WORDS_MAX = 200

/** One second. */
export interface Second extends Pick<Reading, 'nowS' | 'lagMsMax' | 'loopMsMax' | 'starvedMs' | 'stolenMs'> {
  /** For so long the disk stood still. */
  readonly diskStillMs: number
}

export interface Lateness {
  /** Seconds over the limit. */
  readonly all: number
  /** Of these, the ones for which the machine is not to blame. */
  readonly own: number
  /** The first of them, in words. */
  readonly late: readonly string[]
}

/** @param seconds one after another. */
export const latenessOf = (seconds: readonly Second[]): Lateness => {
  const late = seconds.flatMap((second, i) => {
    if (second.lagMsMax <= LAG_MS_MAX) return []
    const around = seconds.slice(Math.max(0, i - BEFORE_S), i + AFTER_S + 1)
    const starved = shareOf(around.map(({ starvedMs }) => starvedMs))
    const stolen = shareOf(around.map(({ stolenMs }) => stolenMs))
    // Of what was late now, the oldest came so many seconds ago.
    const stillMs = Math.round(
      sumOf(seconds.slice(Math.max(0, i - Math.ceil(second.lagMsMax / 1_000)), i + 1).map((one) => one.diskStillMs)),
    )
    const isOwn = starved <= STARVED_SHARE_MAX && stolen <= STOLEN_SHARE_MAX
    const missing = `starved ${Math.round(starved * 100)} %, stolen ${Math.round(stolen * 100)} %, disk still ${stillMs} ms`
    const at = new Date(second.nowS * 1_000).toISOString()
    return [{ isOwn, words: `${at} lag ${second.lagMsMax} ms, loop ${second.loopMsMax} ms, ${missing}${isOwn ? ', own' : ''}` }]
  })
  return { all: late.length, own: late.filter(({ isOwn }) => isOwn).length, late: late.slice(0, WORDS_MAX).map(({ words }) => words) }
}

const sumOf = (ms: readonly number[]): number => ms.reduce((sum, one) => sum + one, 0)
const shareOf = (ms: readonly number[]): number => sumOf(ms) / (ms.length * 1_000)
