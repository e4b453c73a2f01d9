import fc from 'fast-check'
import { parseRpcTransaction } from '../../../../processors/chains/solana/encodings/rpc-json.ts'
import { readWire } from '../../../../processors/chains/solana/encodings/wire.ts'
import { toBytes } from '../../../../schemas/keys.ts'
import type { FrameTransaction } from '../../../../schemas/types.ts'
import { frameTransaction, open, readJson } from './fixtures.ts'

const wireOf = (name: string): Buffer => Buffer.from((readJson(name).transaction as string[])[0] as string, 'base64')
const names = ['amm_sell+amm_buy-gauADRJV', 'create_v2+buy-4HbY43S9-base64', 'buy-3mpAjSPh', 'create_v2-EqJjYo2a']

/** A transaction in version 1 of the wire form (SIMD-0385); the lifetime and all signatures but the first are zeros. */
const toV1 = (tx: FrameTransaction, mask = 0b11101): Buffer => {
  const bits = (mask >>> 0).toString(2).replaceAll('0', '').length
  const u16 = (n: number): Buffer => Buffer.from([n & 0xff, n >> 8])
  const head = Buffer.from([0x81, tx.signers, 0, 0, ...u16(mask & 0xffff), ...u16(mask >>> 16)])
  const keys = tx.keys.map(toBytes)
  const headers = tx.instructions.map(({ program, accounts, data }) =>
    Buffer.concat([Buffer.from([program, accounts.length]), u16(data.length)]),
  )
  const payloads = tx.instructions.flatMap(({ accounts, data }) => [Buffer.from(accounts), Buffer.from(data)])
  const signatures = [toBytes(tx.signature), Buffer.alloc(64 * (tx.signers - 1))]
  return Buffer.concat([
    head,
    Buffer.alloc(32),
    Buffer.from([tx.instructions.length, keys.length]),
    ...keys,
    Buffer.alloc(4 * bits),
    ...headers,
    ...payloads,
    ...signatures,
  ])
}

describe('the wire form', () => {
  test.each(names)('%s gives signature, signers and instructions', (name) => {
    const tx = frameTransaction(open(`tx/${name}.json.gz`))
    const read = readWire(wireOf(name))
    expect(read).toMatchObject({ ok: true, value: { signature: tx.signature, version: tx.version, signers: tx.signers } })
    expect(read.ok && read.value.instructions).toEqual(tx.instructions)
    expect(read.ok && tx.keys.slice(0, read.value.staticKeys.length)).toEqual(read.ok && read.value.staticKeys)
  })

  test('version 1 as JSON and as bytes gives the same transaction', () => {
    const json = readJson('sell-V1tx-4DqvQfnU')
    const tx = frameTransaction(open('tx/sell-V1tx-4DqvQfnU.json.gz'))
    const bytes = parseRpcTransaction({ ...json, transaction: [toV1(tx).toString('base64'), 'base64'] }, 330)
    expect(bytes).toMatchObject({ ok: true, value: { version: 1, signers: 1, keys: tx.keys, signature: tx.signature } })
    expect(bytes.ok && bytes.value.instructions.map(({ data }) => Buffer.from(data as Uint8Array))).toEqual(
      tx.instructions.map(({ data }) => data),
    )
  })

  test.each([0, 1, 0x8000, 0x1_0000, 0x8000_0000, 0xffff_ffff])('version 1 with settings %i has four bytes per bit', (mask) => {
    const tx = frameTransaction(open('tx/sell-V1tx-4DqvQfnU.json.gz'))
    expect(readWire(toV1(tx, mask))).toMatchObject({ ok: true, value: { signature: tx.signature, version: 1 } })
  })

  test('keys in lookup tables follow the static ones: writable, then read-only', () => {
    const json = readJson('create_v2+buy-4HbY43S9-base64')
    const { loadedAddresses } = json.meta as { loadedAddresses: { writable: string[]; readonly: string[] } }
    expect(Math.min(loadedAddresses.writable.length, loadedAddresses.readonly.length)).toBeGreaterThan(0)
    const merged = frameTransaction(open('tx/create_v2+buy-4HbY43S9-jsonParsed.json.gz'))
    expect(frameTransaction(open('tx/create_v2+buy-4HbY43S9-base64.json.gz')).keys).toEqual(merged.keys)
    const without = parseRpcTransaction({ ...json, meta: { ...(json.meta as object), loadedAddresses: undefined } }, null)
    expect(without).toMatchObject({ ok: false, code: 'bad_transaction' })
  })

  test('any truncated transaction, or one with bytes after it, is refused', () => {
    const v1 = toV1(frameTransaction(open('tx/sell-V1tx-4DqvQfnU.json.gz')))
    for (const bytes of [wireOf('buy-3mpAjSPh'), wireOf('create_v2+buy-4HbY43S9-base64'), v1]) {
      expect(readWire(bytes)).toMatchObject({ ok: true })
      for (let length = 0; length < bytes.length; length++) expect(readWire(bytes.subarray(0, length))).toMatchObject({ ok: false })
      expect(readWire(Buffer.concat([bytes, Buffer.alloc(1)]))).toMatchObject({ ok: false, code: 'bad_transaction' })
    }
  })

  test('an unknown version is refused', () => {
    const bytes = Buffer.from(wireOf('create_v2+buy-4HbY43S9-base64'))
    const versionAt = 1 + 64 * (bytes[0] as number)
    expect(bytes[versionAt]).toBe(0x80)
    bytes[versionAt] = 0x82
    expect(readWire(bytes)).toMatchObject({ ok: false, code: 'bad_transaction' })
  })

  test('any bytes give an answer with at most as many instructions as bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1500 }), fc.constantFrom(0x81, 0x01, 0x00), (bytes, first) => {
        const read = readWire(Buffer.from([first, ...bytes]))
        if (read.ok) expect(read.value.instructions.length).toBeLessThanOrEqual(bytes.length)
      }),
    )
  })
})
