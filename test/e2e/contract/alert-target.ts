// A generic webhook of alerts, as a buyer runs it: returns the challenge and stores what is pushed.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { startLocal } from '../../tools/local-server.ts'
import type { Json } from './demo.ts'

export interface AlertTarget {
  readonly url: string
  /** Bodies of alerts, in order of arrival. */
  readonly messages: readonly Json[]
  close(): Promise<void>
}

export const startTarget = async (): Promise<AlertTarget> => {
  const messages: Json[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Json
    if (body.challenge === undefined) messages.push(body)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ challenge: body.challenge }))
  })
  const { url, close } = await startLocal(server)
  return { url, messages, close }
}
