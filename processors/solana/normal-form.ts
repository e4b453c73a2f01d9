// The one normal form of a frame's body: what is kept of which transaction. Every source goes through here, so that sources cannot differ.
import bs58 from 'bs58'
import type { Key } from '../../schemas/keys.ts'
import type { FrameBody, FrameInstruction, FrameTransaction, LamportChange, SolTransfer, TokenChange } from '../../schemas/types.ts'
import { asBuffer } from './find-events.ts'
import { LAUNCHPAD, ZERO_KEY } from './programs.ts'
import type { SourceData, SourceInstruction, SourceToken, SourceTransaction } from './source-transaction.ts'

/** Transfers below this are dropped from transactions that do not touch the launchpad: 0.1 SOL, what funding a trader is worth at least. */
const TRANSFER_LAMPORTS_MIN = 100_000_000n
const SYSTEM_PROGRAM = ZERO_KEY
/** SystemInstruction::Transfer as a little-endian u32, then u64 lamports. */
const TRANSFER = 2
const TRANSFER_BYTES = 12

const bytesOf = (data: SourceData): Buffer => asBuffer(typeof data === 'string' ? bs58.decode(data) : data)

/** True where the transaction calls a program of the launchpad, at any depth, or names one where inner calls were not kept. */
export const touchesLaunchpad = ({ keys, instructions, inner }: SourceTransaction): boolean => {
  const ours = keys.flatMap((key, i) => (LAUNCHPAD.has(key) ? [i] : []))
  if (ours.length === 0) return false
  return inner === null || [...instructions, ...inner].some(({ program }) => ours.includes(program))
}

/** By account index; a token account that was closed and made again for another mint has both. */
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

/** A transaction whole, as its frame keeps it. */
export const toFrameTransaction = (tx: SourceTransaction, index: number): FrameTransaction => ({
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
  inner: tx.inner?.map((call) => ({ outer: call.outer, depth: call.depth, ...toInstruction(call) })) ?? null,
  logs: tx.inner === null ? tx.logs : null,
  lamports: lamportChanges(tx),
  tokens: tokenChanges(tx.tokensBefore, tx.tokensAfter),
})

type Placed = Pick<SolTransfer, 'index' | 'outer' | 'inner' | 'signature'>

const transferOf = (call: SourceInstruction, keys: readonly Key[], at: Placed): SolTransfer | undefined => {
  if (keys[call.program] !== SYSTEM_PROGRAM) return undefined
  const data = bytesOf(call.data)
  if (data.length !== TRANSFER_BYTES || data.readUInt32LE(0) !== TRANSFER) return undefined
  const lamports = data.readBigUInt64LE(4)
  const source = keys[call.accounts[0] ?? -1]
  const target = keys[call.accounts[1] ?? -1]
  if (lamports < TRANSFER_LAMPORTS_MIN || source === undefined || target === undefined) return undefined
  return { ...at, source, target, amountLamports: String(lamports) }
}

/** SOL transfers in order of execution. */
const transfersOf = (tx: SourceTransaction, index: number): SolTransfer[] => {
  if (!tx.keys.includes(SYSTEM_PROGRAM)) return []
  const { signature, keys } = tx
  return tx.instructions.flatMap((top, outer) => {
    const calls = (tx.inner ?? []).filter((call) => call.outer === outer)
    return [top, ...calls].flatMap((call, inner) => transferOf(call, keys, { index, outer, inner, signature }) ?? [])
  })
}

/** A transaction with its place in the frame. */
export interface PlacedTransaction {
  readonly index: number
  readonly tx: SourceTransaction
}

/** The body of a frame from its transactions in order of `index`. */
export const toFrameBody = (placed: readonly PlacedTransaction[]): FrameBody => {
  const body: FrameBody = { transactions: [], transfers: [], failedOthers: 0, transactionsTotal: placed.length }
  for (const { index, tx } of placed) {
    if (touchesLaunchpad(tx)) body.transactions.push(toFrameTransaction(tx, index))
    else if (tx.failure !== null) body.failedOthers++
    else body.transfers.push(...transfersOf(tx, index))
  }
  return body
}

/** The data of a system transfer, for encodings that say one only in words. */
export const transferData = (lamports: bigint): Buffer => {
  const data = Buffer.alloc(TRANSFER_BYTES)
  data.writeUInt32LE(TRANSFER, 0)
  data.writeBigUInt64LE(lamports, 4)
  return data
}
