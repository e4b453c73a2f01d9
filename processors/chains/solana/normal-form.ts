// The normal form of a frame's body: which parts of which transactions are kept. All sources go through here, so they cannot differ.

import { decodeBase58 } from '../../../schemas/base58.ts'
import { asBuffer } from '../../../schemas/bytes.ts'
import { type Key, toBase58 } from '../../../schemas/keys.ts'
import type {
  FrameBody,
  FrameInstruction,
  FrameTransaction,
  LamportChange,
  OtherBalance,
  SolTransfer,
  TokenChange,
} from '../../../schemas/types.ts'
import { LAUNCHPAD, ZERO_KEY } from './programs.ts'
import type { SourceData, SourceInstruction, SourceToken, SourceTransaction } from './source-transaction.ts'

/** 0.1 SOL, the smallest payment that counts as funding: smaller ones are dropped where the transaction does not involve the launchpad. */
const TRANSFER_LAMPORTS_MIN = 100_000_000n
const SYSTEM_PROGRAM = ZERO_KEY
/** SystemInstruction::Transfer as a little-endian u32, then u64 lamports. */
const TRANSFER = 2
const TRANSFER_BYTES = 12

/** The text was validated when it was parsed. */
const bytesOf = (data: SourceData): Buffer => (typeof data === 'string' ? (decodeBase58(data) ?? Buffer.alloc(0)) : asBuffer(data))

const INNER_CALL = / invoke \[2\]$/

/** True where the log has inner calls; without a log, where the transaction moved coins, which the launchpad does by inner calls only. */
const hasInnerCalls = ({ logs, failure, tokensBefore, tokensAfter }: SourceTransaction): boolean =>
  logs === null || logs.length === 0
    ? failure === null && tokenChanges(tokensBefore, tokensAfter).length > 0
    : logs.some((line) => INNER_CALL.test(line))

/** The inner calls; null where they were not recorded: some nodes give an empty list then. */
const recordedCalls = (tx: SourceTransaction): SourceTransaction['inner'] => (tx.inner?.length === 0 && hasInnerCalls(tx) ? null : tx.inner)

/**
 * True where the transaction calls a program of the launchpad, at any depth. If the source does not state the inner calls, it is enough
 * that the program is among the transaction's keys.
 */
export const touchesLaunchpad = (tx: SourceTransaction): boolean => {
  if (tx.prefilter !== undefined) return false
  const { keys, instructions } = tx
  const ours = keys.flatMap((key, i) => (LAUNCHPAD.has(key) ? [i] : []))
  if (ours.length === 0) return false
  const inner = recordedCalls(tx)
  return inner === null || [...instructions, ...inner].some(({ program }) => ours.includes(program))
}

/** By account index and mint: a token account that was closed and created again for another mint has two changes. */
const tokenChanges = (before: readonly SourceToken[], after: readonly SourceToken[]): TokenChange[] => {
  const place = ({ account, mint }: SourceToken): string => `${account}:${mint}`
  const olds = new Map(before.map((token) => [place(token), token]))
  const news = new Map(after.map((token) => [place(token), token]))
  const places = new Set([...olds.keys(), ...news.keys()])
  const changes: TokenChange[] = []
  for (const at of places) {
    const old = olds.get(at)
    const token = news.get(at) ?? (old as SourceToken)
    const [was, is] = [old?.amount ?? '0', news.get(at)?.amount ?? '0']
    if (was === is) continue
    const { account, mint, owner, tokenProgram, decimals } = token
    changes.push({ account, mint, owner, tokenProgram, decimals, before: was, after: is })
  }
  return changes.sort((a, b) => a.account - b.account || (a.mint < b.mint ? -1 : 1))
}

const lamportChanges = ({ lamportsBefore, lamportsAfter }: SourceTransaction): LamportChange[] =>
  lamportsBefore.flatMap((before, account) => {
    const after = lamportsAfter[account] ?? '0'
    return before === after ? [] : [{ account, before, after }]
  })

const toInstruction = ({ program, accounts, data }: SourceInstruction): FrameInstruction => ({
  program,
  accounts: asBuffer(accounts),
  data: bytesOf(data),
})

/**
 * A transaction that involves the launchpad, as its frame keeps it: logs only without inner calls (an empty log is none: each call has a
 * line), and only balances that changed.
 */
