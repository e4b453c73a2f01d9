// A stored transaction whose instructions refer to keys by index: the index of the last key is valid, the next one is not.
import { parseStored, type StoredTransaction } from '../../../../processors/chains/solana/encodings/stored-transaction.ts'

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
interface Named {
  readonly program: number
  readonly account: number
  readonly innerProgram?: number
  readonly innerAccount?: number
}
/** A transaction with two keys of its own and one from a lookup table. */
const stored = ({ program, account, innerProgram = 0, innerAccount = 0 }: Named): StoredTransaction => ({
  transaction: {
    signatures: [new Uint8Array(64).fill(9)],
    message: {
      header: { numRequiredSignatures: 1 },
      accountKeys: [key(1), key(2)],
      instructions: [{ programIdIndex: program, accounts: Uint8Array.from([0, account]), data: new Uint8Array(0) }],
      versioned: true,
    },
  },
  meta: {
    ...{ err: null, fee: 5, preBalances: [1, 2, 3], postBalances: [1, 2, 3], logMessages: [], preTokenBalances: [], postTokenBalances: [] },
    innerInstructions: [
      { index: 0, instructions: [{ programIdIndex: innerProgram, accounts: Uint8Array.from([innerAccount]), data: new Uint8Array(0) }] },
    ],
    ...{ innerInstructionsNone: false, logMessagesNone: false, loadedWritableAddresses: [key(3)], loadedReadonlyAddresses: [] },
  },
})

test('indexes of the last key are read', () => {
  expect(parseStored(stored({ program: 2, account: 2, innerProgram: 2, innerAccount: 2 }), 4)).toMatchObject({
    ok: true,
    value: { index: 4 },
  })
})
test.each<[string, Named]>([
  ['a program', { program: 3, account: 0 }],
  ['an account', { program: 0, account: 3 }],
  ['a program of an inner instruction', { program: 0, account: 0, innerProgram: 3 }],
  ['an account of an inner instruction', { program: 0, account: 0, innerAccount: 3 }],
])('%s one past the last key is bad data', (_name, named) => {
  expect(parseStored(stored(named), 4)).toMatchObject({
    ok: false,
    code: 'bad_transaction',
    reason: 'an instruction names a key that the transaction does not have',
  })
})
test('different numbers of balances before and after, a short key, a short signature or too many keys are bad data', () => {
  const good = stored({ program: 0, account: 0 })
  const { transaction, meta } = good
  if (!transaction?.message || !meta) throw new Error('it must have both')
  const faults: StoredTransaction[] = [
    { ...good, meta: { ...meta, postBalances: [1, 2] } },
    { ...good, meta: { ...meta, loadedReadonlyAddresses: [new Uint8Array(31)] } },
    { ...good, transaction: { ...transaction, signatures: [new Uint8Array(63)] } },
    {
      ...good,
      transaction: { ...transaction, message: { ...transaction.message, accountKeys: Array.from({ length: 256 }, () => key(1)) } },
    },
  ]
  for (const fault of faults) expect(parseStored(fault, 4)).toMatchObject({ ok: false, code: 'bad_transaction' })
})
