// Fields of a card by dotted path, and those that no query derives, each with why.

export type Card = Readonly<Record<string, unknown>>

/** Prefixes of paths. */
export const NOT_DERIVED: Readonly<Record<string, string>> = {
  mint: 'the key by which both ways are held together',
  name: 'the text of the launch, cleaned by code that both ways would share',
  symbol: 'as name',
  coverage:
    'only full cards are compared, and thin ones by what they last saw: which they are is judged by gaps of the capture, tested on its own',
  why: 'sentences made of the fields that are compared',
  'holders.entities': 'wallets are joined over any number of steps (union-find): no set of rows in SQL',
}

const listOf = (list: unknown, item: (one: Card) => unknown): unknown => (list as readonly Card[]).map(item)

/** What a row says where a card has it otherwise: lists of records are lists of their values. */
export const SHAPES: Readonly<Record<string, (card: Card) => unknown>> = {
  rug_flags: ({ rug_flags: flags }) => listOf(flags, ({ flag, first_seen_at, position }) => [flag, first_seen_at, position]),
  findings: ({ rug_flags: flags }) =>
    listOf(flags, (flag) => [flag.finding_id, flag.flag, flag.detector_id, flag.detector_version, JSON.stringify(flag.evidence)]),
  creator_changes: ({ creator_changes: changes }) => listOf(changes, ({ creator, kind, at, position }) => [creator, kind, at, position]),
  'holders.insiders': ({ holders }) =>
    listOf((holders as Card).insiders, ({ wallet, rules, tokens_share }) => [wallet, rules, tokens_share]),
}

/** A field by its path; null inside of what is null. */
export const fieldOf = (card: Card, path: string, shapes: typeof SHAPES): unknown => {
  const shape = shapes[path]
  if (shape !== undefined) return shape(card)
  let at: unknown = card
  for (const name of path.split('.')) at = at === null || at === undefined ? null : (at as Card)[name]
  return at ?? null
}

/** Paths of everything that a card says, reasons left out; a list is one field. */
export const pathsOf = (card: Card, before = ''): string[] =>
  Object.entries(card).flatMap(([name, value]) => {
    if (name.endsWith('_reason')) return []
    const isBlock = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isBlock ? pathsOf(value as Card, `${before}${name}.`) : [`${before}${name}`]
  })
