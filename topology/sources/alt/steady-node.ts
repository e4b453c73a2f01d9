// Adds timeouts and retries to a node, and reports each kind of failure except `range` once until the node answers again.
import type { Notice } from '../../ports/notice.ts'
import { retry } from '../../waiting/retry.ts'
import { inTime, pause } from '../../waiting/waiting.ts'
import { type EvmNode, NodeFailure, type Trouble } from './node.ts'

const ANSWER_MS_MAX = 5_000
const TRIES_MAX = 3
const RETRY = { firstMs: 50, maxMs: 500 }
/** Pause after "too many requests" without a retry-after. */
const LIMITED_MS = 500
const LIMITED_MS_MAX = 30_000

/** Advice for a persistent failure. */
const ADVICE: Readonly<Record<Exclude<Trouble, 'range'>, string>> = {
  limited: 'its plan allows fewer requests: use a larger plan, or another node',
  late: 'it is slow or hangs: if this persists, use another node',
  unreachable: 'check the address, and that the node runs',
  refused: 'check that the address and its path are those of a JSON-RPC node',
  unreadable: 'check that the address and its path are those of a JSON-RPC node',
}

export interface SteadyOptions {
  /** The node's name in notices: the name of the setting that holds its URL. */
  readonly name: string
  readonly notice: Notice
  /** Timeout of one request; default `ANSWER_MS_MAX`. */
  readonly answerMsMax?: number
}

/** Rejects with the last NodeFailure; without retries for a refused range and for rate-limited log requests. */
export const steadyNode = (node: EvmNode, { name, notice, answerMsMax = ANSWER_MS_MAX }: SteadyOptions): EvmNode => {
  let limitedUntilMs = 0
  const reported = new Set<Trouble>()
  const failed = (failure: NodeFailure, method: string): void => {
    const { trouble, message, waitMs } = failure
    if (trouble === 'limited') limitedUntilMs = performance.now() + Math.min(LIMITED_MS_MAX, waitMs || LIMITED_MS)
    if (trouble === 'range' || reported.has(trouble)) return
    reported.add(trouble)
    const words = `${name} does not answer ${method} (${message}): ${ADVICE[trouble]}. Retrying`
    notice('chain_does_not_answer', { node: name, method, trouble, words })
  }
  const once = async <Answer>(method: string, stop: AbortSignal, ask: (stop: AbortSignal) => Promise<Answer>): Promise<Answer> => {
    await pause(limitedUntilMs - performance.now(), stop)
    try {
      const answer = await inTime(stop, answerMsMax, (limit) => ask(limit).catch((thrown) => Promise.reject(lateIf(limit, stop, thrown))))
      if (reported.size > 0) notice('chain_answers_again', { node: name })
      reported.clear()
      return answer
    } catch (failure) {
      if (failure instanceof NodeFailure && !stop.aborted) failed(failure, method)
      throw failure
    }
  }
  const ask = <Answer>(method: string, stop: AbortSignal, asking: (stop: AbortSignal) => Promise<Answer>): Promise<Answer> =>
    retry(() => once(method, stop, asking), {
      ...RETRY,
      triesMax: TRIES_MAX,
      isPassing: (failure) =>
        failure instanceof NodeFailure &&
        failure.trouble !== 'range' &&
        !(failure.trouble === 'limited' && method === 'logs') &&
        !stop.aborted,
    })
  return {
    heads: node.heads,
    chainId: (stop) => ask('chainId', stop, (limit) => node.chainId(limit)),
    latest: (stop) => ask('latest', stop, (limit) => node.latest(limit)),
    tagged: (tag, stop) => ask(tag, stop, (limit) => node.tagged(tag, limit)),
    blocks: (at, withTransactions, stop) => ask('blocks', stop, (limit) => node.blocks(at, withTransactions, limit)),
    logs: (range, topics, stop) => ask('logs', stop, (limit) => node.logs(range, topics, limit)),
  }
}

const lateIf = (limit: AbortSignal, stop: AbortSignal, thrown: unknown): unknown =>
  limit.aborted && !stop.aborted ? new NodeFailure('late', 'no answer in time') : thrown
