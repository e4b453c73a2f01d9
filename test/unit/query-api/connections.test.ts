// Connections of IPv6 customers, whose networks loopback does not have: sockets are fakes with an address.
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { TrustedProxies } from '../../../query-api/http/caller-address.ts'
import { Connections } from '../../../query-api/http/connections.ts'

class FakeSocket extends EventEmitter {
  isClosed = false
  readonly remoteAddress: string
  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }
  destroy(): void {
    this.isClosed = true
    this.emit('close')
  }
}

const given = (max: number, perAddressMax: number) => {
  const server = new EventEmitter()
  new Connections(server as Server, { max, perAddressMax, proxies: new TrustedProxies([]) })
  const open = (address: string): FakeSocket => {
    const socket = new FakeSocket(address)
    server.emit('connection', socket)
    return socket
  }
  const openMany = (count: number, addressOf: (n: number) => string) => Array.from({ length: count }, (_, n) => open(addressOf(n)))
  return { open, openMany }
}
const closedOf = (sockets: readonly FakeSocket[]): number => sockets.filter(({ isClosed }) => isClosed).length

test('a customer with a /48 has four times the connections of a /64 from all of its /64s together', () => {
  const { open, openMany } = given(1_000, 10)
  expect(closedOf(openMany(256, (n) => `2001:db8:1:${n.toString(16)}::1`))).toBe(256 - 40)
  expect(closedOf(openMany(12, () => '2001:db8:2:1::1'))).toBe(2)
  expect(open('2001:db8:1:ff::1').isClosed).toBe(true)
})

test('its connections count together as those of the one who holds most, though each of its /64s holds one', () => {
  const { openMany } = given(16, 16)
  const few = openMany(3, () => '192.0.2.1')
  const customer = openMany(9, (n) => `2001:db8:1:${n.toString(16)}::1`)
  const more = openMany(5, (n) => `198.51.100.${n}`)
  expect([closedOf(few), closedOf(customer), closedOf(more)]).toEqual([0, 5, 0])
})

test('connections that end make room, of every holder', () => {
  const { openMany } = given(16, 4)
  for (let round = 0; round < 50; round++) {
    const opened = openMany(12, (n) => `192.0.2.${n % 4}`)
    expect(closedOf(opened)).toBe(0)
    for (const socket of opened) socket.destroy()
  }
})
