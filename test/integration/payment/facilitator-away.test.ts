// An operator whose facilitator cannot be reached learns from one notice which one it is, and why, in words.
import { createServer, type RequestListener } from 'node:http'
import { Facilitator } from '../../../query-api/payment/facilitator.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'

const servers: LocalServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))
const serverWith = async (answer: RequestListener): Promise<string> => {
  const server = await startLocal(createServer(answer))
  servers.push(server)
  return server.url
}
const nobody = async (): Promise<string> => {
  const server = await startLocal(createServer())
  await server.close()
  return server.url
}

const noticeOf = async (url: string): Promise<unknown> => {
  const notices: unknown[] = []
  const facilitator = new Facilitator({
    url: `${url}/a-key-in-the-path`,
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    timeoutMs: 2_000,
    clock: { now: Date.now },
    notice: (code, facts) => void notices.push({ code, ...facts }),
    neverSent: /never/,
    receiptOf: () => undefined,
  })
  expect(await facilitator.supported()).toBeUndefined()
  return notices[0]
}

test.each([
  ['nobody listens', nobody, 'nothing listens at this address'],
  ['no program may listen', async () => 'http://127.0.0.1:9', 'bad port'],
  ['somebody never answers', () => serverWith(() => {}), 'no answer in time'],
  ['somebody hangs up', () => serverWith((request) => void request.socket.destroy()), 'it closed the connection without an answer'],
])('where %s, the notice has the origin of the facilitator and the reason', async (_what, open, reason) => {
  const url = await open()
  expect(await noticeOf(url)).toEqual({ code: 'facilitator_unreachable', operation: 'supported', url, reason })
})
