// Whom `up` lets thin cards ask: the source's own chain, else the node that is set, else nobody.
import { openAccounts } from '../../topology/cli/wiring/open-accounts.ts'
import type { AccountReader } from '../../topology/ports/accounts.ts'
import { startAccountNode } from '../fakes/account-node.ts'
import * as given from '../fixtures/account-bytes.ts'

const MINT = given.RECORDED_MINT
const OWN: AccountReader = { read: async () => ({ ok: false, reason: 'of the source' }) }

test('given a source with a chain of its own, then no node is asked', async () => {
  const node = await startAccountNode()
  const { accounts } = openAccounts(OWN, node.url, () => {})
  expect(await accounts?.read(MINT)).toEqual({ ok: false, reason: 'of the source' })
  expect(node.asked).toEqual([])
  await node.close()
})
test('given a source without and a node, then the node is asked, once for many', async () => {
  const node = await startAccountNode()
  node.put(MINT, given.recordedAccount('mint'))
  const { accounts } = openAccounts(undefined, node.url, () => {})
  const reads = await Promise.all([1, 2, 3].map(() => accounts?.read(MINT)))
  for (const read of reads) expect(read).toMatchObject({ ok: true, value: { exists: true, mint: { ok: true, value: { decimals: 6 } } } })
  expect(node.asked).toHaveLength(1)
  await node.close()
})
test('given neither, then nobody', () => {
  expect(openAccounts(undefined, null, () => {})).toEqual({})
})
