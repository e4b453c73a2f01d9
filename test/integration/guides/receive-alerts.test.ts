// The receiver of the guides, as a program of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { key, NOW_S } from '../../unit/query-api/given-mint.ts'
import { eventually } from '../alerts-checks.ts'
import { type GivenAlerts, givenAlerts } from '../alerts-given.ts'

const RECEIVER = fileURLToPath(new URL('../../../query-api/guides/receive_alerts.mjs', import.meta.url))
const running: ChildProcess[] = []
let given: GivenAlerts
beforeEach(async () => {
  given = await givenAlerts()
})
afterEach(async () => {
  await given.close()
  for (const child of running.splice(0)) child.kill()
})

const receiver = async (...secret: string[]) => {
  const child = spawn(process.execPath, [RECEIVER, '0', ...secret], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const [printed] = await once(child.stderr, 'data')
  const lines: string[] = []
  child.stdout.on('data', (text) => lines.push(String(text)))
  return { url: /http:\S+/.exec(String(printed))?.[0] ?? '', lines }
}

test('the shipped receiver returns challenges, and prints alerts that arrive', async () => {
  const { url, lines } = await receiver()
  expect(await given.alerts.unprovenRefusal(given.order({ url }))).toBeNull()
  await given.buy({ url })
  const mint = key(1)
  given.odds.append({ mint, head: 'true_graduation', ppm: 900_000, at: NOW_S })
  await eventually(
    () => given,
    () => lines.length === 1,
  )
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ kind: 'graduation_odds', odds: 0.9 })
})

test('the shipped receiver refuses alerts that are not signed with its secret', async () => {
  const { url, lines } = await receiver('another secret')
  const { subscription_id } = await given.buy({ url })
  expect(await given.alerts.test(subscription_id)).toEqual({ isDelivered: false, reason: 'status 401' })
  expect(lines).toEqual([])
})
