// A stop during a sale: no new caller is admitted, waiting buyers get their answer, and /ready diverts traffic.
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { serve } from '../../query-api/http/server.ts'
import { drainedAfter } from '../../topology/cli/start/drained.ts'
import { endingWith } from '../../topology/cli/wiring/open-api.ts'
import { base58, key, liveState } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const MINT = `/v1/mint/${base58(1)}`
const answerOf = async (url: string, agent: Agent, headers: Record<string, string> = {}) => {
  const [response] = (await once(get(url, { agent, headers }), 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) text += chunk
  return {
    status: response.statusCode,
    connection: response.headers.connection,
    body: JSON.parse(text) as { readonly ok: boolean; readonly error?: string },
  }
}

test('on stop the answer of a settlement in progress is sent, /ready is 503, and no new caller is admitted', async () => {
  const [stop, ending] = [new AbortController(), new AbortController()]
  const api = harness({ around: { closing: ending.signal, stopping: ending.signal } })
  api.view.put(key(1), liveState({}))
  const { sell } = api.gate
  let settle: () => void = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  api.gate.sell = async (sale) => {
    const outcome = await sell.call(api.gate, sale)
    await settled
    return outcome
  }
  const serving = await serve(api.app, { host: '127.0.0.1', port: 0 })
  const end = endingWith(stop.signal, ending, serving)
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const
  const buying = answerOf(serving.url + MINT, agents[0], { 'payment-signature': 'paid', 'accept-encoding': 'identity' })
  while (api.gate.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  stop.abort()
  expect(ending.signal.aborted).toBe(true)
  await expect(answerOf(`${serving.url}/health`, agents[1])).rejects.toThrow(/ECONNREFUSED/)
  settle()
  expect(await buying).toMatchObject({ status: 200, body: { ok: true } })
  const before = performance.now()
  await end()
  expect(performance.now() - before).toBeLessThan(4_000)
  expect(api.gate.calls).toEqual([{ kind: 'settled', path: '/v1/mint/{mint}' }])
  expect((await api.get('/ready')).body).toMatchObject({ ok: false, error: 'stopping' })
  for (const agent of agents) agent.destroy()
})

describe('a server that drains', () => {
  const DRAIN_MS = 300
  const given = async (isReady: boolean) => {
    const [stop, ending] = [new AbortController(), new AbortController()]
    const drained = drainedAfter({ stop: stop.signal, printNotice: () => {} }, DRAIN_MS, () => isReady)
    const api = harness({ around: { closing: ending.signal, stopping: stop.signal } })
    const serving = await serve(api.app, { host: '127.0.0.1', port: 0 })
    return { stop, ending, end: endingWith(drained, ending, serving), serving, agent: new Agent({ keepAlive: true }) }
  }

  test('answers new callers until the drain is over, closes each connection after its answer, and is 503 on /ready', async () => {
    const { stop, ending, end, serving, agent } = await given(true)
    const health = (): ReturnType<typeof answerOf> => answerOf(`${serving.url}/health`, agent)
    expect(await health()).toMatchObject({ status: 200, connection: 'keep-alive' })
    stop.abort()
    expect(await health()).toMatchObject({ status: 200, connection: 'close' })
    expect(await answerOf(`${serving.url}/ready`, agent)).toMatchObject({ status: 503, body: { error: 'stopping' } })
    expect(ending.signal.aborted).toBe(false)
    await once(ending.signal, 'abort')
    await expect(health()).rejects.toThrow(/ECONNREFUSED/)
    await end()
    agent.destroy()
  })
  test('does not drain if it was not ready: no load balancer sends to it', async () => {
    const { stop, ending, end } = await given(false)
    stop.abort()
    expect(ending.signal.aborted).toBe(true)
    await end()
  })
})
