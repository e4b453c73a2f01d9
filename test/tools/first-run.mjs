// A newcomer's first minutes, with a fresh data directory and a free port: starts the server, buys the suggested card, sends the payment
// again, queries the history, stops and restarts. Argument: hours of history, instead of those of `npm start`. The last line is
// `N passed, N failed`.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { tryResolveLibchdb } from 'chdb/libchdb'
import { register } from 'tsx/esm/api'

register()
const { boughtIn } = await import('./bought.ts')
const { firstQuestions } = await import('./first-questions.ts')

/** Generous: a start takes some seconds, on a busy machine more. */
const UP_MS_MAX = 120_000
/** deploy/README.md promises that a process stops within 10 s. */
const DOWN_MS_MAX = 10_000
const COMMAND_MS_MAX = 120_000
/** The history is still being written when the server starts to answer; writing begins once it answers about the early capture. */
const HISTORY_MS_MAX = 240_000
/** Between two queries of a history that is being written: a query takes a processor for most of a second. */
const ASK_EVERY_MS = 1_000
const HOURS_BY_DEFAULT = 6
const [hours = HOURS_BY_DEFAULT] = process.argv.slice(2).map(Number)
// A short history of the moment may lack what the questions ask for: the market of this start has it.
const UP_OPTIONS = hours === HOURS_BY_DEFAULT ? [] : ['--history', String(hours), '--start', '2026-10-15T12:00:00Z']
/** The metrics may use another port and print their address first. */
const ANSWERS = /mintfold answers on (http:\/\/127\.0\.0\.1:\d+)/

const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'topology/cli/mintfold.mjs')

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

/** Starts a process and collects its output; `line(pattern)` waits until the output matches. */
const start = (command, args, env, detached = false) => {
  const child = spawn(command, args, { cwd: root, env, detached, stdio: ['ignore', 'pipe', 'pipe'] })
  const run = { child, stdout: '', all: '' }
  const waiting = new Set()
  const take = (name) => (chunk) => {
    if (name === 'stdout') run.stdout += chunk
    run.all += chunk
    for (const look of waiting) look()
  }
  child.stdout.setEncoding('utf8').on('data', take('stdout'))
  child.stderr.setEncoding('utf8').on('data', take('stderr'))
  run.exited = new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal)))
  run.line = (pattern, msMax) =>
    within(
      msMax,
      `${pattern} in:\n${run.all}`,
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(run.all)
          if (found) resolve(found)
        }
        waiting.add(look)
        look()
        run.exited.then((code) => reject(new Error(`ended with ${code} before ${pattern}:\n${run.all}`)))
      }),
    )
  return run
}

