// Where the prefilter of a stored transaction finds moved SOL: in its instructions and in their inner ones.
import protobuf from 'protobufjs'
import { prefilterStored } from '../../../../processors/chains/solana/encodings/stored-prefilter.ts'

const SOL = 1_000_000_000n
const transfer = (lamports: bigint, kind = 2): Buffer => {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(kind)
  data.writeBigUInt64LE(lamports, 4)
  return data
}
const message = (field: number, inside: Uint8Array): Uint8Array =>
  protobuf.Writer.create()
    .uint32(field * 8 + 2)
    .bytes(inside)
    .finish()
const call = (data: Uint8Array): Uint8Array => message(3, data)
const outer = (data: Uint8Array): Uint8Array => message(1, message(2, message(4, call(data))))
const inner = (data: Uint8Array): Uint8Array => message(2, message(5, message(2, call(data))))

test.each([
  ['an instruction', outer(transfer(SOL)), true],
  ['an inner instruction', inner(transfer(SOL)), true],
  ['an inner instruction, of a tenth of a SOL', inner(transfer(SOL / 10n)), true],
  ['an inner instruction, of a smaller amount', inner(transfer(SOL / 10n - 1n)), false],
  ['an inner instruction, of another kind', inner(transfer(SOL, 3)), false],
  ['an inner instruction, a byte longer', inner(Buffer.concat([transfer(SOL), Buffer.alloc(1)])), false],
])('a transfer in %s', (_, bytes, movesSol) => {
  expect(prefilterStored(Buffer.from(bytes))).toMatchObject({ movesSol, isOfLaunchpad: false })
})
