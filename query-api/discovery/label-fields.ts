// The meanings of fields as `/v1/labels` publishes them: by the object that has the field, and each once.
import { SCHEMAS_PATH } from './linked.ts'

type Meanings = Readonly<Record<string, string>>

/** Groups that `/v1/labels` links, by the answer whose schema has the same meanings. */
const LINKED: Readonly<Record<string, string>> = {
  radar: 'PreviewAnswer',
  curve_regime: 'AltRegimeAnswer',
  alert_receipt: 'AlertAnswer',
  alert: 'AlertMessage',
  regime: 'RegimeAnswer',
  calibration: 'CalibrationAnswer',
  track_record: 'TrackRecordAnswer',
  outcomes: 'OutcomesAnswer',
  odds_proof: 'OddsProofAnswer',
  watch: 'WatchAnswer',
  coverage: 'CheckCoverageAnswer',
  evidence: 'EvidenceAnswer',
  health: 'HealthAnswer',
}
export const HOW_TO_READ =
  'fields: by object, named by its group and path (mint.holders: holders of a risk card; [] stands for each item). "as NAME": what the object NAME states for the same field, or for the same fields and those of the objects in them. A path: the JSON Schema that has the meanings of the group'

/** `mint` and `holders.hhi` is the field `hhi` of `mint.holders`. */
const placed = (group: string, path: string): readonly [object: string, field: string] => {
  const dot = path.lastIndexOf('.')
  return dot < 0 ? [group, path] : [`${group}.${path.slice(0, dot)}`, path.slice(dot + 1)]
}

/** @param groups meanings by dotted path, by group. */
export const publishedFields = (groups: Readonly<Record<string, Meanings>>): Readonly<Record<string, string | Meanings>> => {
  const objects: Record<string, Record<string, string>> = {}
  for (const [group, meanings] of Object.entries(groups))
    for (const [path, meaning] of Object.entries(group in LINKED ? {} : meanings)) {
      const [object, field] = placed(group, path)
      objects[object] = { ...objects[object], [field]: meaning }
    }
  const known = new Map<string, string>()
  /** Its meaning, or a shorter reference to the object that has stated the same first. */
  const once = <Value>(key: string, value: Value, object: string): Value | string => {
    const first = `as ${known.get(key) ?? object}`
    if (!known.has(key)) known.set(key, object)
    return first !== `as ${object}` && first.length < key.length ? first : value
  }
  const stated = new Map<string, string | Meanings>()
  for (const [object, meanings] of Object.entries(objects)) {
    const whole = once(JSON.stringify(meanings), meanings, object)
    const each = () => Object.fromEntries(Object.entries(meanings).map(([field, text]) => [field, once(field + text, text, object)]))
    stated.set(object, typeof whole === 'string' ? whole : each())
  }
  /** Whether the reference of the object around it says the same. */
  const isImplied = ([object, value]: readonly [string, string | Meanings]): boolean => {
    const dot = object.lastIndexOf('.')
    return value === `${String(stated.get(object.slice(0, dot)))}${object.slice(dot)}`
  }
  const links = Object.entries(LINKED).map(([group, name]) => [group, `${SCHEMAS_PATH}${name}.json`])
  return { ...Object.fromEntries([...stated].filter((one) => !isImplied(one))), ...Object.fromEntries(links) }
}
