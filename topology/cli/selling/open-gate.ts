// Opens the payment gate for the settings: off, the sandbox's facilitator, or a facilitator by URL. The latter two share one path.

import { createGate, type GateOptions } from '../../../query-api/payment/create-gate.ts'
import type { PaymentGate } from '../../../query-api/payment/gate.ts'
import { offGate } from '../../../query-api/payment/off-gate.ts'
import { receiptSigner } from '../../../query-api/payment/signed-receipts.ts'
import { RedisLog } from '../../../query-api/payment/stores/redis-log.ts'
import { RedisIdempotencyStore } from '../../../query-api/payment/stores/redis-store.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { assert } from '../../../schemas/errors.ts'
import { SALES_FOLDER } from '../../operations/backup/data-dir.ts'
import type { StoreSnapshot } from '../../ports/snapshot.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'
import { type OpenRedis, REDIS_PREFIX } from './open-redis.ts'
import { openSecondNetwork } from './open-second-network.ts'
import { adoptFormerTables, openPaymentTables } from './payment-tables.ts'
import { openReceiptKey } from './receipt-key.ts'
import { noteSeller, walletsOf } from './seller-notes.ts'
import { claimSales, type Sales } from './sole-seller.ts'

/** Time limit for settlements in progress at a stop. */
const SETTLE_MS = 3_000

type Seller = Pick<GateOptions, 'facilitatorUrl' | 'payTo' | 'network' | 'rpcUrl'>

/** Opens the gate and its stores. Registers their ends with `closing` and backup snapshots with `live`; `notice` receives failures. */
export const openGate = async (
  settings: Settings,
  closing: Closing,
  live: (() => StoreSnapshot)[],
  notice: NonNullable<GateOptions['notice']>,
  { admit, admitUnverifiable }: Required<Pick<GateOptions, 'admit' | 'admitUnverifiable'>>,
  redis: OpenRedis | undefined,
): Promise<PaymentGate> => {
  const { payments: mode, dataDir, priceFactor } = settings
  if (mode === 'off') return offGate()
  const kept = redis === undefined ? await openTables(dataDir, closing, live) : redisStore(redis)
  const seller = mode === 'sandbox' ? await sandboxSeller(settings, closing, live, notice) : facilitatorSeller(settings)
  const sales = mode === 'facilitator' && redis === undefined ? await soleSales(settings, seller.payTo, closing, notice) : undefined
  const takeNotes = noteSeller(walletsOf(settings), dataDir, notice)
  closing.add('seller notes', async () => takeNotes())
  const signer = receiptSigner(await openReceiptKey(dataDir))
  const second = await openSecondNetwork(settings)
  const gate = createGate({
    ...seller,
    ...kept,
    ...(second && { second }),
    signer,
    admit: sales?.admit(admit) ?? admit,
    admitUnverifiable,
    mode,
    priceFactor,
    clock,
    notice,
  })
  closing.add('book', () => kept.book.close())
  closing.add('gate', () => gate.close(SETTLE_MS))
  return gate
}

const clock = { now: Date.now }

/** Claims the wallet on Kafka, where other processes may serve too. */
const soleSales = async (
  settings: Settings,
  wallet: string,
  closing: Closing,
  notice: NonNullable<GateOptions['notice']>,
): Promise<Sales | undefined> => {
  if (settings.kafka === null) return undefined
  const { salesGroupOf } = await import('../wiring/open-kafka.ts')
  const sales = await claimSales(wallet, await salesGroupOf(settings, settings.kafka, wallet, closing, notice))
  closing.add('sales', () => sales.stop())
  return sales
}

type Kept = Pick<GateOptions, 'book' | 'log'>

const redisStore = (client: OpenRedis): Kept => ({
  book: new RedisIdempotencyStore({ client, prefix: REDIS_PREFIX, clock }),
  log: new RedisLog(client, REDIS_PREFIX),
})

const openTables = async (dataDir: string, closing: Closing, live: (() => StoreSnapshot)[]): Promise<Kept> => {
  const opened = openPaymentTables(dataDir)
  const { tables, snapshot, close } = opened
  closing.add(SALES_FOLDER, close)
  await adoptFormerTables(dataDir, opened)
  live.push(() => snapshot(SALES_FOLDER))
  return { book: new TableIdempotencyStore(tables.book, clock), log: new TableLog(tables.settlements) }
}

const sandboxSeller = async (
  { dataDir, host }: Settings,
  closing: Closing,
  live: (() => StoreSnapshot)[],
  notice: NonNullable<GateOptions['notice']>,
): Promise<Seller> => {
  const sandbox = await startSandbox({ dataDir, host, moved: (words) => notice('sandbox_moved', { words }) })
  closing.add('sandbox', () => sandbox.close())
  live.push(() => sandbox.snapshot())
  const { facilitatorUrl, payTo, network, rpcUrl } = sandbox
  return { facilitatorUrl, payTo, network, rpcUrl }
}

const facilitatorSeller = ({ facilitator, rpcUrl }: Settings): Seller => {
  assert(facilitator !== null, 'settings of the mode facilitator have a facilitator')
  const { url: facilitatorUrl, payTo, network } = facilitator
  return { facilitatorUrl, payTo, network: network as Seller['network'], ...(rpcUrl !== null && { rpcUrl }) }
}
