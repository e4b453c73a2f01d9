// Sends raw requests, valid or not.
import { request } from 'node:http'

const ANSWER_BYTES_MAX = 4 * 1024 * 1024
/** Generous: a busy machine may take that long. */
const ANSWER_MS_MAX = 60_000

export interface Answered {
  /** 0: there is no answer, and the body is the error code. */
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Sends one request on its own connection. */
export const ask = (
  baseUrl: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer | undefined,
): Promise<Answered> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(baseUrl)
    const sent = request({ hostname, port, method, path, headers, agent: false, timeout: ANSWER_MS_MAX }, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= ANSWER_BYTES_MAX) chunks.push(chunk)
      })
      response.once('end', () => {
        const isPlain = response.headers['content-encoding'] === undefined
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          body: isPlain ? Buffer.concat(chunks).toString('utf8') : '',
        })
      })
    })
    sent.once('timeout', () => sent.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
    sent.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve({ status: 0, type: '', body: code }))
    sent.end(body)
  })
