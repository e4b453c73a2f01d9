// Related resources of a card: only what this service serves is named, everything else is null with a reason.

const TARGETS = {
  creator: '/v1/creator/{address}',
  wallet: '/v1/wallet/{address}',
  regime: '/v1/market/regime',
  rugs: '/v1/rugs/recent',
  launches: '/v1/launches/recent',
} as const
type Link = keyof typeof TARGETS
/** Those that lead to something of the creator. */
const OF_CREATOR: ReadonlySet<Link> = new Set(['creator', 'wallet'])

const REASONS: Readonly<Record<'both' | 'creator' | 'routes', string>> = {
  both: 'null: the creator is not known, or this version does not serve the route yet',
  creator: 'null: the creator is not known',
  routes: 'null: this version does not serve the route yet',
}

/** JSON text of `next`; `creator` in base58, null where it is not known. */
export const linksText = (names: readonly Link[], creator: string | null, serves: (path: string) => boolean): string => {
  const links: Record<string, string | null> = {}
  for (const name of names) links[name] = pathOf(name, creator, serves)
  const nulls = names.filter((name) => links[name] === null)
  if (nulls.length > 0) links.next_reason = reasonOf(nulls, creator)
  return JSON.stringify(links)
}

const pathOf = (name: Link, creator: string | null, serves: (path: string) => boolean): string | null => {
  const target = TARGETS[name]
  if (!serves(target)) return null
  return OF_CREATOR.has(name) ? creator && target.replace('{address}', creator) : target
}

const reasonOf = (nulls: readonly Link[], creator: string | null): string => {
  if (creator !== null || !nulls.some((name) => OF_CREATOR.has(name))) return REASONS.routes
  return nulls.every((name) => OF_CREATOR.has(name)) ? REASONS.creator : REASONS.both
}
