import { toFrameBody, toFrameTransaction, touchesLaunchpad, transferData } from '../../../../processors/chains/solana/normal-form.ts'
import { MAYHEM_AGENT, PUMP, WSOL, ZERO_KEY } from '../../../../processors/chains/solana/programs.ts'
import type { SourceTransaction } from '../../../../processors/chains/solana/source-transaction.ts'
import { failureFromBincode, failureFromJson } from '../../../../processors/chains/solana/transaction-error.ts'
import { type Key, mustKey, type Signature } from '../../../../schemas/keys.ts'
import { frameTransaction, open, openJson, readJson } from './fixtures.ts'

const ALICE = mustKey('LfEcaUf77iEhnz6gFpLqYgDb5Uk6Ekc5n69wu7Qa9Uw')
const BOB = mustKey('5r8Pa3nDZF3B1Bqde15vXSxBpSjgo367eGQz9z5jiPwh')
const ROUTER = mustKey('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')
const SOL = 1_000_000_000n
const transfer = (lamports: bigint) => ({ program: 2, accounts: Uint8Array.of(0, 1), data: transferData(lamports) })

const transaction = (some: Partial<SourceTransaction> = {}): SourceTransaction => ({
  index: 0,
  signature: 'a'.repeat(64) as Signature,
  version: 0,
  signers: 1,
  failure: null,
  feeLamports: 5000,
  keys: [ALICE, BOB, ZERO_KEY, ROUTER],
  instructions: [transfer(SOL)],
  inner: [],
  logs: ['a line'],
  lamportsBefore: ['10', '20', '1', '1'],
  lamportsAfter: ['10', '20', '1', '1'],
  tokensBefore: [],
  tokensAfter: [],
  ...some,
})
const bodyOf = (tx: SourceTransaction) => toFrameBody([{ index: 3, tx }])
const token = (account: number, amount: string, mint: Key = WSOL) => ({
  account,
  mint,
  owner: ALICE,
  tokenProgram: null,
  decimals: 6,
  amount,
})

