// The compact checks sold on two networks: the sandbox's, and an EVM chain.
import { createServer } from 'node:http'
import { createGate } from '../../../query-api/payment/create-gate.ts'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine, SettlementLog } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { startLocal } from '../../tools/local-server.ts'
import { given } from '../check-given.ts'
import { type EvmNetwork, startEvmNetwork } from './evm-network.ts'
import { startWorld } from './world.ts'

export interface EvmShop extends Omit<EvmNetwork, 'second'> {
  readonly url: string
  /** The network that everything is sold on. */
  readonly firstNetwork: string
  readonly log: SettlementLog
}

export const startEvmShop = async (): Promise<EvmShop> => {
  const [world, evm] = await Promise.all([startWorld(), startEvmNetwork()])
  const clock = { now: Date.now }
  const log = new TableLog(createMemoryTable<SettlementLine>())
  const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
  const { payTo, network, rpcUrl } = world.sandbox
  const gate = createGate({
    ...{ mode: 'facilitator', facilitatorUrl: world.facilitator.url, payTo, network, rpcUrl, priceFactor: 1, clock, book, log },
    facilitatorTimeoutMs: 2_000,
    second: evm.second,
  })
  const server = await startLocal(createServer(given({ till: gate, sandbox: true }).app.callback()))
  const close = async (): Promise<void> => {
    await server.close()
    await gate.close(1_000)
    await Promise.all([evm.close(), world.close()])
  }
  return { ...evm, url: server.url, firstNetwork: network, log, close }
}
