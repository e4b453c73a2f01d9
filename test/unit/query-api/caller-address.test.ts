import fc from 'fast-check'
import { callerKeys, canonicalAddress, proxyProblem, TrustedProxies } from '../../../query-api/http/caller-address.ts'

describe('canonical addresses', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['2001:DB8::7', '2001:db8:0:0:0:0:0:7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
    ['2001:db8::', '2001:db8:0:0:0:0:0:0'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0:0:0:c000:201'],
    ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical)
  })
  test.each(['', 'localhost', '192.0.2', '1.2.3.4.5', '::g', 'unknown', '_hidden', '1.2.3.4 '])('%j is not an address', (text) => {
    expect(canonicalAddress(text)).toBeUndefined()
  })
  test('an IPv6 address has one form, however it is written', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const once = canonicalAddress(text)
        expect(canonicalAddress(once ?? '')).toBe(once)
      }),
    )
  })
  test('limits count IPv4 addresses singly, IPv6 by the first 64 bits and, with four times the limit, by the first 48', () => {
    const keysOf = (text: string) => callerKeys(canonicalAddress(text) ?? '')
    expect(keysOf('192.0.2.1')).toEqual([{ key: '192.0.2.1', share: 1 }])
    expect(keysOf('::ffff:192.0.2.1')).toEqual(keysOf('192.0.2.1'))
    expect(keysOf('2001:db8:1:2:aaaa::1')).toEqual([
      { key: '2001:db8:1:2::/64', share: 1 },
      { key: '2001:db8:1::/48', share: 4 },
    ])
    expect(keysOf('2001:db8:1:2:bbbb::9')).toEqual(keysOf('2001:db8:1:2:aaaa::1'))
  })
})

describe('the caller of a request', () => {
  const proxies = new TrustedProxies(['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48'])
  test.each([
    ['nothing was forwarded', '198.51.100.1', undefined, '198.51.100.1'],
    ['an untrusted client forges the header', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['a proxy forwards it', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['a proxy by its own address', '192.0.2.7', '203.0.113.9', '203.0.113.9'],
    ['a proxy over IPv4 mapped into IPv6', '::ffff:10.1.2.3', '203.0.113.9', '203.0.113.9'],
    ['a proxy over IPv6', '2001:db8:ffff::1', '2001:db8::5', '2001:db8:0:0:0:0:0:5'],
    ['two proxies in a row', '10.1.2.3', '203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['the caller prepended its own header line', '10.1.2.3', '127.0.0.1, 10.0.0.1, 203.0.113.9', '203.0.113.9'],
    ['with ports and brackets', '10.1.2.3', '[2001:db8::5]:443, 10.0.0.2:80', '2001:db8:0:0:0:0:0:5'],
    ['a proxy that hides its caller', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['garbage between', '10.1.2.3', '203.0.113.9, ;drop', '10.1.2.3'],
    ['a proxy with its own request', '10.1.2.3', undefined, '10.1.2.3'],
    ['more hops than are examined', '10.1.2.3', `203.0.113.9, ${'10.0.0.1,'.repeat(20)}10.0.0.1`, '10.0.0.1'],
  ])('%s', (_what, socket, forwarded, caller) => {
    expect(proxies.callerOf(socket, forwarded)).toBe(caller)
  })
  test('no header is trusted with an empty list', () => {
    expect(new TrustedProxies([]).callerOf('127.0.0.1', '203.0.113.9')).toBe('127.0.0.1')
  })
})

test.each(['10.0.0.0/33', 'proxy.example', '10.0.0.0/', '::1/129', '10.0.0.0/8/8', '', 'fe80::1%eth0'])('%j is not a proxy', (entry) => {
  expect(proxyProblem(entry)).toContain(JSON.stringify(entry))
})
test.each(['10.0.0.0/8', '10.0.0.1', '::1', '2001:db8::/32', '0.0.0.0/0'])('%j is a proxy', (entry) => {
  expect(proxyProblem(entry)).toBeUndefined()
})