describe('what a frame keeps', () => {
  test('for a transaction unrelated to the launchpad: its SOL transfers of at least 0.1 SOL, top-level and inner, in order', () => {
    const inner = [
      { outer: 1, depth: 2, ...transfer(SOL / 10n) },
      { outer: 1, depth: 2, ...transfer(SOL / 10n - 1n) },
      { outer: 1, depth: 2, ...transfer(2n * SOL) },
    ]
    const router = { program: 3, accounts: Uint8Array.of(), data: '' }
    const { transactions, transfers, failedOthers, transactionsTotal } = bodyOf(
      transaction({ instructions: [transfer(SOL), router], inner }),
    )
    expect([transactions, failedOthers, transactionsTotal]).toEqual([[], 0, 1])
    expect(transfers.map(({ index, outer, inner: at, amountLamports }) => [index, outer, at, amountLamports])).toEqual([
      [3, 0, 0, '1000000000'],
      [3, 1, 1, '100000000'],
      [3, 1, 3, '2000000000'],
    ])
    expect(transfers[0]).toMatchObject({ source: ALICE, target: BOB })
  })

  test('for a failed unrelated transaction: only its count', () => {
    expect(bodyOf(transaction({ failure: { instruction: 0, code: 1 } }))).toMatchObject({ transfers: [], failedOthers: 1 })
  })

  test('no transfer for other system instructions, or transfers by other programs', () => {
    const data = Buffer.concat([Buffer.from([3, 0, 0, 0]), Buffer.alloc(8, 1)])
    const others = [
      { program: 2, accounts: Uint8Array.of(0, 1), data },
      { program: 3, accounts: Uint8Array.of(0, 1), data: transferData(SOL) },
    ]
    expect(bodyOf(transaction({ instructions: others })).transfers).toEqual([])
    expect(bodyOf(transaction({ instructions: [{ ...transfer(SOL), accounts: Uint8Array.of(0) }] })).transfers).toEqual([])
  })

  test('the whole transaction if another program calls the launchpad; a key that is never called does not count', () => {
    const keys = [ALICE, BOB, ZERO_KEY, ROUTER, PUMP]
    const call = { outer: 0, depth: 3, program: 4, accounts: Uint8Array.of(1), data: '3' }
    expect(touchesLaunchpad(transaction({ keys }))).toBe(false)
    expect(bodyOf(transaction({ keys, inner: [call] })).transactions).toMatchObject([
      { index: 3, keys, inner: [{ outer: 0, depth: 3, program: 4, accounts: Buffer.of(1), data: Buffer.of(2) }], logs: null },
    ])
  })

  test('the whole transaction without inner instructions if it has a key of the launchpad: a router may have called it', () => {
    expect(touchesLaunchpad(transaction({ keys: [ALICE, BOB, ZERO_KEY, ROUTER, PUMP], inner: null }))).toBe(true)
    expect(touchesLaunchpad(transaction({ inner: null }))).toBe(false)
  })

  test('only changed balances, by account; a new token account starts at 0, a closed one ends at 0', () => {
    const tx = transaction({
      lamportsBefore: ['10', '20', '1', '1'],
      lamportsAfter: ['10', '18446744073709551615', '1', '0'],
      tokensBefore: [token(9, '5'), token(3, '7'), token(4, '1', MAYHEM_AGENT)],
      tokensAfter: [token(2, '0'), token(1, '8'), token(9, '5'), token(4, '1')],
    })
    const { lamports, tokens } = toFrameTransaction(tx, 0)
    expect(lamports).toEqual([
      { account: 1, before: '20', after: '18446744073709551615' },
      { account: 3, before: '1', after: '0' },
    ])
    expect(tokens.map(({ account, before, after }) => [account, before, after])).toEqual([
      [1, '0', '8'],
      [3, '7', '0'],
      [4, '0', '1'],
      [4, '1', '0'],
    ])
  })

  test('the log only if there are no inner instructions', () => {
    expect([toFrameTransaction(transaction(), 0).logs, toFrameTransaction(transaction({ inner: null }), 0).logs]).toEqual([
      null,
      ['a line'],
    ])
  })

  test('for jsonParsed the rebuilt bytes of system transfers, and no bytes of others', () => {
    const { instructions, keys } = frameTransaction(open('tx/create_v2+buy-4HbY43S9-jsonParsed.json.gz'))
    const system = instructions.filter(({ program }) => keys[program] === ZERO_KEY)
    expect(system.map(({ data }) => Buffer.from(data).readBigUInt64LE(4))).toEqual([10_000_000n, 1_000_000n])
    expect(instructions.filter(({ data }) => data.length === 0)).toHaveLength(1)
  })
})

describe('failures', () => {
  test.each([
    [{ InstructionError: [3, { Custom: 6002 }] }, 'CAAAAAMZAAAAchcAAA==', { instruction: 3, code: 6002 }],
    [{ InstructionError: [4, 'InvalidAccountData'] }, 'CAAAAAQDAAAA', { instruction: 4, code: null }],
    [{ InsufficientFundsForRent: { account_index: 14 } }, 'HwAAAA4=', { instruction: null, code: null }],
    ['AccountInUse', 'AAAAAA==', { instruction: null, code: null }],
  ])('%j is the same as JSON and as bincode', (json, bincode, expected) => {
    expect(failureFromJson(json)).toEqual(expected)
    expect(failureFromBincode(Buffer.from(bincode, 'base64'))).toEqual(expected)
    expect(failureFromJson({ bincodeBase64: bincode })).toEqual(expected)
  })

  test('no error is no failure; an unknown error is a failure', () => {
    expect([failureFromJson(null), failureFromJson(undefined)]).toEqual([null, null])
    for (const odd of [false, 0, '', [], { InstructionError: 'x' }, { InstructionError: [-1, { Custom: 1.5 }] }, { bincodeBase64: '' }]) {
      expect(failureFromJson(odd)).toEqual({ instruction: null, code: null })
    }
  })

  test('a file with a failed transaction gives no effects', () => {
    const json = readJson('buy-3mpAjSPh')
    const failed = frameTransaction(
      openJson({ ...json, meta: { ...(json.meta as object), err: { InstructionError: [4, { Custom: 6002 }] } } }),
    )
    expect(failed).toMatchObject({ failed: true, failedInstruction: 4, failedCode: 6002 })
  })
})
