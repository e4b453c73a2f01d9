// Rows of a view own their bytes: the log's whole response buffer is released.
import { pageKey, parsePageKey } from '../../../topology/engine/rows/state-type.ts'
import { MintRowsByKey } from '../../../topology/views/mint-rows.ts'
import { mintState } from '../../fixtures/mint-state.ts'
import { MINT } from '../processors/mint/market.ts'

test.each([
  ['a slice of a whole response', 64 * 1024, 300],
  ["a slice of Node's pool for small buffers", 8 * 1024, 40],
])('a row retains at most twice its bytes of %s', (_name, answerBytes, rowBytes) => {
  const answer = Buffer.alloc(answerBytes, 1)
  const view = new MintRowsByKey(mintState)
  const { key, page } = parsePageKey(pageKey(MINT, 0))
  view.put(key as typeof MINT, page, answer.subarray(100, 100 + rowBytes), 1)
  const kept = view.firstPage(MINT)
  expect(kept?.length).toBe(rowBytes)
  expect(kept?.buffer.byteLength).toBeLessThanOrEqual(2 * rowBytes)
})
