// The caller's address: that of the socket, or X-Forwarded-For from trusted proxies only.
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** Maximum number of X-Forwarded-For entries read: the last ones, which the nearest proxies wrote. */
const HOPS_MAX = 16
const PREFIX_BITS = { 4: 32, 6: 128 } as const
/** A /48 may use as much as this many /64s: customers get up to a /48, but some networks put many customers into one. */
export const SHARE_OF_48 = 4

/** A part of the address space whose use is counted. */
export interface CallerKey {
  readonly key: string
  /** Its limit, as a multiple of a caller's. */
  readonly share: number
}

/** The canonical text: IPv4 (also if mapped into IPv6), or IPv6 in full groups without zone. Undefined for anything else. */
export const canonicalAddress = (text: string): string | undefined => {
  const bare = text.replace(/%.*$/, '')
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return undefined
  const groups = groupsOf(bare)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return groups.map((group) => group.toString(16)).join(':')
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * The keys under which limits count an address, the caller's own first: an IPv4 address; of an IPv6 one its /64, which is one caller
 * because networks assign at least a /64 per customer, and its /48. @param address in canonical form.
 */
export const callerKeys = (address: string): readonly [CallerKey, ...CallerKey[]] => {
  if (!address.includes(':')) return [{ key: address, share: 1 }]
  const groups = address.split(':')
  return [
    { key: `${groups.slice(0, 4).join(':')}::/64`, share: 1 },
    { key: `${groups.slice(0, 3).join(':')}::/48`, share: SHARE_OF_48 },
  ]
}

/** Eight numbers of a valid IPv6 address. */
const groupsOf = (address: string): number[] => {
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number)
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = '', tail] = hex.split('::')
  const numbers = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return numbers(head)
  const [left, right] = [numbers(head), numbers(tail)]
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/** Strips brackets and port, which proxies may write. */
const withoutPort = (text: string): string => {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)
  if (bracketed?.[1] !== undefined) return bracketed[1]
  const ported = /^([\d.]+):\d+$/.exec(text)
  return ported?.[1] ?? text
}

/** Proxies whose X-Forwarded-For is trusted, by address or CIDR. */
export class TrustedProxies {
  readonly #list = new BlockList()
  readonly #isEmpty: boolean

  /** @param entries valid by `proxyProblem`. */
  constructor(entries: readonly string[]) {
    this.#isEmpty = entries.length === 0
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/')
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (bits === undefined) this.#list.addAddress(address, family)
      else this.#list.addSubnet(address, Number(bits), family)
    }
  }
  /** @param address in canonical form. */
  trusts(address: string): boolean {
    return !this.#isEmpty && isIP(address) !== 0 && this.#list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  /**
   * The caller's address in canonical form: the socket's, or behind trusted proxies the last forwarded address that is not a trusted proxy.
   * Entries further left in the header are ignored, because callers can forge them; an invalid entry ends the search.
   */
  callerOf(socketAddress: string, forwardedFor: string | undefined): string {
    let caller = canonicalAddress(socketAddress) ?? socketAddress
    if (forwardedFor === undefined || this.#isEmpty) return caller
    for (const hop of forwardedFor.split(',').slice(-HOPS_MAX).reverse()) {
      if (!this.trusts(caller)) return caller
      const address = canonicalAddress(withoutPort(hop.trim()))
      if (address === undefined) return caller
      caller = address
    }
    return caller
  }
}

/** What is wrong with an entry in a list of proxies; undefined if it is valid. */
export const proxyProblem = (entry: string): string | undefined => {
  const [address = '', bits, ...rest] = entry.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0 || address.includes('%')) return `${JSON.stringify(entry)} is neither an address nor a CIDR`
  if (bits === undefined) return undefined
  const bitsMax = PREFIX_BITS[family === 6 ? 6 : 4]
  return /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax ? undefined : `${JSON.stringify(entry)} has no prefix of 0 to ${bitsMax} bits`
}
