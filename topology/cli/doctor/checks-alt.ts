// Checks of `doctor` for the node of the alt chain: chain id, clock, finality tags, logs, block announcements.
import { altChecks } from '../../launch-risk.ts'
import type { AltSettings } from '../../sources/live-settings.ts'
import { inTime, pause } from '../../waiting/waiting.ts'
import { type Check, good, poor } from './check.ts'

const ANSWER_MS_MAX = 5_000
/** A block is 100 ms old when a node has it; its time is in whole seconds. */
const CLOCK_OFF_S_MAX = 30
/** The newest blocks are not requested: behind a load balancer, not every backend has them yet. */
const NEWEST_BLOCKS = 16
/** Poll interval for an announced block. */
const CHECK_MS = 250
const KEY_STATUS = /^status 40[13]$/

type Probe = Awaited<ReturnType<typeof altChecks>>
type Node = ReturnType<Probe['viemNode']>

interface NodeCheck {
  readonly probe: Probe
  readonly node: Node
  /** Without the path, which may contain a key. */
  readonly origin: string
  readonly answerMsMax: number
}

/** Yields nothing if no node is set. `answerMsMax` limits each response; tests pass less. */
export async function* checkAlt({ rpcUrl, wsUrl, checkUrl }: AltSettings, answerMsMax = ANSWER_MS_MAX): AsyncIterable<Check> {
  if (rpcUrl === null) return
  const probe = await altChecks()
  const target: NodeCheck = { probe, node: probe.viemNode({ rpcUrl, wsUrl }), origin: new URL(rpcUrl).origin, answerMsMax }
  const chain = await checkChain(target, 'alt node', 'ALT_RPC_URL')
  yield chain
  if (chain.ok) {
    yield await checkClock(target)
    yield await checkFinality(target)
    yield await checkLogs(target)
  }
  if (wsUrl !== null) yield await checkHeads({ ...target, origin: new URL(wsUrl).origin }, chain.ok)
  if (checkUrl === null) return
  const second = { ...target, node: probe.viemNode({ rpcUrl: checkUrl, wsUrl: null }), origin: new URL(checkUrl).origin }
  yield await checkChain(second, 'alt second', 'ALT_CHECK_RPC_URL')
}

const ask = <Answer>({ answerMsMax }: NodeCheck, question: (stop: AbortSignal) => Promise<Answer>): Promise<Answer> =>
  inTime(new AbortController().signal, answerMsMax, question)

/** @throws anything that is not a failure of the node */
const reasonOf = ({ NodeFailure }: Probe, failure: unknown): string => {
  if (!(failure instanceof NodeFailure)) throw failure
  return KEY_STATUS.test(failure.message) ? `${failure.message}: it rejects the key or the login` : failure.message
}

const checkChain = async (target: NodeCheck, name: string, variable: string): Promise<Check> => {
  const { probe, node, origin } = target
  const wanted = probe.CHAIN_ID
  try {
    const id = await ask(target, (stop) => node.chainId(stop))
    if (id === wanted) return good(name, `${origin} responds: chain ${wanted}`)
    return poor(name, `${origin} is a node of chain ${id}, not of chain ${wanted}: set ${variable} to a node of chain ${wanted}`)
  } catch (failure) {
    return poor(name, `${origin} gives no valid response to eth_chainId (${reasonOf(probe, failure)}): check ${variable}`)
  }
}

const checkClock = async (target: NodeCheck): Promise<Check> => {
  const { probe, node, origin } = target
  const name = 'alt clock'
  try {
    const { number, time } = await ask(target, (stop) => node.latest(stop))
    const offS = Math.round(Date.now() / 1_000 - time)
    const words = `${offS} s from the time of the newest block of ${origin}, ${number}`
    if (Math.abs(offS) <= CLOCK_OFF_S_MAX) return good(name, `${words} (up to ${CLOCK_OFF_S_MAX} s is fine)`)
    return poor(name, `${words}: set the clock of this machine (NTP), or set ALT_RPC_URL to a node that does not lag`)
  } catch (failure) {
    return poor(
      name,
      `${origin} does not return its newest block (${reasonOf(probe, failure)}): check ALT_RPC_URL and the limits of its plan`,
    )
  }
}

const checkFinality = async (target: NodeCheck): Promise<Check> => {
  const { probe, node, origin } = target
  const name = 'alt finality'
  try {
    const safe = await ask(target, (stop) => node.tagged('safe', stop))
    const finalized = await ask(target, (stop) => node.tagged('finalized', stop))
    if (safe !== null && finalized !== null)
      return good(name, `${origin} serves the tags safe (block ${safe.number}) and finalized (block ${finalized.number})`)
    const lacking = [safe === null ? ['safe'] : [], finalized === null ? ['finalized'] : []].flat().join(' and ')
    const words = `${origin} does not serve the block tag ${lacking}: findings then never become ${finalized === null ? 'final' : 'confirmed'}`
    return poor(name, `${words}; set ALT_RPC_URL to a node that serves safe and finalized`)
  } catch (failure) {
    return poor(name, `${origin} gives no valid response for the tags safe and finalized (${reasonOf(probe, failure)}): check ALT_RPC_URL`)
  }
}

