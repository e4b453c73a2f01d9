// Which addresses a target may have: those that the whole internet routes to one place. Everything else could be something behind the
// firewall of this machine.
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IANA special-purpose registry of IPv4, multicast, and what is reserved. */
const NOT_PUBLIC_4: readonly (readonly [network: string, bits: number])[] = [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
  ] as const),
  ...([
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.31.196.0', 24],
    ['192.52.193.0', 24],
    ['192.88.99.0', 24],
  ] as const),
  ...([
    ['192.168.0.0', 16],
    ['192.175.48.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
  ] as const),
  ...([
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
]
/** Of IPv6 only 2000::/3 is global unicast: mapped, loopback, NAT64, unique local, link-local and multicast addresses lie outside of it. */
const GLOBAL_6 = ['2000::', 3] as const
/** In it: protocol assignments with Teredo and ORCHID, documentation, 6to4, and documentation again. */
const NOT_PUBLIC_6: readonly (readonly [network: string, bits: number])[] = [
  ...([
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['2620:4f:8000::', 48],
    ['3fff::', 20],
  ] as const),
]

const listOf = (networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [network, bits] of networks) list.addSubnet(network, bits, family)
  return list
}
const notPublic4 = listOf(NOT_PUBLIC_4, 'ipv4')
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6')
const global6 = listOf([GLOBAL_6], 'ipv6')

/** False also for what is no address, or has a zone. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !notPublic4.check(address, 'ipv4')
  return isIPv6(address) && !address.includes('%') && global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}