export const toFrameTransaction = (tx: SourceTransaction, index: number): FrameTransaction => {
  const inner = recordedCalls(tx)
  return {
    index,
    indexKnown: tx.index !== null,
    signature: tx.signature,
    version: tx.version,
    signers: tx.signers,
    failed: tx.failure !== null,
    failedInstruction: tx.failure?.instruction ?? null,
    failedCode: tx.failure?.code ?? null,
    feeLamports: tx.feeLamports,
    keys: tx.keys,
    instructions: tx.instructions.map(toInstruction),
    inner: inner?.map((call) => ({ outer: call.outer, depth: call.depth, ...toInstruction(call) })) ?? null,
    logs: inner === null && tx.logs?.length !== 0 ? tx.logs : null,
    lamports: lamportChanges(tx),
    tokens: tokenChanges(tx.tokensBefore, tx.tokensAfter),
  }
}

/** True for the data of a system instruction whose transfer is large enough to be kept. */
export const isKeptTransfer = (data: Buffer): boolean =>
  data.length === TRANSFER_BYTES && data.readUInt32LE(0) === TRANSFER && data.readBigUInt64LE(4) >= TRANSFER_LAMPORTS_MIN

type Placed = Pick<SolTransfer, 'index' | 'outer' | 'inner' | 'signature'>

const transferOf = (call: SourceInstruction, keys: readonly Key[], at: Placed): SolTransfer | undefined => {
  if (keys[call.program] !== SYSTEM_PROGRAM) return undefined
  const data = bytesOf(call.data)
  if (!isKeptTransfer(data)) return undefined
  const lamports = data.readBigUInt64LE(4)
  const source = keys[call.accounts[0] ?? -1]
  const target = keys[call.accounts[1] ?? -1]
  if (source === undefined || target === undefined) return undefined
  return { ...at, source, target, amountLamports: String(lamports) }
}

/** SOL transfers in order of execution. */
const transfersOf = (tx: SourceTransaction, index: number): SolTransfer[] => {
  if (tx.prefilter !== undefined) return []
  const { signature, keys, inner, instructions } = tx
  if (!keys.includes(SYSTEM_PROGRAM)) return []
  return instructions.flatMap((top, outer) => {
    const calls = (inner ?? []).filter((call) => call.outer === outer)
    return [top, ...calls].flatMap((call, inner) => transferOf(call, keys, { index, outer, inner, signature }) ?? [])
  })
}

/** A transaction with its place in the frame. */
export interface PlacedTransaction {
  readonly index: number
  readonly tx: SourceTransaction
}

/** The launchpad's mints, by their base58 text. */
export interface LaunchpadMints {
  has(mint: string): boolean
}

const NO_MINTS: LaunchpadMints = { has: () => false }

/** Movements of the launchpad's coins in a transaction that does not involve the launchpad. */
const balancesOf = (tx: SourceTransaction, index: number, mints: LaunchpadMints): OtherBalance[] => {
  if (tx.prefilter?.mints.some((mint) => mints.has(mint)) === false) return []
  const { keys, signature } = tx
  return tokenChanges(tx.tokensBefore, tx.tokensAfter).flatMap(({ account, ...change }) => {
    const key = keys[account]
    return key === undefined || !mints.has(toBase58(change.mint)) ? [] : [{ index, signature, account: key, ...change }]
  })
}

/**
 * The body of a frame from its transactions in order of `index`. `mintsOf` gives the launchpad's mints once the transactions that involve
 * it are known: a coin may be launched and moved in one block.
 */
export const toFrameBody = (
  placed: readonly PlacedTransaction[],
  mintsOf: (transactions: readonly FrameTransaction[]) => LaunchpadMints = () => NO_MINTS,
): FrameBody => {
  const body: FrameBody = { transactions: [], transfers: [], failedOthers: 0, transactionsTotal: placed.length, balances: [] }
  const others: PlacedTransaction[] = []
  for (const one of placed) {
    if (touchesLaunchpad(one.tx)) body.transactions.push(toFrameTransaction(one.tx, one.index))
    else if (one.tx.failure !== null) body.failedOthers++
    else others.push(one)
  }
  const mints = mintsOf(body.transactions)
  for (const { index, tx } of others) {
    body.transfers.push(...transfersOf(tx, index))
    body.balances.push(...balancesOf(tx, index, mints))
  }
  return body
}

/** The data of a system transfer, for encodings that give only its decoded form. */
export const transferData = (lamports: bigint): Buffer => {
  const data = Buffer.alloc(TRANSFER_BYTES)
  data.writeUInt32LE(TRANSFER, 0)
  data.writeBigUInt64LE(lamports, 4)
  return data
}
