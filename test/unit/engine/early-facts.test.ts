// Facts that processes tell each other ahead of their commits.
import { EarlyFacts } from '../../../topology/engine/exchange/early-facts.ts'
import type { ExchangeDefinition } from '../../../topology/engine/exchange/exchange.ts'
import type { Messages } from '../../../topology/ports/log.ts'
import { definition } from '../../fixtures/askers.ts'

const exchange = definition(3).exchange as ExchangeDefinition

/** Each message reaches all listeners at once, its sender among them. */
class Bus implements Messages {
  readonly #listeners: Parameters<Messages['listen']>[0][] = []
  send(key: Buffer, value: Uint8Array): void {
    for (const receive of this.#listeners) receive(key, value)
  }
  listen(receive: Parameters<Messages['listen']>[0]): void {
    this.#listeners.push(receive)
  }
}

const given = (messages: Messages, here: readonly number[]) => {
  const heard: unknown[] = []
  const facts = new EarlyFacts({
    ...{ messages, definition: exchange, isHere: (partition) => here.includes(partition) },
    hear: ({ partition, read, epochs }, revision) => heard.push([partition, revision, read.ok && epochs.map(({ closedBy }) => closedBy)]),
  })
  return { facts, heard }
}

test('reach other processes with their writer and the revision of its stores, and not their own', () => {
  const bus = new Bus()
  const [one, other] = [given(bus, [0, 1]), given(bus, [2])]
  one.facts.tell({ epoch: 0, closedBy: 4, facts: new Map() }, 1, 7)
  other.facts.tell({ epoch: 0, closedBy: 5, facts: new Map() }, 2, 8)
  expect(other.heard).toEqual([[1, 7, [4]]])
  expect(one.heard).toEqual([[2, 8, [5]]])
})
test('of another chain, or by another program, are nothing to a task', () => {
  const bus = new Bus()
  const { heard } = given(bus, [0])
  for (const key of ['solana 1 7', '', 'alt', 'alt one']) bus.send(Buffer.from(key), Buffer.from('nonsense'))
  expect(heard).toHaveLength(2)
  for (const what of heard) expect(what).toEqual([expect.any(Number), expect.any(Number), false])
})
