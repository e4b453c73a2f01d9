// Servers that misbehave, on ports of this machine.
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'

const page: RequestListener = (_request, response) =>
  void response.setHeader('content-type', 'text/html').end('<html><title>It works</title></html>')
const status =
  (code: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(code).end('no')
const text =
  (body: string): RequestListener =>
  (_request, response) =>
    void response.setHeader('content-type', 'application/json').end(body)

const HTTP: Readonly<Record<string, RequestListener>> = {
  'a page of HTML': page,
  'status 500': status(500),
  'status 404': status(404),
  'status 401': status(401),
  'a redirect': (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'an empty answer': text(''),
  'half an answer': (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{"jsonrpc":"2.0","res')
    setTimeout(() => response.destroy(), 20)
  },
  'JSON of something else': text('{"hello":"world"}'),
  'nonsense of the right shape': text('{"jsonrpc":"2.0","id":1,"result":"nonsense","kinds":[]}'),
  'no answer': () => {},
}

interface Broken {
  readonly what: string
  /** host:port */
  readonly host: string
}

export interface BrokenServers {
  readonly all: readonly Broken[]
  close(): Promise<void>
}

/** HTTP servers, one that hangs up, one that speaks another protocol, and a port where nothing listens. */
export const startBroken = async (): Promise<BrokenServers> => {
  const started: LocalServer[] = []
  const all: Broken[] = []
  for (const [what, answer] of Object.entries(HTTP)) {
    const server = await startLocal(createServer(answer))
    started.push(server)
    all.push({ what, host: new URL(server.url).host })
  }
  const tcp: Readonly<Record<string, (socket: Socket) => void>> = {
    'a hang-up': (socket) => void socket.destroy(),
    'another protocol': (socket) => void socket.end('220 mail.example ESMTP\r\n'),
  }
  const sockets = Object.entries(tcp).map(([what, greet]) => ({
    what,
    server: createTcpServer((socket) => {
      socket.on('error', () => {})
      greet(socket)
    }),
  }))
  for (const { what, server } of sockets) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    all.push({ what, host: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}` })
  }
  const closed = await startLocal(createServer())
  all.push({ what: 'a closed port', host: new URL(closed.url).host })
  await closed.close()
  const close = async (): Promise<void> => {
    await Promise.all(started.map((server) => server.close()))
    for (const { server } of sockets) server.close()
  }
  return { all, close }
}
