// Schemas of the RPC answers that we read (json, jsonParsed, base64, base58), checked field by field; unused fields are ignored.
import * as z from 'zod'
import { type Key, parseKey, parseSignature, type Signature } from '../../../../schemas/keys.ts'

/** Indexes of keys fit one byte: a transaction has at most 256 accounts. */
const index = z.int().min(0).max(255)
const base58 = z
  .string()
  .max(16_384)
  .regex(/^[1-9A-HJ-NP-Za-km-z]*$/, 'not base58')
/** Lamports or base units; numbers that JSON would round come as text (see quoteLargeNumbers). */
const amount = z.union([z.int().min(0), z.string().regex(/^\d{1,20}$/)]).transform(String)

/** Maximum number of keys in the cache, about 2 MB. A block names the same programs, mints and owners repeatedly. */
const KEYS_CACHED_MAX = 8_192
const cachedKeys = new Map<string, Key>()

/** The key in base58 text; undefined where the text is not a key. */
export const keyOfText = (text: string): Key | undefined => {
  const known = cachedKeys.get(text)
  if (known !== undefined) return known
  const parsed = parseKey(text)
  if (parsed === undefined) return undefined
  if (cachedKeys.size >= KEYS_CACHED_MAX) cachedKeys.clear()
  cachedKeys.set(text, parsed)
  return parsed
}

const key = z.string().transform((text, context): Key => {
  const parsed = keyOfText(text)
  if (parsed !== undefined) return parsed
  context.addIssue({ code: 'custom', message: 'not a key' })
  return z.NEVER
})
const signature = z.string().transform((text, context): Signature => {
  const parsed = parseSignature(text)
  if (parsed !== undefined) return parsed
  context.addIssue({ code: 'custom', message: 'not a signature' })
  return z.NEVER
})

/** json and base64 refer to keys by index, jsonParsed by address; for known programs jsonParsed gives only the decoded form. */
const instruction = z.union([
  z.object({ programIdIndex: index, accounts: z.array(index), data: base58, stackHeight: z.int().nullish() }),
  z.object({ programId: key, accounts: z.array(key), data: base58, stackHeight: z.int().nullish() }),
  z.object({ programId: key, program: z.string().optional(), parsed: z.unknown(), stackHeight: z.int().nullish() }),
])
/** An instruction in any of the encodings. */
export type RpcInstruction = z.infer<typeof instruction>

/** A system transfer in jsonParsed. */
export const parsedTransfer = z.object({
  type: z.literal('transfer'),
  info: z.object({ source: key, destination: key, lamports: amount }),
})

const message = z.object({
  header: z.object({ numRequiredSignatures: z.int().min(1).max(255) }).optional(),
  accountKeys: z.array(z.union([key, z.object({ pubkey: key, signer: z.boolean(), source: z.string().optional() })])).max(256),
  instructions: z.array(instruction),
})
/** The message of json and jsonParsed. */
export type RpcMessage = z.infer<typeof message>

const tokenBalance = z.object({
  accountIndex: index,
  mint: key,
  owner: key.nullish(),
  programId: key.nullish(),
  uiTokenAmount: z.object({ amount: z.string().regex(/^\d{1,20}$/), decimals: z.int().min(0).max(255) }),
})

const meta = z.object({
  err: z.unknown().optional(),
  /** The older form of `err`, which dumps without nulls still have: { Ok: null } or { Err: ... }. */
  status: z.unknown().optional(),
  fee: z.int().min(0),
  preBalances: z.array(amount),
  postBalances: z.array(amount),
  innerInstructions: z.array(z.object({ index, instructions: z.array(instruction) })).nullish(),
  logMessages: z.array(z.string()).nullish(),
  preTokenBalances: z.array(tokenBalance).nullish(),
  postTokenBalances: z.array(tokenBalance).nullish(),
  loadedAddresses: z.object({ writable: z.array(key), readonly: z.array(key) }).nullish(),
})
/** A transaction's result. */
export type RpcMeta = z.infer<typeof meta>

/** getTransaction's result, or an element of a block's transactions. */
export const rpcTransaction = z.object({
  transaction: z.union([
    z.object({ signatures: z.array(signature).min(1), message }),
    z.tuple([z.string().max(8192), z.enum(['base64', 'base58'])]),
    /** base58, as nodes return it without an encoding in the request. */
    z.string().max(8192),
  ]),
  meta,
  version: z.union([z.literal('legacy'), z.int().min(0).max(127)]).nullish(),
})
export type RpcTransaction = z.infer<typeof rpcTransaction>

/** Dumps of some clients have text. */
const count = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])
const blockTime = count.nullish()

/** The fields that a getTransaction answer has besides the transaction and its meta; in streamed updates `index`. */
export const rpcLocation = z.object({ slot: count.nullish(), blockTime, transactionIndex: count.nullish(), index: count.nullish() })

/** getBlock's result; each transaction is checked on its own. */
export const rpcBlock = z.object({
  blockhash: z.string().min(32).max(44),
  previousBlockhash: z.string().min(32).max(44).nullish(),
  parentSlot: count.nullish(),
  blockTime,
  transactions: z.array(z.unknown()),
})
export type RpcBlock = z.infer<typeof rpcBlock>
