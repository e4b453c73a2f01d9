// Payments without money: a real facilitator over a local ledger, called over HTTP on loopback, so the code path is that of production.
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { getTokenDecoder } from '@solana-program/token'
import { holdDirectory } from '../data-dir/hold-directory.ts'
import type { StoreSnapshot } from '../ports/snapshot.ts'
import { facilitatorRoutes } from './facilitator.ts'
import { createGenesis, SANDBOX_NETWORK, SANDBOX_USDC, usdcAccountOf } from './genesis.ts'
import { serveJson } from './http.ts'
import { onKeptPort } from './kept-port.ts'
import { signerOf } from './keys.ts'
import { Ledger } from './ledger.ts'
import { LedgerStore } from './ledger-store.ts'
import { rpcRoute } from './rpc.ts'
import { WALLET_FILE, type Wallet, writePrivateFile } from './wallet.ts'

/** Folder of the ledger in the data directory. */
export const SANDBOX_FOLDER = 'sandbox'

export interface SandboxOptions {
  /** Its folder `sandbox/` has the ledger, its file `wallet.json` the buyer's wallet. */
  readonly dataDir: string
  /** Must be a loopback address, unless `anyHost`. */
  readonly host?: string
  /** For a sandbox that runs as a separate server. */
  readonly anyHost?: boolean
  /** 0, the default: that of the previous start, at first a free one. */
  readonly port?: number
  /** Host names under which clients may address it, besides addresses, localhost and the machine's name. */
  readonly names?: readonly string[]
  /** Receives a sentence if the port of the previous start cannot be used. */
  readonly moved?: (sentence: string) => void
  /** Wall ms; slots and blockhashes depend on it. */
  readonly now?: () => number
}

export interface Sandbox {
  readonly facilitatorUrl: string
  readonly rpcUrl: string
  /** Owner address (base58) of the payee. */
  readonly payTo: string
  readonly network: typeof SANDBOX_NETWORK
  readonly asset: string
  /** Key and addresses of a buyer who starts with 100 USDC; mode 0600, rewritten on each start. */
  readonly walletFile: string
  balances(): Promise<{ readonly buyerMicroUsdc: number; readonly payToMicroUsdc: number }>
  /** A snapshot of the ledger and the keys. */
  snapshot(): StoreSnapshot
  /** Accepts nothing new, and waits for running transactions. */
  close(): Promise<void>
}

/** Landed transactions survive a kill. @throws EngineError `not_loopback`, `port_in_use`, `table_io`, `data_dir_owned`. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { dataDir, host = '127.0.0.1', anyHost = false, port = 0, names = [], moved = () => {}, now = Date.now } = options
  const dir = join(dataDir, SANDBOX_FOLDER)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await chmod(dir, 0o700)
  const release = await holdDirectory(join(dir, 'held'))
  const store = new LedgerStore(dir)
  const genesis = store.genesis() ?? (await createGenesis(store, now()))
  const ledger = new Ledger(store, genesis, now)
  const keyOf = (base64: string) => signerOf(Buffer.from(base64, 'base64'))
  const [facilitator, payTo, buyer] = await Promise.all([keyOf(genesis.facilitatorKey), keyOf(genesis.payToKey), keyOf(genesis.buyerKey)])
  let origin = ''
  const rpcUrl = (): string => `${origin}/rpc`
  const routes = { 'POST /rpc': rpcRoute(ledger), ...facilitatorRoutes('/facilitator', facilitator, SANDBOX_NETWORK, rpcUrl) }
  const walletFile = join(dataDir, WALLET_FILE)
  const listen = (on: number) => serveJson(routes, { host, port: on, anyHost, names })
  const server = await (port === 0 ? onKeptPort(walletFile, listen, moved) : listen(port)).catch(async (error: unknown) => {
    await ledger.close()
    await release()
    throw error
  })
  origin = server.origin
  const secretKey = [...Buffer.from(genesis.buyerKey, 'base64')]
  const wallet: Wallet = { network: SANDBOX_NETWORK, rpcUrl: rpcUrl(), address: buyer.address, secretKey }
  await writePrivateFile(walletFile, `${JSON.stringify(wallet)}\n`)
  return {
    facilitatorUrl: `${origin}/facilitator`,
    rpcUrl: rpcUrl(),
    payTo: payTo.address,
    network: SANDBOX_NETWORK,
    asset: SANDBOX_USDC,
    walletFile,
    balances: async () => ({
      buyerMicroUsdc: await usdcOn(ledger, buyer.address),
      payToMicroUsdc: await usdcOn(ledger, payTo.address),
    }),
    snapshot: () => store.snapshot(SANDBOX_FOLDER),
    close: async () => {
      await server.close()
      await ledger.close()
      await release()
    },
  }
}

const usdcOn = async (ledger: Ledger, owner: string): Promise<number> => {
  const account = ledger.account(await usdcAccountOf(owner))
  return account === undefined ? 0 : Number(getTokenDecoder().decode(account.data).amount)
}
