// A prefilter that avoids full reads must not lose anything that a frame keeps.
import { gunzipSync } from 'node:zlib'
import { parseConfirmedBlock } from '../../../../processors/chains/solana/encodings/confirmed-block.ts'
import { parseRpcTransaction } from '../../../../processors/chains/solana/encodings/rpc-json.ts'
import { prefilterRpc } from '../../../../processors/chains/solana/encodings/rpc-prefilter.ts'
import { toFrameBody } from '../../../../processors/chains/solana/normal-form.ts'
import { prefiltered, type SourceTransaction } from '../../../../processors/chains/solana/source-transaction.ts'
import { bad } from '../../../../schemas/errors.ts'
import { toBase58 } from '../../../../schemas/keys.ts'
import { readData } from './fixtures.ts'

const json = (path: string): unknown[] => JSON.parse(gunzipSync(readData(path)).toString()).transactions
const OLD_BLOCK = json('blocks/mainnet-285000037.getBlock.json.gz')
const EVERY_MINT = { has: () => true }
const bodyOf = (tx: SourceTransaction) => toFrameBody([{ index: 0, tx }], () => EVERY_MINT)
const whole = (transaction: unknown): SourceTransaction => {
  const parsed = parseRpcTransaction(transaction, 0)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

describe('the prefilter of a transaction', () => {
  test('keeps the same as a full read, for every third transaction of a recorded block and every coin', () => {
    let kept = 0
    for (const [index, transaction] of OLD_BLOCK.entries()) {
      const prefilter = prefilterRpc(transaction, 0, parseRpcTransaction)
      if (prefilter === undefined) continue
      kept++
      if (index % 3 > 0) continue
      expect(bodyOf(prefilter)).toEqual(bodyOf(whole(transaction)))
      expect([prefilter.signature, prefilter.failure, prefilter.keys]).toEqual([
        whole(transaction).signature,
        whole(transaction).failure,
        whole(transaction).keys,
      ])
    }
    expect(kept).toBeGreaterThan(OLD_BLOCK.length * 0.7)
  })

  test('suffices for most transactions of a stored block, with the same mints and failures as a full read', () => {
    const block = parseConfirmedBlock(gunzipSync(readData('blocks/mainnet-332254908.ConfirmedBlock.pb.gz')))
    const prefiltered = (block?.transactions ?? []).filter(({ prefilter }) => prefilter !== undefined)
    expect(prefiltered.length).toBeGreaterThan(1_500)
    for (const { prefilter, tokensBefore, tokensAfter } of prefiltered.filter((_, index) => index % 30 === 0))
      expect(prefilter?.mints).toEqual([...tokensBefore, ...tokensAfter].map(({ mint }) => toBase58(mint)))
  })

  test('gives only its own fields if the rest cannot be read', () => {
    const [prefilter] = OLD_BLOCK.flatMap((transaction) => prefilterRpc(transaction, 0, parseRpcTransaction)?.prefilter ?? [])
    if (prefilter === undefined) throw new Error('the block must have transactions for which the prefilter suffices')
    const known = { index: 3, signature: whole(OLD_BLOCK[0]).signature, failure: null, prefilter }
    const tx = prefiltered(known, () => bad('bad_transaction', 'the test says so'))
    expect([tx.index, tx.signature, tx.version, tx.signers, tx.keys, tx.instructions]).toEqual([3, known.signature, -1, 0, [], []])
  })

  test('refuses other shapes, which are read in full with their errors', () => {
    const [given] = OLD_BLOCK as [Record<string, object>]
    const { transaction, meta } = given as { transaction: { message: object; signatures: string[] }; meta: object }
    const shapes: unknown[] = [
      null,
      { ...given, meta: null },
      { ...given, transaction: ['AA==', 'base64'] },
      { ...given, transaction: { ...transaction, signatures: ['short'] } },
      { ...given, transaction: { ...transaction, message: { ...transaction.message, accountKeys: [{ pubkey: 'x' }] } } },
      { ...given, meta: { ...meta, postBalances: [] } },
      { ...given, meta: { ...meta, preTokenBalances: [{ mint: 7 }] } },
    ]
    for (const shape of shapes) expect(prefilterRpc(shape, 0, parseRpcTransaction)).toBeUndefined()
  })
})
