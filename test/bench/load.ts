// An HTTP load from a separate process, so that generator and server do not share an event loop.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export interface LoadOptions {
  readonly url: string
  readonly seconds: number
  readonly connections: number
  /** Requests a second over all connections; unlimited if absent. With a rate, latency counts from when a request was due, not sent. */
  readonly rate?: number
  /** The expected status; only without `rate`. 200 by default. */
  readonly status?: number
  /** Seconds of warm-up with the same client and load, not measured; only with `rate`. */
  readonly warmS?: number
}

export interface LoadResult {
  readonly requests: number
  readonly rps: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** Responses with another status, broken connections and missing responses: a figure with any of them is invalid. */
  readonly failures: number
}

const FAST = createRequire(import.meta.url).resolve('autocannon')
const PACED = fileURLToPath(new URL('./paced-client.mjs', import.meta.url))

/** Sends GET requests for `seconds`. @throws if the generator gives no result */
export const load = async ({ url, seconds, connections, rate, status = 200, warmS = 0 }: LoadOptions): Promise<LoadResult> => {
  if (rate !== undefined) return JSON.parse(await outputOf([PACED, url, rate, seconds, connections, warmS].map(String))) as LoadResult
  const text = await outputOf([FAST, '--json', '--no-progress', '--connections', String(connections), '--duration', String(seconds), url])
  const { latency, requests, statusCodeStats, ...rest } = JSON.parse(text) as Report
  return {
    requests: requests.total,
    rps: Math.round(requests.average),
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    maxMs: latency.max,
    failures: requests.total - (statusCodeStats[status]?.count ?? 0) + rest.errors + rest.timeouts,
  }
}

interface Report {
  readonly latency: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly requests: { readonly total: number; readonly average: number }
  readonly statusCodeStats: Readonly<Record<string, { readonly count: number } | undefined>>
  readonly errors: number
  readonly timeouts: number
}

const outputOf = (args: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(`the load generator ended with code ${code}`))))
  })
