// Requests of soaks to processes and services that are being killed.

import { setTimeout as pause } from 'node:timers/promises'
import { inTime } from '../../query-api/http/in-time.ts'
import { EngineError } from '../../schemas/errors.ts'
import { retry } from '../../topology/waiting/retry.ts'

const GRACE_MS = 1_000

/** A second timeout for a request that has its own (`AbortSignal.timeout(msMax)`): with that alone two soaks hung forever (Node 20.20). */
export const answered = <Result>(asked: Promise<Result>, msMax: number): Promise<Result> => inTime(asked, msMax + GRACE_MS)

/** Retries temporary failures for two minutes. */
export const retried = <Value>(action: () => Promise<Value>): Promise<Value> =>
  retry(action, {
    firstMs: 100,
    forMs: 120_000,
    isPassing: (failure) => failure instanceof EngineError && failure.retriable,
  })

const ANSWER_MS_MAX = 5_000
const FAULTS_MAX = 20

/** Results so far. */
export interface Asked {
  answered: number
  /** The first requests not answered with 200, as text. */
  readonly faults: string[]
  failed: number
  /** Response times since the last `take`, ms. */
  took: number[]
}

/** Requests the newest launches and the card of one of them every `everyMs` until stopped. Payments must be off. */
export const askSteadily = (url: string, everyMs: number, stop: AbortSignal): { readonly asked: Asked; readonly done: Promise<void> } => {
  const asked: Asked = { answered: 0, faults: [], failed: 0, took: [] }
  return { asked, done: ask(url, everyMs, stop, asked) }
}

const ask = async (url: string, everyMs: number, stop: AbortSignal, asked: Asked): Promise<void> => {
  while (!stop.aborted) {
    const due = performance.now() + everyMs
    const launches = await answer(`${url}/v1/launches/recent`, asked)
    const mint = /"mint":"([1-9A-HJ-NP-Za-km-z]{32,44})"/.exec(launches ?? '')?.[1]
    if (mint !== undefined) await answer(`${url}/v1/mint/${mint}`, asked)
    await pause(Math.max(0, due - performance.now()))
  }
}

const answer = async (url: string, asked: Asked): Promise<string | null> => {
  const startedMs = performance.now()
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    const body = await response.text()
    if (response.status !== 200) throw new Error(`${response.status} ${body.slice(0, 200)}`)
    asked.answered++
    asked.took.push(performance.now() - startedMs)
    return body
  } catch (failure) {
    asked.failed++
    if (asked.faults.length < FAULTS_MAX) asked.faults.push(`${new Date().toISOString()} ${url}: ${String(failure)}`)
    return null
  }
}
