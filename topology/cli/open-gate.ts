// How answers are paid for, from the settings: off, the sandbox's facilitator, or one by URL. The latter two take one path.
import { join } from 'node:path'
import { createGate, type GateOptions } from '../../query-api/payment/create-gate.ts'
import type { PaymentGate } from '../../query-api/payment/gate.ts'
import { offGate } from '../../query-api/payment/off-gate.ts'
import type { PaymentEntry } from '../../query-api/payment/payment-book.ts'
import { assert } from '../../schemas/errors.ts'
import { PAYMENTS_FOLDER } from '../backup/data-dir.ts'
import type { StoreSnapshot } from '../ports/snapshot.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import { openLmdbTable } from '../stores/lmdb-table.ts'
import type { Closing } from './closing.ts'
import type { Settings } from './settings.ts'

/** Settlements under way may take this long at a stop. */
const SETTLE_MS = 3_000

type Seller = Pick<GateOptions, 'facilitatorUrl' | 'payTo' | 'network' | 'rpcUrl'>

/** Opens the gate with what it stands on; `closing` learns how each part ends, `live` how each store is backed up. `notice` is told of trouble. */
export const openGate = async (
  settings: Settings,
  closing: Closing,
  live: (() => StoreSnapshot)[],
  notice: NonNullable<GateOptions['notice']>,
): Promise<PaymentGate> => {
  const { payments: mode, dataDir, priceFactor } = settings
  if (mode === 'off') return offGate()
  const table = openLmdbTable<PaymentEntry>(join(dataDir, PAYMENTS_FOLDER))
  live.push(() => table.snapshot(PAYMENTS_FOLDER))
  closing.add('payments', () => table.close())
  const seller = mode === 'sandbox' ? await sandboxSeller(settings, closing, live) : facilitatorSeller(settings)
  const gate = await createGate({ ...seller, mode, priceFactor, table, clock: { now: Date.now }, notice })
  closing.add('gate', () => gate.close(SETTLE_MS))
  return gate
}

const sandboxSeller = async ({ dataDir, host }: Settings, closing: Closing, live: (() => StoreSnapshot)[]): Promise<Seller> => {
  const sandbox = await startSandbox({ dataDir, host, port: 0 })
  closing.add('sandbox', () => sandbox.close())
  live.push(() => sandbox.snapshot())
  const { facilitatorUrl, payTo, network, rpcUrl } = sandbox
  return { facilitatorUrl, payTo, network, rpcUrl }
}

const facilitatorSeller = ({ facilitator, rpcUrl }: Settings): Seller => {
  assert(facilitator !== null, 'settings of the mode facilitator name one')
  const { url: facilitatorUrl, payTo, network } = facilitator
  return { facilitatorUrl, payTo, network: network as Seller['network'], ...(rpcUrl !== null && { rpcUrl }) }
}
