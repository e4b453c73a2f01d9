// Fields of a card by dotted path, and the fields that no query derives, with reasons.

export type Card = Readonly<Record<string, unknown>>

/** The reason for each field that no query derives, by the path of the field or of its block. */
export const NOT_DERIVED: Readonly<Record<string, string>> = {
  mint: 'the key by which cards and rows are matched',
  name: 'the text of the launch, cleaned by code that both ways would share',
  symbol: 'as name',
  coverage:
    'full cards are compared, and thin ones by last_seen; the choice between them depends on gaps of the capture, which have their own tests',
  why: 'sentences generated from fields that are compared',
  'holders.entities': 'wallets are joined over any number of steps (union-find), which SQL cannot express as a set of rows',
}

const listOf = (list: unknown, item: (one: Card) => unknown): unknown => (list as readonly Card[]).map(item)

/** Converts card fields to the form of rows: a list of records becomes a list of lists of values. */
export const SHAPES: Readonly<Record<string, (card: Card) => unknown>> = {
  rug_flags: ({ rug_flags: flags }) => listOf(flags, ({ flag, first_seen_at, position }) => [flag, first_seen_at, position]),
  findings: ({ rug_flags: flags }) =>
    listOf(flags, (flag) => [flag.finding_id, flag.flag, flag.detector_id, flag.detector_version, JSON.stringify(flag.evidence)]),
  creator_changes: ({ creator_changes: changes }) => listOf(changes, ({ creator, kind, at, position }) => [creator, kind, at, position]),
  'holders.insiders': ({ holders }) =>
    listOf((holders as Card).insiders, ({ wallet, rules, tokens_share }) => [wallet, rules, tokens_share]),
}

/** A field by its path; null if a block on the path is null. */
export const fieldOf = (card: Card, path: string, shapes: typeof SHAPES): unknown => {
  const shape = shapes[path]
  if (shape !== undefined) return shape(card)
  let at: unknown = card
  for (const name of path.split('.')) at = at === null || at === undefined ? null : (at as Card)[name]
  return at ?? null
}

/** Paths of all fields of a card without reasons; a list is one field. */
export const pathsOf = (card: Card, before = ''): string[] =>
  Object.entries(card).flatMap(([name, value]) => {
    if (name.endsWith('_reason')) return []
    const isBlock = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isBlock ? pathsOf(value as Card, `${before}${name}.`) : [`${before}${name}`]
  })
