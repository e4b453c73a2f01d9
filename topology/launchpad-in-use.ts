// The curve launchpad of this process: the deployed one, or addresses from the settings. Topologies are values that every module imports,
// so that its sets are filled in place, by each thread before it opens anything.
import { createHash } from 'node:crypto'
import { type Launchpad, PONS_V2 } from '../processors/chains/alt/launchpad.ts'
import { keyText, mustHexKey } from '../schemas/keys.ts'

/** Addresses as given in settings and passed to threads; null: those of the deployed launchpad. Hex addresses in any case. */
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
 * Null: the deployed addresses. Call it before anything is folded or read: stores and frames of different addresses must not be mixed in
 * one process.
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

/** Independent of the order of the addresses. */
const digestOf = (launchpad: Launchpad): string => {
  const said = [[...launchpad.factories].map(keyText).sort(), [...launchpad.routers].map(([at, name]) => `${keyText(at)} ${name}`).sort()]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16)
}
