// What is graded: a detector with one setting of its thresholds.
import type { DetectorFacts, Evidence, Settings } from '../../../processors/mint/detectors/detector.ts'
import type { Graded } from '../report-types.ts'

export interface Candidate<Rows> extends Pick<Graded, 'name' | 'detector' | 'settings' | 'isDefault'> {
  /** Pure: same rows, same answer. */
  find(rows: Rows): Evidence | undefined
}

/** Settings tried of one detector at most, and of all together: each is asked after every event. */
export const SETTINGS_TRIED_MAX = 1_000

/** A detector whose thresholds may be set otherwise. */
export interface Tunable<Rows> extends Pick<DetectorFacts, 'id' | 'version' | 'flag' | 'firesWhen' | 'settings'> {
  readonly hash: string | null
  readonly tier: Graded['detector']['tier']
  /** `settings`: all of them. */
  finderOf(settings: Settings): (rows: Rows) => Evidence | undefined
}

/** As shipped. */
export const tunable = <Rows>(detector: DetectorFacts & { find(rows: Rows, settings: Settings): Evidence | undefined }): Tunable<Rows> => ({
  ...detector,
  hash: detector.hash ?? null,
  finderOf: (settings) => (rows) => detector.find(rows, settings),
})

/** Values to try of a setting by its name; `id.name` means that of one detector alone. */
export type Tried = ReadonlyMap<string, readonly (number | bigint)[]>

const valuesOf = (id: string, name: string, tried: Tried): readonly (number | bigint)[] | undefined =>
  tried.get(`${id}.${name}`) ?? tried.get(name)

/** How many settings are tried of it. */
export const countOf = <Rows>({ id, settings }: Pick<Tunable<Rows>, 'id' | 'settings'>, tried: Tried): number =>
  Object.keys(settings).reduce((count, name) => count * (valuesOf(id, name, tried)?.length ?? 1), 1)

/** Each of its settings in turn: every combination of what is tried, the default where nothing is. */
export const candidatesOf = <Rows>(of: Tunable<Rows>, tried: Tried): readonly Candidate<Rows>[] => {
  const { id, version, hash, tier, flag, firesWhen, settings: defaults } = of
  let all: Settings[] = [{}]
  for (const [name, value] of Object.entries(defaults)) {
    const values = valuesOf(id, name, tried) ?? [value]
    all = all.flatMap((settings) => values.map((one) => ({ ...settings, [name]: one })))
  }
  return all.map((settings) => {
    const entries = Object.entries(settings)
    const words = entries.filter(([name]) => valuesOf(id, name, tried) !== undefined)
    return {
      name: [id, ...words.map(([name, value]) => `${name}=${value}`)].join(' '),
      detector: { id, version, hash, tier, flag, firesWhen },
      settings: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
      isDefault: entries.every(([name, value]) => value === defaults[name]),
      find: of.finderOf(settings),
    }
  })
}
