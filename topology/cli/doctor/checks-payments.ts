// Checks of `doctor` for payments: the facilitator, the receiving wallet, the clock, and the store of payments.
import { resolve } from 'node:path'
import { createClient } from '@redis/client'
import * as z from 'zod'
import { usdcOf } from '../../../query-api/payment/terms.ts'
import { messageOf } from '../../../schemas/errors.ts'
import { usdcAccountOf } from '../../sandbox/genesis.ts'
import { SOLD_TWICE, sellersFolder, sellersTo, walletsOf } from '../selling/seller-notes.ts'
import type { FacilitatorSettings, Settings } from '../settings/settings.ts'
import type { EvmSettings } from '../settings/settings-evm.ts'
import { type Check, good, poor } from './check.ts'
import { ask, callNode, checkNode, reasonOf } from './checks-node.ts'

const ANSWER_MS_MAX = 5_000
/** A confirmed block is some seconds old; a payment is signed for 60 s. */
const CLOCK_OFF_S_MAX = 30

export async function* checkPayments(settings: Settings): AsyncIterable<Check> {
  const { payments, facilitator, evm, rpcUrl, redisUrl } = settings
  if (facilitator === null) {
    const words = payments === 'sandbox' ? 'sandbox: the facilitator runs in the process, with play money' : OFF
    yield good('payments', words)
  } else yield await checkFacilitator(facilitator, FIRST)
  if (rpcUrl === null) {
    const words = 'not set'
    yield facilitator === null ? good('rpc', words) : poor('rpc', `${words}: uncertain settlements cannot be looked up; set X402_RPC_URL`)
  } else {
    const node = await checkNode('rpc', rpcUrl, 'X402_RPC_URL or SOLANA_RPC_URL')
    yield node
    if (facilitator !== null && node.ok) {
      yield await checkPayTo(facilitator, rpcUrl)
      yield await checkClock(rpcUrl)
    }
  }
  if (facilitator !== null && evm !== null) yield* checkEvm(evm)
  if (settings.kafka === null) for (const wallet of walletsOf(settings)) yield checkSellers(wallet, settings.dataDir)
  if (redisUrl !== null) yield await checkRedis(redisUrl)
}

/** Other processes of this user and machine that are paid to the wallet. On Kafka, `checkKafka` counts the members of the group instead. */
const checkSellers = (wallet: string, dataDir: string): Check => {
  const name = 'sellers'
  try {
    const others = sellersTo(wallet, sellersFolder()).filter((seller) => seller.dataDir !== resolve(dataDir))
    if (others.length === 0)
      return good(name, `no other process of this user and machine takes payments to ${wallet}; other machines cannot be checked`)
    const who = others.map(({ pid, dataDir: other }) => `process ${pid} (${other})`).join(', ')
    return poor(name, `${who} takes payments to ${wallet}: ${SOLD_TWICE}`)
  } catch (failure) {
    return poor(name, `the processes of this machine that take payments to ${wallet} cannot be listed: ${messageOf(failure)}`)
  }
}

const OFF = 'off: paid routes answer without payment, on loopback only'
const supportedSchema = z.object({ kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() })) })

/** Names of the settings of a facilitator. */
interface Named {
  readonly name: string
  readonly networkVariable: string
  readonly urlVariable: string
}
const FIRST: Named = { name: 'payments', networkVariable: 'X402_NETWORK', urlVariable: 'X402_FACILITATOR_URL' }
const SECOND: Named = { name: 'second network', networkVariable: 'X402_EVM_NETWORK', urlVariable: 'X402_EVM_FACILITATOR_URL' }

