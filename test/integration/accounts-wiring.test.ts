// Which node `up` reads accounts from for thin cards: the source's own chain, else the configured node, else none.
import { openAccounts } from '../../topology/cli/wiring/open-accounts.ts'
import type { AccountReader } from '../../topology/ports/accounts.ts'
import { startAccountNode } from '../fakes/account-node.ts'
import * as given from '../fixtures/account-bytes.ts'

const MINT = given.RECORDED_MINT
const OWN: AccountReader = { read: async () => ({ ok: false, reason: 'of the source' }) }

test('a source with its own chain queries no node', async () => {
  const node = await startAccountNode()
  const { accounts } = openAccounts(OWN, node.url, () => {})
  expect(await accounts?.read(MINT)).toEqual({ ok: false, reason: 'of the source' })
  expect(node.asked).toEqual([])
  await node.close()
})
test('a source without a chain and a configured node share one request among many reads', async () => {
  const node = await startAccountNode()
  node.put(MINT, given.recordedAccount('mint'))
  const { accounts } = openAccounts(undefined, node.url, () => {})
  const reads = await Promise.all([1, 2, 3].map(() => accounts?.read(MINT)))
  for (const read of reads) expect(read).toMatchObject({ ok: true, value: { exists: true, mint: { ok: true, value: { decimals: 6 } } } })
  expect(node.asked).toHaveLength(1)
  await node.close()
})
test('without chain and node nothing is queried', () => {
  expect(openAccounts(undefined, null, () => {})).toEqual({})
})
