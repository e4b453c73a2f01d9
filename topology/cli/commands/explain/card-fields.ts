// The fields of cards: which exist, which do not follow from the events of one coin, and suggestions for an unknown name.
import { labelsOf } from '../../../../query-api/discovery/labels.ts'
import { nearest } from '../../../../query-api/questions/nearest.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { labelOf, parsePath, type Step } from '../../../operations/explain/field-path.ts'
import { UsageError } from '../../command.ts'

/** A card, by its group name in `/v1/labels`. */
export type CardName = 'mint' | 'curve'

const FINALITY = 'it is the finality of the slot and depends only on the chain'
/** Fields added when a card is sent or read from elsewhere: no event of the coin changes them. */
const NOT_OF_EVENTS: Readonly<Record<string, string>> = {
  confidence: 'it follows from coverage, demand.n_buys, demand.n_sells and the lag of the feed when the card is sent',
  base_rates: 'it covers all launches of seven days and is computed each minute from the history: query the history with mintfold sql',
  next: 'they are links that follow from the fields of the card when it is sent: use creator_prior_of or rug_flags',
  onchain: 'it is read from accounts of the chain when a thin card is sent, not from events',
  'rug_flags[].finality': FINALITY,
  'findings[].finality': FINALITY,
}

/** Fields that also depend on messages from other keys, which arrive at the ticks of later slots. */
const OF_OTHER_KEYS: Readonly<Record<CardName, readonly string[]>> = {
  mint: [
    ...['creator_prior_at_launch', 'creator_prior', 'creator_prior_of', 'warm_launch', 'risk_label', 'why'],
    ...['holders.insiders', 'holders.insider_share', 'holders.n_insider_wallets', 'holders.entities', 'holders'],
  ],
  curve: ['deployer_prior_at_launch'],
}

/** True for the field itself, its parts, and its reason. */
const isWithin = (label: string, field: string): boolean =>
  label === field || label === `${field}_reason` || label.startsWith(`${field}.`) || label.startsWith(`${field}[`)
/** `holders` as a whole includes the dependent parts; its other parts alone do not depend on other keys. */
const movesWithOthers = (label: string, field: string): boolean => (field === 'holders' ? label === field : isWithin(label, field))

export interface CardField {
  readonly path: readonly Step[]
  readonly label: string
  /** Why no event of the coin explains it; null if events do. */
  readonly unexplained: string | null
  /** True if other keys change it too: the whole tape must be folded. */
  readonly isOfOtherKeys: boolean
}

/** Names of `/v1/labels` and their prefixes. */
const fieldsOf = (card: CardName): ReadonlySet<string> => {
  const labels = Object.keys(labelsOf(LAUNCH_RISK.detectors).fields[card])
  const whole = labels.flatMap((label) => {
    const parts = label.split('.')
    return parts.map((_, n) => parts.slice(0, n + 1).join('.'))
  })
  return new Set(whole)
}

/** @throws UsageError, with the nearest names, if the card has no such field */
export const cardFieldOf = (text: string, card: CardName): CardField => {
  const path = parsePath(text)
  const fields = fieldsOf(card)
  const label = path && labelOf(path)
  if (path === undefined || label === undefined || !isField(label, fields)) throw new UsageError(wrongWords(text, card, fields))
  const unexplained = Object.entries(NOT_OF_EVENTS).find(([field]) => isWithin(label, field))?.[1] ?? null
  return { path, label, unexplained, isOfOtherKeys: OF_OTHER_KEYS[card].some((field) => movesWithOthers(label, field)) }
}

/** The parts of these fields depend on detectors and routers, so the labels do not list the parts. */
const OPEN: readonly string[] = ['rug_flags[].evidence', 'findings[].evidence', 'structure.routes']

/** A nullable field has its reason next to it. */
const isField = (label: string, fields: ReadonlySet<string>): boolean =>
  fields.has(label) ||
  fields.has(`${label}[]`) ||
  fields.has(label.replace(/\[\]$/, '')) ||
  fields.has(label.replace(/_reason$/, '')) ||
  OPEN.some((field) => fields.has(field) && label.startsWith(`${field}.`))

const NEAREST_MAX = 3

const wrongWords = (text: string, card: CardName, fields: ReadonlySet<string>): string => {
  const { fields: groups } = labelsOf(LAUNCH_RISK.detectors)
  const other = Object.entries(groups).find(([name, group]) => name !== card && text in group)?.[0]
  const near = nearestFields(text, [...fields])
  const hint = near.length === 0 ? '/v1/labels lists all fields' : `did you mean ${near.join(', ')}?`
  if (other !== undefined) return `${text} is a field of the answer ${other}, not of a card: why explains only fields of cards; ${hint}`
  return `the card of a ${card} has no field ${text}: ${hint}`
}

/** Fields with the same last name, then those with the nearest path or, if no path is near, the nearest last name. */
const nearestFields = (text: string, fields: readonly string[]): readonly string[] => {
  const last = (path: string): string => path.split('.').at(-1) ?? ''
  const found: string[] = fields.filter((field) => last(field) === last(text))
  for (let rest = fields.filter((field) => !found.includes(field)); found.length < NEAREST_MAX; ) {
    const near = nearest(text, rest) ?? nearestByLast(last(text), rest)
    if (near === undefined) break
    found.push(near)
    rest = rest.filter((field) => field !== near)
  }
  return found.slice(0, NEAREST_MAX)
}
const nearestByLast = (name: string, fields: readonly string[]): string | undefined => {
  const names = fields.map((field) => field.split('.').at(-1) ?? '')
  const near = nearest(name, names)
  return near === undefined ? undefined : fields[names.indexOf(near)]
}
