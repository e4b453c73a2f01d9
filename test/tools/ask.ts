// One HTTP request on a connection of its own, exactly as given: `fetch` adds headers, decompresses, and cannot choose its own address.
import { type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, type RequestOptions } from 'node:https'
import { buffer } from 'node:stream/consumers'

export interface Asked {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface AskOptions extends RequestOptions {
  readonly body?: string | Buffer
}

/** Resolves once the headers have arrived. */
export const begin = (url: string, { body, ...options }: AskOptions = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? overHttps : overHttp
    request(url, { agent: false, ...options }, resolve)
      .on('error', reject)
      .end(body)
  })

/** Rejects if the answer ends before its length. */
export const ask = async (url: string, options: AskOptions = {}): Promise<Asked> => {
  const response = await begin(url, options)
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) }
}
