// Names of targets to addresses: asked of the name servers themselves, and every address is judged, at each connection anew. The connection
// goes to an address that was judged, so that a name that changes its answer gains nothing.
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isLoopback } from '../../../topology/ports/loopback.ts'
import { alertLimits } from '../limits.ts'
import { isPublicAddress } from './addresses.ts'
import type { TargetRules } from './target-url.ts'

/** All addresses of a name, IPv4 first; none where it has none or nobody answers. Never rejects. */
export type Resolve = (host: string) => Promise<readonly string[]>

export const resolveByDns = (): Resolve => {
  const resolver = new Resolver({ timeout: alertLimits.dnsMsMax, tries: 2 })
  return async (host) => {
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  }
}

export type Resolved =
  | { readonly kind: 'public'; readonly addresses: readonly string[] }
  | { readonly kind: 'unknown' }
  /** At least one of its addresses is no public one. */
  | { readonly kind: 'forbidden' }

/** Of a name that `urlProblem` finds nothing wrong with. */
export const resolveTarget = async (host: string, resolve: Resolve, { allowsLoopback }: TargetRules): Promise<Resolved> => {
  if (allowsLoopback && isLoopback(host)) return { kind: 'public', addresses: ['127.0.0.1'] }
  const addresses = await resolve(host)
  if (addresses.length === 0) return { kind: 'unknown' }
  return addresses.every(isPublicAddress) ? { kind: 'public', addresses } : { kind: 'forbidden' }
}

/** Codes of the errors that a refused or unknown name ends a connection with. */
export const FORBIDDEN_CODE = 'TARGET_FORBIDDEN'
export const UNKNOWN_CODE = 'TARGET_UNKNOWN'
const failing = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code })

/** For connections: gives judged addresses alone. Hosts that are addresses are never looked up: `urlProblem` judges them. */
export const guardedLookup =
  (resolve: Resolve, rules: TargetRules): LookupFunction =>
  (host, { all }, done) => {
    const told = (resolved: Resolved): void => {
      const addresses = resolved.kind === 'public' ? resolved.addresses : []
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      if (resolved.kind !== 'public') done(failing(resolved.kind === 'forbidden' ? FORBIDDEN_CODE : UNKNOWN_CODE), '', 0)
      else if (all === true) done(null, found)
      else done(null, found[0]?.address ?? '', found[0]?.family)
    }
    resolveTarget(host.replace(/\.$/, ''), resolve, rules).then(told, () => done(failing(UNKNOWN_CODE), '', 0))
  }
