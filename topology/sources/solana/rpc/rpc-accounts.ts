// Account reads over Solana JSON-RPC: one getMultipleAccounts for a mint and its curve, within limits. A failure is returned as a reason.
import * as z from 'zod'
import type { AccountsRead, MintAccounts } from '../../../../processors/accounts.ts'
import type { RawAccount } from '../../../../processors/chains/solana/accounts/account.ts'
import { curveAddressOf, readCurve } from '../../../../processors/chains/solana/accounts/curve.ts'
import { readMint } from '../../../../processors/chains/solana/accounts/mint.ts'
import { messageOf } from '../../../../schemas/errors.ts'
import { type Key, parseKey, toBase58 } from '../../../../schemas/keys.ts'
import { type AccountReader, READ_MS_MAX } from '../../../ports/accounts.ts'

/** Size limit of one response, uncompressed. A mint with its texts has less than 2 KB; the chain allows 10 MB, which no card needs. */
const ANSWER_BYTES_MAX = 512 * 1024
/** Concurrent reads; further ones are refused at once. */
const READS_MAX = 16
/** Pause after 429: the retry-after of the node, within these bounds. */
const PAUSE_MS_MIN = 1_000
const PAUSE_MS_MAX = 30_000
/** Length limit of an error message in the log. */
const WORDS_MAX = 300
const TOO_MANY_REQUESTS = 429
/** JSON-RPC codes with which nodes refuse too many requests. */
const LIMIT_CODES: ReadonlySet<number> = new Set([TOO_MANY_REQUESTS, -32_005])

const BUSY = 'too many accounts are being read from the chain: retry'
const REASONS = {
  limited: 'the node of the chain takes no more requests for now',
  late: `the node of the chain did not answer within ${READ_MS_MAX / 1_000} s`,
  unreachable: 'the node of the chain does not answer',
  refused: 'the node of the chain answered with an error',
  unreadable: 'the answer of the node of the chain could not be understood',
} as const
type Failure = keyof typeof REASONS

const base64 = z.string().refine((text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text))
const accountSchema = z.object({
  owner: z.string(),
  data: z.tuple([base64, z.literal('base64')]),
  space: z.number().optional(),
})
const answerSchema = z.object({
  result: z.object({
    context: z.object({ slot: z.number().int().nonnegative() }),
    value: z.tuple([accountSchema.nullable(), accountSchema.nullable()]),
  }),
})
const errorSchema = z.object({ error: z.object({ code: z.number(), message: z.string() }) })

export interface RpcAccountsOptions {
  /** http(s); may contain a key: never printed. */
  readonly url: string
  /** For the log: when reads start to fail, and when they work again. */
  readonly notice: (code: string, facts: Record<string, string | number>) => void
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number
}

/** A failure: a short reason for the card, a longer message for the log. */
class ReadFailure extends Error {
  readonly failure: Failure
  constructor(failure: Failure, words: string) {
    super(words)
    this.failure = failure
  }
}

export class RpcAccounts implements AccountReader {
  readonly #options: RpcAccountsOptions
  readonly #nowMs: () => number
  #underWay = 0
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #trouble: Failure | null = null

  constructor(options: RpcAccountsOptions) {
    this.#options = options
    this.#nowMs = options.nowMs ?? (() => performance.now())
  }
  async read(mint: Key): Promise<AccountsRead> {
    if (this.#nowMs() < this.#pausedUntilMs) return { ok: false, reason: REASONS.limited }
    if (this.#underWay >= READS_MAX) return { ok: false, reason: BUSY }
    this.#underWay++
    try {
      const value = await this.#ask(mint)
      this.#tell(null, '')
      return { ok: true, value }
    } catch (thrown) {
      const failed = thrown instanceof ReadFailure ? thrown : fromWorld(thrown)
      this.#tell(failed.failure, failed.message)
      return { ok: false, reason: REASONS[failed.failure] }
    } finally {
      this.#underWay--
    }
  }

  async #ask(mint: Key): Promise<MintAccounts> {
    const curveAddress = curveAddressOf(mint)
    const params = [[toBase58(mint), toBase58(curveAddress)], { encoding: 'base64', commitment: 'confirmed' }]
    const response = await fetch(this.#options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params }),
      redirect: 'error',
      signal: AbortSignal.timeout(READ_MS_MAX),
    })
    const answer = parse(await textOf(response))
    const refused = errorSchema.safeParse(answer)
    if (response.status === TOO_MANY_REQUESTS || (refused.success && LIMIT_CODES.has(refused.data.error.code)))
      throw this.#limited(response.headers.get('retry-after'))
    if (refused.success) throw new ReadFailure('refused', `${refused.data.error.code}: ${refused.data.error.message}`)
    if (!response.ok) throw new ReadFailure('refused', `status ${response.status}`)
    const read = answerSchema.safeParse(answer)
    if (!read.success)
      throw new ReadFailure('unreadable', read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
    const { context, value } = read.data.result
    const [mintAccount, curveAccount] = value.map(rawOf)
    return {
      slot: context.slot,
      exists: mintAccount !== null,
      mint: readMint(mintAccount ?? null),
      curveAddress,
      curve: readCurve(curveAccount ?? null),
    }
  }
  #limited(retryAfter: string | null): ReadFailure {
    const askedMs = Number(retryAfter ?? 0) * 1_000
    const pauseMs = Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_MIN, Number.isFinite(askedMs) ? askedMs : 0))
    this.#pausedUntilMs = this.#nowMs() + pauseMs
    return new ReadFailure('limited', `no requests for ${pauseMs} ms`)
  }
  /** Reports each kind of failure once, and the recovery. */
  #tell(trouble: Failure | null, words: string): void {
    if (trouble === this.#trouble) return
    this.#trouble = trouble
    if (trouble === null) this.#options.notice('accounts_read_again', {})
    else this.#options.notice('accounts_not_read', { reason: REASONS[trouble], words: words.slice(0, WORDS_MAX) })
  }
}

/** Classifies an error of fetch: a timeout, or a failed connection. Its message may contain the URL. */
const fromWorld = (thrown: unknown): ReadFailure => {
  const name = typeof thrown === 'object' && thrown !== null && 'name' in thrown ? thrown.name : ''
  if (name === 'TimeoutError' || name === 'AbortError') return new ReadFailure('late', `no answer within ${READ_MS_MAX} ms`)
  const cause = typeof thrown === 'object' && thrown !== null && 'cause' in thrown ? thrown.cause : undefined
  return new ReadFailure('unreachable', messageOf(cause ?? thrown).replace(/https?:\S+/g, 'the address'))
}

const textOf = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES_MAX) throw new ReadFailure('unreadable', `more than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Undefined if it is not JSON. */
const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const rawOf = (account: z.infer<typeof accountSchema> | null): RawAccount | null => {
  if (account === null) return null
  const owner = parseKey(account.owner)
  const data = Buffer.from(account.data[0], 'base64')
  if (owner === undefined) throw new ReadFailure('unreadable', 'the owner of an account is not an address')
  if (account.space !== undefined && account.space !== data.length)
    throw new ReadFailure('unreadable', `an account of ${account.space} bytes came with ${data.length}`)
  return { owner, data }
}