const checkFacilitator = async (
  { url, network, payTo }: FacilitatorSettings,
  { name, networkVariable, urlVariable }: Named,
): Promise<Check> => {
  const { origin } = new URL(url)
  try {
    const { kinds } = supportedSchema.parse(await ask(`${url.replace(/\/+$/, '')}/supported`))
    const fits = kinds.some((kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network)
    if (fits) return good(name, `${origin} settles exact payments on ${network} to ${payTo}`)
    return poor(name, `${origin} does not settle x402 version 2, exact, on ${network}: set ${networkVariable} or ${urlVariable}`)
  } catch (failure) {
    return poor(name, `${origin} does not list what it settles (${reasonOf(failure)}): check ${urlVariable}`)
  }
}

async function* checkEvm({ network, payTo, facilitatorUrl: url, rpcUrl }: EvmSettings): AsyncIterable<Check> {
  yield await checkFacilitator({ url, network, payTo }, SECOND)
  const name = 'second node'
  if (rpcUrl === null) {
    yield poor(name, 'not set: uncertain settlements on the second network cannot be looked up; set X402_EVM_RPC_URL')
    return
  }
  try {
    const chain = Number(await callNode(rpcUrl, 'eth_chainId', [], z.string()))
    const isRight = network === `eip155:${chain}`
    yield isRight ? good(name, `it is on ${network}`) : poor(name, `it is on eip155:${chain}, not ${network}: set X402_EVM_RPC_URL`)
  } catch (failure) {
    yield poor(name, `it does not report its chain (${reasonOf(failure)}): check X402_EVM_RPC_URL`)
  }
}

/** A first payment does not create the USDC account: without the account every payment fails. */
const checkPayTo = async ({ payTo, network }: FacilitatorSettings, rpcUrl: string): Promise<Check> => {
  const name = 'pay to'
  const asset = usdcOf(network)
  try {
    const account = await usdcAccountOf(payTo, asset)
    const found = z.object({ value: z.object({ owner: z.string() }).nullable() })
    const { value } = await callNode(rpcUrl, 'getAccountInfo', [account, { encoding: 'base64', commitment: 'confirmed' }], found)
    if (value !== null) return good(name, `${payTo} has the USDC account ${account}`)
    return poor(
      name,
      `${payTo} has no USDC account on the chain of X402_RPC_URL: receive any amount of USDC (${asset}) there once, which creates it`,
    )
  } catch (failure) {
    return poor(name, `the USDC account of ${payTo} cannot be read (${reasonOf(failure)}): check X402_RPC_URL`)
  }
}

const checkClock = async (rpcUrl: string): Promise<Check> => {
  const name = 'clock'
  try {
    const slot = await callNode(rpcUrl, 'getSlot', [{ commitment: 'confirmed' }], z.number())
    const blockS = await callNode(rpcUrl, 'getBlockTime', [slot], z.number())
    const offS = Math.round(Date.now() / 1000 - blockS)
    if (Math.abs(offS) <= CLOCK_OFF_S_MAX)
      return good(name, `${offS} s from the time of the newest block (up to ${CLOCK_OFF_S_MAX} s is fine)`)
    return poor(name, `${offS} s from the time of the newest block: set the clock of this machine (NTP), or use a node that does not lag`)
  } catch (failure) {
    return poor(name, `the time of the chain cannot be read (${reasonOf(failure)})`)
  }
}

const checkRedis = async (url: string): Promise<Check> => {
  const name = 'redis'
  const host = new URL(url).host
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: ANSWER_MS_MAX, socketTimeout: ANSWER_MS_MAX } })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.ping()
    const setting = async (key: string): Promise<string | undefined> =>
      Object.values(await client.configGet(key).catch(() => ({})))[0] as string | undefined
    const [append, policy] = [await setting('appendonly'), await setting('maxmemory-policy')]
    if (append === 'no') return poor(name, `${host} responds, but loses payments when it restarts: set appendonly yes`)
    if (policy !== undefined && policy !== 'noeviction')
      return poor(name, `${host} responds, but evicts payments when it is full: set maxmemory-policy noeviction`)
    return good(
      name,
      `${host} responds${append === undefined ? '; its settings cannot be read: it needs appendonly yes and noeviction' : ''}`,
    )
  } catch (failure) {
    return poor(name, `${host} does not respond (${messageOf(failure)}): start it, or check REDIS_URL`)
  } finally {
    if (client.isOpen) client.destroy()
  }
}
