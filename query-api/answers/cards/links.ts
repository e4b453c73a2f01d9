// Related resources of a card: only served routes; all others are null with a reason.

const TARGETS = {
  creator: '/v1/creator/{address}',
  wallet: '/v1/wallet/{address}',
  regime: '/v1/market/regime',
  rugs: '/v1/rugs/recent',
  launches: '/v1/launches/recent',
} as const
type Link = keyof typeof TARGETS
/** Links to the wallet that launched. */
const OF_LAUNCHER: ReadonlySet<Link> = new Set(['creator', 'wallet'])

const NOT_SERVED = 'this version does not serve the route yet'
const NO_LAUNCHER = 'the launching wallet is not known'

/** JSON text of `next`. @param launcher the launching wallet in base58; null if not known. */
export const linksText = (names: readonly Link[], launcher: string | null, serves: (path: string) => boolean): string => {
  const links: Record<string, string | null> = {}
  for (const name of names) {
    const target = TARGETS[name]
    const path = OF_LAUNCHER.has(name) ? launcher && target.replace('{address}', launcher) : target
    links[name] = serves(target) ? path : null
    if (links[name] === null) links[`${name}_reason`] = serves(target) ? NO_LAUNCHER : NOT_SERVED
  }
  return JSON.stringify(links)
}
