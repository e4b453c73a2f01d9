// Resolves a target's name by DNS for each connection and checks every address. The connection goes to one of the checked addresses, which
// prevents DNS rebinding.
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isLoopback } from '../../../topology/ports/loopback.ts'
import { alertLimits } from '../limits.ts'
import { isPublicAddress } from './addresses.ts'
import type { TargetRules } from './target-url.ts'

/** All addresses of a name, IPv4 first; empty if it has none or no server responds. Never rejects. */
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
  /** At least one of its addresses is not public. */
  | { readonly kind: 'forbidden' }

/** @param host valid by `urlProblem`. */
export const resolveTarget = async (host: string, resolve: Resolve, { allowsLoopback }: TargetRules): Promise<Resolved> => {
  if (allowsLoopback && isLoopback(host)) return { kind: 'public', addresses: ['127.0.0.1'] }
  const addresses = await resolve(host)
  if (addresses.length === 0) return { kind: 'unknown' }
  return addresses.every(isPublicAddress) ? { kind: 'public', addresses } : { kind: 'forbidden' }
}

/** Error codes of connections to a name with a forbidden address, and to one without addresses. */
export const FORBIDDEN_CODE = 'TARGET_FORBIDDEN'
export const UNKNOWN_CODE = 'TARGET_UNKNOWN'
const errorOf = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code })

/** The lookup function for connections: returns checked addresses only. Literal addresses are not looked up: `urlProblem` checks them. */
export const guardedLookup =
  (resolve: Resolve, rules: TargetRules): LookupFunction =>
  (host, { all }, done) => {
    const respond = (resolved: Resolved): void => {
      const addresses = resolved.kind === 'public' ? resolved.addresses : []
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      if (resolved.kind !== 'public') done(errorOf(resolved.kind === 'forbidden' ? FORBIDDEN_CODE : UNKNOWN_CODE), '', 0)
      else if (all === true) done(null, found)
      else done(null, found[0]?.address ?? '', found[0]?.family)
    }
    resolveTarget(host.replace(/\.$/, ''), resolve, rules).then(respond, () => done(errorOf(UNKNOWN_CODE), '', 0))
  }
