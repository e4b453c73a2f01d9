// Related resources of a card: only what this service serves is named, everything else is null with a reason.

const TARGETS = {
  creator: '/v1/creator/{address}',
  regime: '/v1/market/regime',
  rugs: '/v1/rugs/recent',
  launches: '/v1/launches/recent',
} as const
type Link = keyof typeof TARGETS

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
  return name === 'creator' ? creator && target.replace('{address}', creator) : target
}

const reasonOf = (nulls: readonly Link[], creator: string | null): string => {
  if (creator !== null || !nulls.includes('creator')) return REASONS.routes
  return nulls.length === 1 ? REASONS.creator : REASONS.both
}
