// The kill rate of the guards on detectors of one's own, over many seeds.
import { isEffective, type Judged, killed } from '../fixtures/planted-detectors/killed.ts'

export interface GuardsReport {
  readonly seeds: number
  /** Planted cheats that have an effect on the calls of their market, and those that have none, which count as nothing. */
  readonly cheats: number
  readonly withoutEffect: number
  readonly honest: number
  /** Cheats that passed, and honest detectors that did not, with their source; there must be none. */
  readonly missed: readonly string[]
  readonly accused: readonly string[]
}

const shown = (seed: number, { kind, words, source }: Judged): string => `seed ${seed}, ${kind}: ${words}\n${source}`

/** From `seed` on, so many seeds, each with a market and detectors of its own; each takes some seconds. */
export const runDetectorGuards = async (seeds: number, seed: number, say: (line: string) => void): Promise<GuardsReport> => {
  const counts = { cheats: 0, withoutEffect: 0, honest: 0 }
  const [missed, accused]: [string[], string[]] = [[], []]
  for (let one = seed; one < seed + seeds; one++) {
    const judged = await killed({ seed: one, market: { seed: one, rate: 20, seconds: 80 + (one % 5) * 20 }, cheats: 20, honest: 200 })
    for (const each of judged) {
      if (each.kind === 'honest') counts.honest++
      else if (isEffective(each)) counts.cheats++
      else counts.withoutEffect++
      if (each.kind === 'honest' && each.is !== 'passed') accused.push(shown(one, each))
      if (each.kind !== 'honest' && each.is === 'passed' && isEffective(each)) missed.push(shown(one, each))
    }
    say(`seed ${one}: ${counts.cheats} cheats, ${missed.length} missed; ${counts.honest} honest, ${accused.length} accused`)
  }
  return { seeds, ...counts, missed, accused }
}
