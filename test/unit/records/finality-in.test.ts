import { alt } from '../../../processors/chains/alt/chain.ts'
import { solana } from '../../../processors/chains/solana/chain.ts'
import type { Chain, TapeBatch, TapeFinality, TapeRevert } from '../../../schemas/types.ts'
import type { LogRecord } from '../../../topology/ports/log.ts'
import { finalityIn } from '../../../topology/records/finality-in.ts'

type Body = TapeBatch | TapeRevert | TapeFinality

const recordsFor = (chain: Chain) => {
  const of = { chain, sequence: 1, hash8: 'h' }
  return {
    frame: {
      ...of,
      type: 'batch',
      number: 5,
      time: 1,
      gapFrom: null,
      gapTo: null,
      vouched: false,
      final: false,
      events: [],
      placed: true,
      launchpadTransactions: 0,
      launchpadFailed: 0,
    } as TapeBatch,
    final: (finalized: number): TapeFinality => ({ type: 'finality', chain, sequence: 1, confirmed: finalized, finalized }),
    fork: { ...of, type: 'revert', number: 4, dead: [] } as TapeRevert,
  }
}

describe.each([
  ['solana', solana.tape],
  ['alt', alt.tape],
] as const)('what a record of the tape of %s states about finality', (chain, form) => {
  const { frame, final, fork } = recordsFor(chain)
  const finality = finalityIn(form as typeof solana.tape) as (record: LogRecord) => number | null
  const record = (body: Body): LogRecord => ({ offset: 0, key: Buffer.alloc(0), value: form.codec.encode(body as never) })

  test('is the number up to which frames are final, and nothing for a frame', () => {
    expect(finality(record(final(5)))).toBe(5)
    expect(finality(record(frame))).toBe(-1)
  })
  test('is unknown for a fork, and for a record that cannot be read', () => {
    expect(finality(record(fork))).toBeNull()
    for (const value of [null, Buffer.alloc(0), Buffer.from([4, 1]), Buffer.from([9])])
      expect(finality({ ...record(frame), value })).toBeNull()
    expect(finality({ ...record(frame), fault: 'unknown schema' })).toBeNull()
  })
})
