// Loads a detector from a TypeScript file, without a build step.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CurveRowsSeen } from '../../../processors/curve/detectors/detector.ts'
import type { DetectorRows } from '../../../processors/mint/detectors/detector.ts'
import { messageOf, UsageError } from '../../../schemas/errors.ts'
import { bundleOf } from './bundle.ts'
import { type Definition, definitionOf } from './definition.ts'
import { type Instance, instanceOf, type Loaded } from './instance.ts'
import { Realm } from './realm.ts'
import { checkTypes } from './type-check.ts'

type Numbers = Readonly<Record<string, number>>

interface LoadedDetector<Of extends 'mint' | 'curve', Rows> extends Pick<Definition, 'id' | 'version' | 'flag' | 'firesWhen' | 'settings'> {
  readonly path: string
  /** What it judges: mints of the primary chain, or curves of the alt chain. */
  readonly of: Of
  /** SHA-256 of its code, hex; see `Bundle.hash`. Overridden settings are not included. */
  readonly hash: string
  /** Absolute paths of the files that it is bundled from, its own first. */
  readonly sources: readonly string[]
  /** False if the types were not checked, for example because no TypeScript compiler is installed. */
  readonly isTypeChecked: boolean
  /** Its settings, with overrides. @throws UsageError for an unknown name, or a number that is not finite */
  settingsWith(given: Numbers): Numbers
  /** Evaluates its file again: instances share no state that its code can change. @throws UsageError */
  make(given?: Numbers): Instance<Rows>
}
export type MintDetectorFile = LoadedDetector<'mint', DetectorRows>
export type CurveDetectorFile = LoadedDetector<'curve', CurveRowsSeen>
export type DetectorFile = MintDetectorFile | CurveDetectorFile

/**
 * Bundles, checks and evaluates a detector file. `check`: `checkTypes`, or a function that skips the type check.
 * @throws UsageError with file, line and what to do: see `bundleOf`, `checkTypes`, `definitionOf`
 */
export const loadDetectorFile = async (path: string, check: typeof checkTypes = checkTypes): Promise<DetectorFile> => {
  const entry = resolve(path)
  const bundle = await bundleOf(entry)
  const isTypeChecked = await check(entry)
  const realm = new Realm(bundle.code)
  const loaded: Loaded = { realm, bundle }
  const definition = firstOf(loaded, entry)
  const { of, id, version, flag, firesWhen, settings } = definition
  const settingsWith = (given: Numbers): Numbers => merged(definition, given, entry)
  const facts = {
    path: entry,
    id,
    version,
    flag,
    firesWhen,
    settings,
    hash: bundle.hash,
    sources: bundle.sources,
    isTypeChecked,
    settingsWith,
  }
  const make = <Rows extends { readonly position: DetectorRows['position'] }>(given: Numbers = {}): Instance<Rows> =>
    instanceOf<Rows>(loaded, realm.evaluate() as Definition, settingsWith(given))
  return of === 'mint' ? { ...facts, of, make } : { ...facts, of, make }
}

const firstOf = ({ realm, bundle }: Loaded, entry: string): Definition => {
  let exported: unknown
  try {
    exported = realm.evaluateFirst()
  } catch (thrown) {
    const violation = realm.takeViolation()
    const [line = 0, column = 0] = (violation?.location ?? realm.placeOf(thrown)).split(':').map(Number)
    throw new UsageError(`${bundle.placeOf(line, column) ?? entry}: ${violation?.message ?? messageOf(thrown)}`)
  }
  const violation = realm.takeViolation()
  if (violation !== undefined) throw new UsageError(`${entry}: ${violation.message}`)
  return definitionOf(exported, entry, readFileSync(entry, 'utf8'))
}

const merged = ({ id, settings }: Definition, given: Numbers, path: string): Numbers => {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(settings, name))
      throw new UsageError(`${path}: detector ${id} has no setting ${name}; it has ${Object.keys(settings).join(', ') || 'none'}`)
    if (!Number.isFinite(value)) throw new UsageError(`${path}: the setting ${name} must be a finite number, not ${value}`)
  }
  return { ...settings, ...given }
}