/** Asks for as many blocks as mintfold does, and for a tenth of them each time that the node refuses the range as too large. */
const checkLogs = async (target: NodeCheck): Promise<Check> => {
  const { probe, node, origin } = target
  const name = 'alt logs'
  try {
    const { number } = await ask(target, (stop) => node.latest(stop))
    const to = Math.max(0, number - NEWEST_BLOCKS)
    for (let blocks = probe.SPAN_BLOCKS_MAX; ; blocks /= 10) {
      const from = Math.max(0, to - blocks + 1)
      const logs = await countLogs(target, from, to)
      if (logs !== 'range') return await logsHeld(target, from, to, logs)
    }
  } catch (failure) {
    return poor(
      name,
      `${origin} gives no valid response to eth_getLogs (${reasonOf(probe, failure)}): check ALT_RPC_URL and the limits of its plan`,
    )
  }
}

/** The number of the launchpad's logs; `range` if the node refuses several blocks or their logs as too many. */
const countLogs = async (target: NodeCheck, from: number, to: number): Promise<number | 'range'> => {
  const { probe, node } = target
  try {
    return (await ask(target, (stop) => node.logs({ from, to }, probe.nodeLogs.topics, stop))).length
  } catch (failure) {
    if (failure instanceof probe.NodeFailure && failure.trouble === 'range' && to > from) return 'range'
    throw failure
  }
}

/** Requests both halves too: a node that silently truncates responses then returns more. */
const logsHeld = async (target: NodeCheck, from: number, to: number, logs: number): Promise<Check> => {
  const { probe, origin } = target
  const name = 'alt logs'
  const blocks = to - from + 1
  const words = `${origin} returns ${logs} logs of ${blocks} blocks in one response`
  if (logs >= probe.LOGS_MAX) return good(name, `${words}: a response this large may be truncated, so mintfold requests fewer blocks`)
  const middle = Math.floor((from + to) / 2)
  const halves = to === from ? [logs] : [await countLogs(target, from, middle), await countLogs(target, middle + 1, to)]
  const sum = halves.reduce<number>((all, one) => all + (one === 'range' ? 0 : one), 0)
  if (sum > logs)
    return poor(name, `${words}, but ${sum} of the same blocks in two: it silently truncates logs; set ALT_RPC_URL to another node`)
  if (from === 0 || blocks === probe.SPAN_BLOCKS_MAX) return good(name, words)
  return good(name, `${words} and refuses ten times as many blocks: after an outage mintfold catches up slowly`)
}

/** `isKnown`: true if the JSON-RPC node responds; it must then have the announced block. */
const checkHeads = async (target: NodeCheck, isKnown: boolean): Promise<Check> => {
  const { node, origin, answerMsMax, probe } = target
  const name = 'alt heads'
  const without = `check ALT_WS_URL (without it the node is polled every ${probe.POLL_MS} ms)`
  const over = new AbortController()
  try {
    const announced = await Promise.race([firstHead(node, over.signal), pause(answerMsMax, over.signal).then(() => 'silent' as const)])
    if (announced === 'ended') return poor(name, `${origin} does not support subscriptions to new blocks: ${without}`)
    if (announced === 'silent') return poor(name, `${origin} announced no block in ${answerMsMax / 1_000} s: ${without}`)
    const { number, hash } = announced
    if (isKnown && !(await ask(target, (stop) => isFound(node, hash, stop)))) {
      const words = `${origin} announces block ${number}, which the node of ALT_RPC_URL does not have ${answerMsMax / 1_000} s later`
      return poor(name, `${words}: set ALT_WS_URL to a node of the same chain, ${probe.CHAIN_ID}`)
    }
    return good(name, `${origin} announces blocks: ${number}`)
  } finally {
    over.abort()
  }
}

type Head = Parameters<Parameters<NonNullable<Node['heads']>>[0]>[0]

const firstHead = (node: Node, stop: AbortSignal): Promise<Head | 'ended'> =>
  new Promise((resolve) => {
    const end = (): void => resolve('ended')
    if (node.heads === null) end()
    else node.heads(resolve, stop).then(end, end)
  })

const isFound = async (node: Node, hash: string, stop: AbortSignal): Promise<boolean> => {
  while (!stop.aborted) {
    const [block] = await node.blocks([hash], false, stop).catch(() => [])
    if (block) return true
    await pause(CHECK_MS, stop)
  }
  return false
}
