// Checks of `doctor` for the live chain: stream, notifications, second source. The JSON-RPC node has its own check.
import * as z from 'zod'
import { messageOf } from '../../../schemas/errors.ts'
import { liveChecks } from '../../launch-risk.ts'
import type { LiveSettings } from '../../sources/live-settings.ts'
import { pause } from '../../waiting/waiting.ts'
import { type Check, good, poor } from './check.ts'
import { callNode, checkNode, reasonOf } from './checks-node.ts'

const ANSWER_MS_MAX = 5_000
const RECORD_MS_MAX = 15_000
/** Blocks in which calls of the launchpad are looked for: nearly every block of mainnet has some. */
const RECENT = 4

/** `isWanted`: `up` will play the live chain. */
export async function* checkLive({ rpcUrl, wsUrl, grpcUrl, grpcToken, checkUrl }: LiveSettings, isWanted: boolean): AsyncIterable<Check> {
  if (isWanted && rpcUrl === null && grpcUrl === null)
    yield { name: 'live chain', ok: false, text: 'no node is set: set SOLANA_GRPC_URL (preferred), SOLANA_RPC_URL, or both' }
  if (isWanted && rpcUrl !== null) {
    yield await checkBlocks(rpcUrl)
    yield* checkRecord(rpcUrl)
  }
  if (wsUrl !== null) yield await checkSocket(wsUrl)
  if (grpcUrl !== null) yield await checkStream(grpcUrl, grpcToken)
  if (checkUrl !== null) yield await checkNode('second source', checkUrl, 'SOLANA_CHECK_RPC_URL')
}

/** Fetches the newest final block, without its transactions. */
const checkBlocks = async (rpcUrl: string): Promise<Check> => {
  const name = 'blocks'
  const { origin } = new URL(rpcUrl)
  try {
    const slot = await callNode(rpcUrl, 'getSlot', [{ commitment: 'finalized' }], z.int().positive())
    const config = { commitment: 'finalized', transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 }
    const { blockhash } = await callNode(rpcUrl, 'getBlock', [slot, config], z.object({ blockhash: z.string() }))
    return good(name, `${origin} returns blocks: ${slot} is ${blockhash}`)
  } catch (failure) {
    return poor(name, `${origin} returns no blocks (${reasonOf(failure)}): check SOLANA_RPC_URL and the limits of its plan`)
  }
}

/** Reads the newest final blocks for what the node leaves out of the launchpad's transactions. */
async function* checkRecord(rpcUrl: string): AsyncIterable<Check> {
  const name = 'record'
  const { recentBlocks, recordOf, faultOf, CALLS_UNSEEN, NODE_ADVICE } = await liveChecks()
  const stop = AbortSignal.timeout(RECORD_MS_MAX)
  let blocks: Awaited<ReturnType<typeof recentBlocks>> = []
  try {
    blocks = await recentBlocks(rpcUrl, await callNode(rpcUrl, 'getSlot', [{ commitment: 'finalized' }], z.int().positive()), RECENT, stop)
  } catch (failure) {
    yield poor(name, `no recent block could be read (${reasonOf(failure)}): check SOLANA_RPC_URL and the limits of its plan`)
    return
  }
  const slots = blocks.map(({ slot }) => slot)
  const where = `blocks ${Math.min(...slots)} to ${Math.max(...slots)}`
  const record = blocks.reduce((before, block) => recordOf(block, before), recordOf({ transactions: [] }))
  const fault = faultOf(record)
  if (fault !== undefined) yield poor(name, `${where} have ${fault}. At the node: ${NODE_ADVICE}`)
  else if (record.events === 0)
    yield good(name, `the newest ${blocks.length} blocks have no calls of the launchpad: what the node records was not checked`)
  else if (record.withoutCalls > 0) yield good(name, `${where}: ${CALLS_UNSEEN}. At the node: ${NODE_ADVICE}`)
  else yield good(name, `${where} have the ${record.events} events of their calls, and their balances`)
  for (const [event, bytes] of record.appended)
    yield good(
      'layouts',
      `${event} has ${bytes} bytes behind its newest known layout in ${where}: they are kept and not read; an upgrade may know them`,
    )
}

const checkSocket = async (wsUrl: string): Promise<Check> => {
  const name = 'slots'
  const { origin } = new URL(wsUrl)
  const over = new AbortController()
  const { SlotWake } = await liveChecks()
  const wake = new SlotWake(wsUrl, () => {}, over.signal)
  const late = pause(ANSWER_MS_MAX, over.signal)
  try {
    const isNotified = await Promise.race([wake.notified().then(() => true), late.then(() => false)])
    if (isNotified) return good(name, `${origin} announces slots`)
    return poor(
      name,
      `${origin} announced no slot in ${ANSWER_MS_MAX / 1_000} s: check SOLANA_WS_URL (without it mintfold polls by the clock)`,
    )
  } finally {
    over.abort()
  }
}

const checkStream = async (url: string, token: string | null): Promise<Check> => {
  const name = 'grpc'
  const { origin } = new URL(url)
  const { newestSlot } = await liveChecks()
  const late = new Promise<never>((_, reject) => setTimeout(reject, ANSWER_MS_MAX, new Error('no answer in time')).unref())
  try {
    return good(name, `${origin} responds: slot ${await Promise.race([newestSlot({ url, token }), late])}`)
  } catch (failure) {
    const words = messageOf(failure)
      .replaceAll(url, 'the address')
      .replace(/\w+:\/\/\S+/g, 'the address')
    return poor(name, `${origin} gives no valid response to GetSlot (${words}): check SOLANA_GRPC_URL and SOLANA_GRPC_TOKEN`)
  }
}
