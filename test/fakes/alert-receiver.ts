// A local receiver of alerts. It does not simulate: TLS, names, rates, or what a chat does with a message.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { startLocal } from '../tools/local-server.ts'

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface AlertReceiver {
  readonly url: string
  /** All complete requests in order, refused ones too. */
  readonly received: Received[]
  /** Ids of accepted alerts. */
  readonly taken: string[]
  /** Status of the next responses; `cut` breaks the connection instead, after the request was read, and `never` leaves it open. */
  answer: number | 'cut' | 'never'
  close(): Promise<void>
}

export const startReceiver = async (): Promise<AlertReceiver> => {
  const receiver: Omit<AlertReceiver, 'url' | 'close'> = { received: [], taken: [], answer: 204 }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { answer } = receiver
    receiver.received.push({ path: request.url ?? '', headers: request.headers, body })
    if (answer === 'cut') return void request.socket.destroy()
    if (answer === 'never') return
    if (answer < 300) receiver.taken.push(String((JSON.parse(body) as { readonly id?: string }).id))
    response.writeHead(answer).end()
  })
  const { url, close } = await startLocal(server)
  return Object.assign(receiver, { url, close })
}
