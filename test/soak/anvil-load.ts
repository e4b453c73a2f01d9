// Sends a real node with 100 ms blocks as many buys as it takes: measures whether source and folds keep up, and the latency of a card.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { decodeAbiParameters, type Hex, toFunctionSelector } from 'viem'
import { mustHexKey } from '../../schemas/keys.ts'
import type { CurveState } from '../../schemas/types.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import { useLaunchpad } from '../../topology/launchpad-in-use.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { openAlt } from '../../topology/sources/alt/open-alt.ts'
import { viemNode } from '../../topology/sources/alt/viem-node.ts'
import { LogCurveView } from '../../topology/views/curve-view.ts'
import { pause } from '../../topology/waiting/waiting.ts'
import { AnvilLaunchpad, type LaunchedCurve } from '../fixtures/anvil-launchpad.ts'
import { Anvil } from '../services/anvil.ts'

const CURVES = 20
/** Amount of a buy: very small, so that no curve sells out. */
const BUY_WEI = 10n ** 10n
/** Buying accounts. Each has at most one request in flight, because the node assigns the nonces of an account. */
const BUYERS = 32
const LOOK_MS = 1
const DRAIN_MS_MAX = 30_000

interface AnvilLoad {
  readonly buysAsked: number
  readonly seconds: number
  readonly buysMined: number
  readonly buysPerSecond: number
  /** From a block's announcement until a card shows it, ms. */
  readonly toCardMs: { readonly blocks: number; readonly median: number; readonly p99: number; readonly max: number }
  /** Curves whose quote on the card differs from the contract's; must be empty. */
  readonly differences: readonly string[]
}

/** Records when blocks are announced, and how long it takes until they are folded and shown. */
class Lags {
  readonly #announcedAtMs = new Map<number, number>()
  readonly lagsMs: number[] = []

  announced(number: number): void {
    this.#announcedAtMs.set(number, performance.now())
  }
  shown(upTo: number): void {
    for (const [number, atMs] of this.#announcedAtMs) {
      if (number > upTo) return
      this.#announcedAtMs.delete(number)
      this.lagsMs.push(performance.now() - atMs)
    }
  }
  of(share: number): number {
    const sorted = [...this.lagsMs].sort((a, b) => a - b)
    return Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN) * 10) / 10
  }
}

/** Buys for this many seconds, at most `perSecond` times a second. */
const runAnvilLoad = async (seconds: number, perSecond: number): Promise<AnvilLoad> => {
  const anvil = await Anvil.start(['--block-time', '0.1', '--accounts', String(BUYERS + 1), '--disable-block-gas-limit'])
  const stop = new AbortController()
  try {
    const launchpad = await AnvilLaunchpad.deploy(anvil)
    useLaunchpad({ factories: [launchpad.factory], routers: { [launchpad.router]: 'pons_launchbuy', [launchpad.terminal]: 'gmgn' } })
    const log = createMemoryLog({ partitions: 4 })
    const settings = { rpcUrl: anvil.rpcUrl, wsUrl: anvil.wsUrl, checkUrl: null, addresses: null }
    const context = { settings, notice: () => {}, stop: stop.signal, dataDir: null, folded: () => null }
    const { source } = await openAlt(log, CURVE_RISK.sources.live, context)
    const running = source.run()
    const folds = await startFolds(log, [CURVE_RISK])
    const view = new LogCurveView(log, CURVE_RISK, source)
    await view.start()
    const curves = await launched(launchpad)
    const lags = new Lags()
    const watching = watch(anvil, lags, stop.signal)
    const looking = look(() => view.status().folded?.number ?? -1, lags, stop.signal)
    const buysAsked = await buyFor(anvil, { seconds, perSecond }, launchpad, curves)
    await drained(anvil, () => view.status().folded?.number ?? -1)
    const states = curves.map(({ token }) => view.get(mustHexKey(token))?.state)
    const differences = await differencesFrom(anvil, curves, states)
    stop.abort()
    await Promise.allSettled([running, watching, looking])
    await folds.stop()
    await view.stop()
    const buysMined = states.reduce((sum, state) => sum + (state?.figures?.buys ?? 0), 0) - CURVES
    const toCardMs = { blocks: lags.lagsMs.length, median: lags.of(0.5), p99: lags.of(0.99), max: lags.of(1) }
    return { buysAsked, seconds, buysMined, buysPerSecond: Math.round(buysMined / seconds), toCardMs, differences }
  } finally {
    stop.abort()
    useLaunchpad(null)
    await anvil.stop()
  }
}

