// The kill rate of the guards on user-defined detectors, over many seeds.
import { isEffective, type Judged, killed } from '../fixtures/planted-detectors/killed.ts'

export interface GuardsReport {
  readonly seeds: number
  /** Planted cheats that affect the calls of their market. */
  readonly cheats: number
  /** Planted cheats that do not; they are ignored. */
  readonly withoutEffect: number
  readonly honest: number
  /** Cheats with an effect that passed, with their source; must be empty. */
  readonly missed: readonly string[]
  /** Honest detectors that did not pass, with their source; must be empty. */
  readonly accused: readonly string[]
}

const shown = (seed: number, { kind, reason, source }: Judged): string => `seed ${seed}, ${kind}: ${reason}\n${source}`

/** Runs this many seeds from `seed` on, each with its own market and detectors; each takes some seconds. */
export const runDetectorGuards = async (seeds: number, seed: number, print: (line: string) => void): Promise<GuardsReport> => {
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
    print(`seed ${one}: ${counts.cheats} cheats, ${missed.length} missed; ${counts.honest} honest, ${accused.length} accused`)
  }
  return { seeds, ...counts, missed, accused }
}
