// Arbitrary bytes give an account, none, or a reason; they never throw.
import fc from 'fast-check'
import type { RawAccount } from '../../../processors/chains/solana/accounts/account.ts'
import { readCurve } from '../../../processors/chains/solana/accounts/curve.ts'
import { readMint, TOKEN, TOKEN_2022 } from '../../../processors/chains/solana/accounts/mint.ts'
import { PUMP } from '../../../processors/chains/solana/programs.ts'
import { hazardsOf } from '../../../processors/mint/card/hazards.ts'
import * as given from '../../fixtures/account-bytes.ts'
import { key } from '../../unit/query-api/given-mint.ts'

const WHOLE: readonly RawAccount[] = [
  given.recordedAccount('mint'),
  given.recordedAccount('curve of 2026-06'),
  given.splMint({ mintAuthority: key(1) }),
  given.curveAccount({ creator: key(2) }),
  given.token2022Mint([
    given.transferFee({ authority: key(3), before: 1, epoch: 2n, max: 3n, basisPoints: 4 }),
    given.transferHook(key(4), key(5)),
    given.metadata(key(6), 'name', 'symbol'),
    given.pausable(key(7), 1),
  ]),
]
const owner = fc.constantFrom(TOKEN, TOKEN_2022, PUMP, key(9))
const anyAccount = fc.record({ owner, data: fc.uint8Array({ maxLength: 600 }) })
/** An intact one with some bytes changed, cut or appended. */
const damaged = fc
  .tuple(fc.constantFrom(...WHOLE), fc.array(fc.tuple(fc.nat(500), fc.nat(255)), { maxLength: 6 }), fc.option(fc.nat(520)), fc.nat(40))
  .map(([whole, changes, length, more]): RawAccount => {
    const data = Buffer.concat([whole.data, Buffer.alloc(more)]).subarray(0, length ?? undefined)
    for (const [offset, byte] of changes) if (offset < data.length) data[offset] = byte
    return { owner: whole.owner, data }
  })

test('any bytes', () => {
  fc.assert(
    fc.property(fc.oneof(anyAccount, damaged), (account) => {
      const [mint, curve] = [readMint(account), readCurve(account)]
      if (mint.ok && mint.value !== null) expect(hazardsOf(mint.value).length).toBeLessThanOrEqual(8)
      for (const read of [mint, curve]) if (!read.ok) expect(read.reason.length).toBeLessThan(200)
    }),
    { numRuns: 2_000 },
  )
})