const launched = async (launchpad: AnvilLaunchpad): Promise<readonly LaunchedCurve[]> => {
  const hashes = await Promise.all(Array.from({ length: CURVES }, (_, n) => launchpad.launch(launchpad.accounts[1 + n] as string, BUY_WEI)))
  return Promise.all(hashes.map((hash) => launchpad.launched(hash)))
}

const watch = async ({ rpcUrl, wsUrl }: Anvil, lags: Lags, stop: AbortSignal): Promise<void> =>
  viemNode({ rpcUrl, wsUrl }).heads?.(({ number }) => lags.announced(number), stop)

const look = async (shown: () => number, lags: Lags, stop: AbortSignal): Promise<void> => {
  for (; !stop.aborted; await pause(LOOK_MS, stop)) lags.shown(shown())
}

/** Buys in a separate process, which takes no time from the measured event loop. Resolves to the number of transactions sent. */
const buyFor = async (
  { rpcUrl }: Anvil,
  { seconds, perSecond }: { readonly seconds: number; readonly perSecond: number },
  launchpad: AnvilLaunchpad,
  curves: readonly LaunchedCurve[],
): Promise<number> => {
  const buyers = launchpad.accounts.slice(1).map((buyer) => curves.map((curve) => launchpad.buyCall(buyer, curve, BUY_WEI)))
  const sender = fork(new URL('./anvil-buyer.mjs', import.meta.url))
  sender.send({ url: rpcUrl, seconds, perSecond, buyers })
  const failed = once(sender, 'exit').then(([code]) => Promise.reject(new Error(`the buyers' process exited with code ${code}`)))
  const [{ sent }] = (await Promise.race([once(sender, 'message'), failed])) as [{ sent: number }]
  failed.catch(() => {})
  return sent
}

/** Resolves when the view shows every block that the node has mined by now, and three more. */
const drained = async (anvil: Anvil, shown: () => number): Promise<void> => {
  const head = Number((await anvil.ask('eth_blockNumber')) as string) + 3
  for (const untilMs = performance.now() + DRAIN_MS_MAX; shown() < head; await pause(10))
    if (performance.now() > untilMs) throw new Error(`the view shows block ${shown()} after ${DRAIN_MS_MAX} ms, not block ${head}`)
}

const differencesFrom = async (
  anvil: Anvil,
  curves: readonly LaunchedCurve[],
  states: readonly (CurveState | undefined)[],
): Promise<readonly string[]> => {
  const data = toFunctionSelector('getReserves()')
  const answers = await Promise.all(curves.map(({ curve }) => anvil.ask('eth_call', { to: curve, data }, 'latest') as Promise<Hex>))
  return curves.flatMap(({ curve }, n) => {
    const [quote, tokens] = decodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], answers[n] as Hex)
    const { launch, figures } = states[n] ?? {}
    const shown = [BigInt(launch?.virtualQuoteUnits ?? 0) + BigInt(figures?.realQuoteUnits ?? 0), BigInt(figures?.tokenUnits ?? 0)]
    return shown[0] === quote && shown[1] === tokens ? [] : [`${curve}: ${shown.join(' ')}, the contract ${quote} ${tokens}`]
  })
}

const isKeptUp = ({ differences, toCardMs, buysAsked, buysMined }: AnvilLoad): boolean =>
  differences.length === 0 && buysMined === buysAsked && toCardMs.blocks > 0

export const anvilLoad = async ([seconds = '60', perSecond = '2000']: readonly string[]) => {
  const report = await runAnvilLoad(Number(seconds), Number(perSecond))
  return { report, isWhole: isKeptUp(report) }
}
