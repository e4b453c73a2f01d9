// The allowed addresses of targets: globally routed unicast only. Any other address could be behind this machine's firewall.
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IANA's IPv4 special-purpose registry, multicast and reserved ranges. */
const NOT_PUBLIC_4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Global unicast IPv6; excludes mapped, loopback, NAT64, unique local, link-local and multicast addresses. */
const GLOBAL_6 = ['2000::', 3] as const
/** Ranges of `GLOBAL_6` that are not public: protocol assignments with Teredo and ORCHID, documentation, 6to4, AS112, documentation. */
const NOT_PUBLIC_6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

const listOf = (networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const [network, bits] of networks) list.addSubnet(network, bits, family)
  return list
}
const notPublic4 = listOf(NOT_PUBLIC_4, 'ipv4')
const notPublic6 = listOf(NOT_PUBLIC_6, 'ipv6')
const global6 = listOf([GLOBAL_6], 'ipv6')

/** False also for invalid addresses and addresses with a zone. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !notPublic4.check(address, 'ipv4')
  return isIPv6(address) && !address.includes('%') && global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}