const within = (msMax, what, promise) => {
  let timer
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${msMax / 1000} s: ${what}`)), msMax)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

const run = async (args, env) => {
  const process = start(globalThis.process.execPath, [bin, ...args], env)
  try {
    const code = await within(COMMAND_MS_MAX, `mintfold ${args.join(' ')}`, process.exited)
    if (code !== 0) throw new Error(`mintfold ${args.join(' ')} ended with ${code}:\n${process.all}`)
    return process
  } finally {
    process.child.kill('SIGKILL')
  }
}

const counts = { passed: 0, failed: 0 }
const check = async (name, act) => {
  const before = performance.now()
  try {
    const value = await act()
    counts.passed++
    process.stdout.write(`ok      ${name} (${Math.round(performance.now() - before)} ms)\n`)
    return value
  } catch (error) {
    counts.failed++
    process.stdout.write(`FAILED  ${name}: ${error.message}\n`)
    return undefined
  }
}
const demand = (condition, what) => {
  if (!condition) throw new Error(what)
}

const dataDir = await mkdtemp(join(tmpdir(), 'mintfold-first-run-'))
const { MINTFOLD_BASE_URL: _baseUrl, ...environment } = process.env
const env = {
  ...environment,
  MINTFOLD_DATA_DIR: dataDir,
  MINTFOLD_HOST: '127.0.0.1',
  MINTFOLD_PORT: String(await freePort()),
  MINTFOLD_CLICKHOUSE_PORT: '0',
}
// In its own process group: a signal reaches the whole group, as Ctrl-C in a terminal does.
const server = start('npm', ['start', '--', ...UP_OPTIONS], env, true)
const signalServer = (signal) => {
  if (server.child.exitCode === null && server.child.signalCode === null) process.kill(-server.child.pid, signal)
}

try {
  const url = await check('up prints its address', async () => (await server.line(ANSWERS, UP_MS_MAX))[1])
  const path = await check(
    'up names what to try',
    async () => (await server.line(/npx mintfold buy (\/v1\/mint\/[1-9A-HJ-NP-Za-km-z]{32,44})/, UP_MS_MAX))[1],
  )
  await check('/health answers', async () => {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(COMMAND_MS_MAX) })
    demand(response.status === 200, `status ${response.status}`)
    await response.json()
  })
  await check('a card without payment is 402', async () => {
    const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(COMMAND_MS_MAX) })
    demand(response.status === 402, `status ${response.status}`)
    demand((await response.json()).x402Version === 2, 'the body has no x402 payment requirements')
  })
  const bought = await check('buy pays and prints the card', async () => {
    const { stdout } = await run(['buy', path, '--server', url], env)
    const card = JSON.parse(stdout)
    demand(card.ok === true && path.endsWith(card.data.mint), `not the card of ${path}: ${stdout.slice(0, 200)}`)
    return stdout
  })
  await check('the same payment sent again returns the same answer', async () => {
    const { stdout } = await run(['buy', path, '--server', url, '--resend'], env)
    demand(boughtIn(stdout) === boughtIn(bought), 'the answers differ')
  })
  if (tryResolveLibchdb() === undefined)
    process.stdout.write('SKIPPED: the SQL queries, because the embedded ClickHouse is not available on this machine\n')
  else
    for (const { query, wrong } of firstQuestions())
      await check(`sql answers ${query}`, async () => {
        const endMs = performance.now() + HISTORY_MS_MAX
        for (let left = 'no query ran'; left !== undefined; ) {
          const asked = await run(['sql', query, '--format', 'JSONEachRow'], env).catch((error) => error)
          left =
            asked instanceof Error
              ? asked.message
              : wrong(
                  asked.stdout
                    .split('\n')
                    .filter(Boolean)
                    .map((line) => JSON.parse(line)),
                  hours,
                )
          demand(left === undefined || performance.now() < endMs, `not plausible: ${left}`)
          if (left !== undefined) await pause(ASK_EVERY_MS)
        }
      })
  await check('Ctrl-C stops it cleanly within 10 s', async () => {
    signalServer('SIGINT')
    await within(DOWN_MS_MAX, 'the end of the process', server.exited)
    demand(/stopping: committed work is kept/.test(server.all) && !/bug|did not stop/.test(server.all), `no clean stop:\n${server.all}`)
    const gone = await fetch(url).catch(() => undefined)
    demand(gone === undefined, 'the address still answers')
  })
  await check('a restarted server still knows the payment', async () => {
    const again = start(process.execPath, [bin, 'up', ...UP_OPTIONS], env)
    try {
      await again.line(ANSWERS, UP_MS_MAX)
      const { stdout } = await run(['buy', path, '--server', url, '--resend'], env)
      demand(boughtIn(stdout) === boughtIn(bought), 'the answers differ')
      again.child.kill('SIGTERM')
      const code = await within(DOWN_MS_MAX, 'the end of the process', again.exited)
      demand(code === 0, `ended with ${code}:\n${again.all}`)
    } finally {
      again.child.kill('SIGKILL')
    }
  })
} finally {
  signalServer('SIGKILL')
  await server.exited
  await rm(dataDir, { recursive: true, force: true })
}
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`)
process.exitCode = counts.failed === 0 ? 0 : 1
