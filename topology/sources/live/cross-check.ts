// A second source that every block is held against: a transaction that it has and ours lacks gets a name.
import { z } from 'zod'
import { mintsSeen } from '../../../processors/solana/decode-frame.ts'
import { type LaunchpadMints, toFrameBody } from '../../../processors/solana/normal-form.ts'
import { parseRpcTransaction } from '../../../processors/solana/rpc-json.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { Missing } from '../../../schemas/types.ts'
import { pause } from '../../waiting.ts'
import { TRANSACTION_VERSION_MAX } from '../rpc/blocks.ts'
import type { RpcClient } from '../rpc/client.ts'
import type { Notice } from '../source.ts'
import type { PlacedBlock } from './feed.ts'

/** A block waits so long for the other source, which may hear of it a second later; then it goes unchecked. */
const WAIT_MS_MAX = 4_000
/** The same while it is away. */
const AWAY_WAIT_MS_MAX = 500
const POLL_MS = 200
/** Of one block: looked up one by one, to learn what they touched. */
const LOOKED_UP_MAX = 64
const REASON = 'the second source has this transaction, the first lacks it'

const HARMLESS_REASON = 'the second source has this transaction, the first lacks it; it failed or touches nothing that is kept'

/** What one source has and the other lacks of a block, and whether nothing that a frame would keep is among it. */
export interface Absent {
  readonly missing: readonly Missing[]
  readonly isWhole: boolean
}
/** Nothing is. */
export const NOTHING_ABSENT: Absent = { missing: [], isWhole: true }

interface Found {
  readonly matters: boolean
  /** Base58. */
  readonly mints: string[]
}

const signaturesSchema = z.object({ blockhash: z.string(), signatures: z.array(z.string()) })

export interface CrossCheckOptions {
  /** The second source. */
  readonly client: RpcClient
  readonly notice: Notice
  /** The limit of this file where absent. */
  readonly waitMsMax?: number
}

export class CrossCheck {
  readonly #options: CrossCheckOptions
  #isAway = false

  constructor(options: CrossCheckOptions) {
    this.#options = options
  }
  /**
   * What the second source has of this very block and it lacks; `known` are the launchpad's coins. Nothing where the other does not have
   * the block in time, which is told.
   */
  async absentFrom(block: PlacedBlock, known: LaunchpadMints, stop: AbortSignal): Promise<Absent> {
    const others = await this.#signaturesOf(block, stop)
    this.#tell(others === undefined, block.slot)
    if (others === undefined || stop.aborted) return NOTHING_ABSENT
    const ours = new Set(block.transactions.map(({ signature }) => toBase58(signature)))
    const unread = block.errors.length
    const absent = others.filter((signature) => !ours.has(signature))
    const theirs = new Set(others)
    const extra = [...ours].filter((signature) => !theirs.has(signature)).length
    if (extra > 0) this.#options.notice('second_source_lacks', { slot: block.slot, transactions: extra })
    if (absent.length > unread) this.#options.notice('first_source_lacks', { slot: block.slot, transactions: absent.length - unread })
    const found: Found[] = []
    for (const [place, signature] of absent.entries())
      found.push(place < LOOKED_UP_MAX ? await this.#lookUp(signature, known, stop) : { matters: true, mints: [] })
    const { slot } = block
    const named = found.map(({ matters, mints }, place): Missing => {
      const signature = absent[place] as string
      return { from: slot, to: slot, reason: matters ? REASON : HARMLESS_REASON, signature, mints }
    })
    return { missing: named, isWhole: found.every(({ matters }) => !matters) }
  }

  async #signaturesOf({ slot, hash }: PlacedBlock, stop: AbortSignal): Promise<readonly string[] | undefined> {
    const limit = new AbortController()
    const waitMsMax = this.#options.waitMsMax ?? WAIT_MS_MAX
    const timer = setTimeout(() => limit.abort(), this.#isAway ? Math.min(AWAY_WAIT_MS_MAX, waitMsMax) : waitMsMax)
    const until = AbortSignal.any([stop, limit.signal])
    try {
      while (!until.aborted) {
        const answer = await this.#options.client.ask('getBlock', [slot, CONFIG], until)
        const read = answer.ok ? signaturesSchema.safeParse(answer.result) : undefined
        if (read?.success) return read.data.blockhash === hash ? read.data.signatures : undefined
        if (!until.aborted) await pause(POLL_MS, until)
      }
      return undefined
    } finally {
      clearTimeout(timer)
      limit.abort()
    }
  }
  /** It matters where a frame would keep some of it, or where it cannot be had. A failed one changed nothing. */
  async #lookUp(text: string, known: LaunchpadMints, stop: AbortSignal): Promise<Found> {
    const until = AbortSignal.any([stop, AbortSignal.timeout(this.#options.waitMsMax ?? WAIT_MS_MAX)])
    const config = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX }
    const answer = await this.#options.client.ask('getTransaction', [text, config], until)
    const parsed = answer.ok ? parseRpcTransaction(answer.result, 0) : undefined
    if (!parsed?.ok) return { matters: true, mints: [] }
    if (parsed.value.failure !== null) return { matters: false, mints: [] }
    const { transactions, transfers, balances } = toFrameBody([{ index: 0, tx: parsed.value }], () => known)
    const mints = new Set([...mintsSeen(0, transactions).seen, ...balances.map(({ mint }) => mint)])
    return { matters: transactions.length + transfers.length + balances.length > 0, mints: Array.from(mints, toBase58) }
  }
  /** Once when blocks begin to go unchecked, and once when they are checked again. */
  #tell(isAway: boolean, slot: number): void {
    if (isAway === this.#isAway) return
    this.#isAway = isAway
    this.#options.notice(isAway ? 'second_source_away' : 'second_source_checks_again', { slot })
  }
}

const CONFIG = {
  transactionDetails: 'signatures',
  rewards: false,
  commitment: 'confirmed',
  maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
}
