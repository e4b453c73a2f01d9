// A candidate is what is graded: a detector with one setting of its thresholds.
import type { DetectorFacts, Evidence, Settings } from '../../../processors/mint/detectors/detector.ts'
import type { Graded } from '../report-types.ts'

export interface Candidate<Rows> extends Pick<Graded, 'name' | 'detector' | 'settings' | 'isDefault'> {
  /** Pure: same rows, same answer. */
  find(rows: Rows): Evidence | undefined
}

/** Limit of settings for one detector, and for all together: each is called after every event. */
export const SETTINGS_TRIED_MAX = 1_000

/** A detector with adjustable thresholds. */
export interface Tunable<Rows> extends Pick<DetectorFacts, 'id' | 'version' | 'flag' | 'firesWhen' | 'settings'> {
  readonly hash: string | null
  readonly tier: Graded['detector']['tier']
  /** `settings`: a value for each. */
  finderOf(settings: Settings): (rows: Rows) => Evidence | undefined
}

/** A built-in detector, with its default settings. */
export const tunable = <Rows>(detector: DetectorFacts & { find(rows: Rows, settings: Settings): Evidence | undefined }): Tunable<Rows> => ({
  ...detector,
  hash: detector.hash ?? null,
  finderOf: (settings) => (rows) => detector.find(rows, settings),
})

/** Values to try, by name of the setting; `id.name` applies to one detector only. */
export type Tried = ReadonlyMap<string, readonly (number | bigint)[]>

const valuesOf = (id: string, name: string, tried: Tried): readonly (number | bigint)[] | undefined =>
  tried.get(`${id}.${name}`) ?? tried.get(name)

/** The number of settings to try for a detector. */
export const countOf = <Rows>({ id, settings }: Pick<Tunable<Rows>, 'id' | 'settings'>, tried: Tried): number =>
  Object.keys(settings).reduce((count, name) => count * (valuesOf(id, name, tried)?.length ?? 1), 1)

/** A candidate for every combination of the values to try; the default for settings without such values. */
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
