// The official conformance suite of both revisions: whatever is not listed with a reason passes.
import { createServer } from 'node:http'
import { SetHistory } from '../../fakes/set-history.ts'
import { fillMarket } from '../../fixtures/page-market.ts'
import { startLocal } from '../../tools/local-server.ts'
import { harness } from '../api-harness.ts'
import { notApplicable } from './not-applicable.ts'
import { type Check, checksOf } from './suite.ts'

const SUITE_MS_MAX = 180_000
/** No reason excuses a message that the schema of its revision does not allow. */
const ALWAYS = 'wire-schema-valid'
const listed = new Set(notApplicable.flatMap(({ names }) => names))
const isListed = ({ scenario, id }: Check): boolean => id !== ALWAYS && (listed.has(scenario) || listed.has(id))
const isMissed = ({ status }: Check): boolean => status === 'FAILURE' || status === 'WARNING'

const revisions = ['2025-11-25', '2026-07-28'] as const
const checks = new Map<string, readonly Check[]>()
beforeAll(async () => {
  const api = harness({ history: new SetHistory() })
  fillMarket(api.view)
  const { url, close } = await startLocal(createServer(api.app.callback()))
  for (const revision of revisions) checks.set(revision, await checksOf(`${url}/mcp`, revision))
  await close()
}, SUITE_MS_MAX)

test.each(revisions)('every applicable check of %s passes', (revision) => {
  const missed = checks.get(revision)?.filter((check) => isMissed(check) && !isListed(check))
  expect(missed?.map(({ scenario, id, errorMessage }) => `${scenario} ${id}: ${errorMessage}`)).toEqual([])
})
test.each([
  ['2025-11-25', ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection']],
  [
    '2026-07-28',
    ['server-stateless', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection', 'caching', 'http-header-validation'],
  ],
  ['2026-07-28', ['sep-2164-resource-not-found', 'server-sse-multiple-streams', 'input-required-result-unsupported-methods']],
])('%s %j are requested and answered', (revision, scenarios) => {
  for (const name of scenarios)
    expect(checks.get(revision)?.some(({ scenario, status }) => scenario === name && status === 'SUCCESS')).toBe(true)
})
test('nothing that passes or is not requested is listed as not applicable', () => {
  const missed = [...checks.values()].flat().filter(isMissed)
  const needless = [...listed].filter((name) => !missed.some(({ scenario, id }) => scenario === name || id === name))
  expect(needless).toEqual([])
})
