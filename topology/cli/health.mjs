// Exit code 0 if URL answers 200 within 5 s, else 1 with the reason: `node topology/cli/health.mjs URL`. For images, which have no curl.
const TIMEOUT_MS = 5_000
const url = process.argv[2] ?? 'http://127.0.0.1:9464/metrics'

try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (status !== 200) throw new Error(`status ${status}`)
} catch (failure) {
  process.stderr.write(`${url}: ${failure instanceof Error ? (failure.cause ?? failure) : failure}\n`)
  process.exitCode = 1
}
