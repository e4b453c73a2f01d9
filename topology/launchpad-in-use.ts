// The launchpad of curves that this process works with: the deployed one, or the addresses that settings name. Topologies are values that
// everything imports, so its sets are filled in place, by each thread before it opens anything.
import { createHash } from 'node:crypto'
import { type Launchpad, PONS_V2 } from '../processors/chains/alt/launchpad.ts'
import { keyText, mustHexKey } from '../schemas/keys.ts'

/** As settings name them, and threads are given them; null: those of the deployed launchpad. Hex addresses in any case. */
export interface LaunchpadAddresses {
  readonly factories: readonly string[] | null
  /** Name by address. */
  readonly routers: Readonly<Record<string, string>> | null
}

const factories = new Set(PONS_V2.factories)
const routers = new Map(PONS_V2.routers)
let make: string | null = null

export const LAUNCHPAD: Launchpad = {
  ...PONS_V2,
  factories,
  routers,
  get make() {
    return make
  },
}

/**
 * Null: those that are deployed. Call it before anything is folded or followed: stores and frames of other addresses are not mixed with
 * what is at work.
 */
export const useLaunchpad = (addresses: LaunchpadAddresses | null): void => {
  factories.clear()
  for (const factory of addresses?.factories?.map(mustHexKey) ?? PONS_V2.factories) factories.add(factory)
  routers.clear()
  const named = addresses?.routers && Object.entries(addresses.routers).map(([at, name]) => [mustHexKey(at), name] as const)
  for (const [router, name] of named ?? PONS_V2.routers) routers.set(router, name)
  const is = digestOf(LAUNCHPAD)
  make = is === digestOf(PONS_V2) ? null : is
}

/** Whatever the order in which they are named. */
const digestOf = (launchpad: Launchpad): string => {
  const said = [[...launchpad.factories].map(keyText).sort(), [...launchpad.routers].map(([at, name]) => `${keyText(at)} ${name}`).sort()]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16)
}
