// One API client with its own address.
import { Agent, get } from 'node:http'

const ANSWER_MS_MAX = 30_000

export interface Called {
  readonly status: number
  readonly body: string
}

/** Sends the address as a proxy would: it counts only if the server trusts 127.0.0.1. */
export class Caller {
  readonly #agent: Agent
  readonly #address: string

  /** `keepAlive`: one connection for all requests, else one for each. */
  constructor(n: number, keepAlive = true) {
    this.#agent = new Agent({ keepAlive, maxSockets: 1 })
    this.#address = `10.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`
  }
  get(url: string, headers: Record<string, string> = {}): Promise<Called> {
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, timeout: ANSWER_MS_MAX, headers: { ...headers, 'x-forwarded-for': this.#address } }
      const request = get(url, options, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body })).on('error', reject)
      })
      request.on('timeout', () => request.destroy(new Error(`no answer within ${ANSWER_MS_MAX} ms`))).on('error', reject)
    })
  }
  close(): void {
    this.#agent.destroy()
  }
}
