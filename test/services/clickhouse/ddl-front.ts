// Stands before one engine of a test's cluster and does what the embedded engine lacks: runs statements with ON CLUSTER on every engine,
// and creates tables without replicas where replicated ones are asked for. Everything else goes to its engine unchanged.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import { startLocal } from '../../tools/local-server.ts'

export interface Front {
  readonly url: string
  /** Statements with ON CLUSTER, as they arrived. */
  readonly statements: readonly string[]
  close(): Promise<void>
}

const ON_CLUSTER = / ON CLUSTER \w+/
const REPLICATED = /ENGINE = Replicated(\w+)\('[^']*', '[^']*'(?:, )?/

export const openFront = async (own: number, all: readonly number[]): Promise<Front> => {
  const statements: string[] = []
  const answer = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bytesOf(asked)
    const statement = body.subarray(0, 500_000).toString('utf8')
    if (!/^(?:CREATE|ALTER|DROP|TRUNCATE|OPTIMIZE)\b/.test(statement) || !ON_CLUSTER.test(statement)) {
      const answered = await ask(own, asked, body)
      response.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(response)
      return
    }
    statements.push(statement)
    const plain = Buffer.from(statement.replace(ON_CLUSTER, '').replace(REPLICATED, 'ENGINE = $1('))
    for (const port of [...all.filter((other) => other !== own), own]) {
      const answered = await ask(port, asked, plain)
      const text = await bytesOf(answered)
      if (answered.statusCode === 200 && port !== own) continue
      response.writeHead(answered.statusCode ?? 502, withLength(answered.headers, text))
      response.end(text)
      return
    }
  }
  const server = createServer((asked, response) => {
    // As a server that ends: the client sees a broken connection.
    answer(asked, response).catch(() => response.destroy())
  })
  const { url, close } = await startLocal(server)
  return { url, statements, close }
}

const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The headers of a message whose body is now in one piece. */
const withLength = (headers: IncomingHttpHeaders, { length }: Buffer): OutgoingHttpHeaders => {
  const { 'transfer-encoding': _, ...others } = headers
  return { ...others, 'content-length': length }
}

const ask = (port: number, { url: path, method, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers: { ...withLength(headers, body), connection: 'close' } }, resolve)
      .on('error', reject)
      .end(body)
  })
