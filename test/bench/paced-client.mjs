// An open-loop HTTP load in a separate process: request n is due at n / rate, and its latency counts from then. Arguments: url, requests a
// second, seconds, connections, warm-up seconds before these, which are not measured: a new client takes 10-30 ms for its first requests.
// Prints one JSON line. (autocannon sends a rate in bursts: a bare server then shows 10 ms and more at the 99th percentile.)
import { Agent, get } from 'node:http'

const [url, rate, seconds, connections, warmSeconds] = [process.argv[2], ...process.argv.slice(3).map(Number)]
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const warm = rate * warmSeconds
const total = warm + rate * seconds
const latencies = []
let failures = 0
let answered = 0
let sent = 0
const started = performance.now()

const send = (n) => {
  const dueMs = started + (n * 1_000) / rate
  const fail = () => {
    failures++
    done()
  }
  const done = () => {
    if (++answered === total) report()
  }
  get(url, { agent }, (response) => {
    response.on('error', fail)
    response.on('end', () => {
      if (response.statusCode !== 200) return fail()
      if (n > warm) latencies.push(performance.now() - dueMs)
      done()
    })
    response.resume()
  }).on('error', fail)
}

const report = () => {
  latencies.sort((a, b) => a - b)
  const at = (share) => Math.round((latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0) * 100) / 100
  const rps = Math.round((latencies.length / (performance.now() - started - warmSeconds * 1_000)) * 1_000)
  process.stdout.write(JSON.stringify({ requests: latencies.length, rps, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), failures }))
  agent.destroy()
}

const tick = () => {
  const due = Math.min(total, Math.floor(((performance.now() - started) * rate) / 1_000))
  while (sent < due) send(++sent)
  if (sent < total) setTimeout(tick, 1)
}
tick()
