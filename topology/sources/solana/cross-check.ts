// Compares every block with a second source in the background: a transaction that only the second source has is recorded as missing.
import * as z from 'zod'
import { mintsSeen } from '../../../processors/chains/solana/decode-frame.ts'
import { parseRpcTransaction } from '../../../processors/chains/solana/encodings/rpc-json.ts'
import { type LaunchpadMints, toFrameBody } from '../../../processors/chains/solana/normal-form.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { Missing } from '../../../schemas/types.ts'
import type { Notice } from '../../ports/notice.ts'
import { inTime, pause } from '../../waiting/waiting.ts'
import { type CheckedBlock, CheckQueue } from '../checks/check-queue.ts'
import { LACKS, type Verdict } from '../checks/verdicts.ts'
import type { PlacedBlock } from './feed.ts'
import { TRANSACTION_VERSION_MAX } from './rpc/blocks.ts'
import type { RpcClient } from './rpc/client.ts'

/** How long the check of a block waits for the second source, which may get the block a second later; then the block stays unchecked. */
const WAIT_MS_MAX = 4_000
/** The same while the second source is unreachable. */
const AWAY_WAIT_MS_MAX = 500
const POLL_MS = 200
/** Blocks checked concurrently. While the second source is unreachable, only one is requested. */
const AT_ONCE_MAX = 8
/** Limit of blocks being checked or waiting, about 200 KB of signatures each. Many wait while the first source catches up. */
export const CHECKS_MAX = 128
/** Limit per block of transactions fetched individually to learn what they touched. */
const LOOKED_UP_MAX = 64
const HARMLESS_REASON = 'the second source has this transaction, the first lacks it; it failed or touches nothing that is kept'

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
  /** Default: the limit of this file. */
  readonly waitMsMax?: number
}

/** The data needed to check a block. */
interface Checked extends CheckedBlock {
  /** Base58. */
  readonly ours: ReadonlySet<string>
  readonly unread: number
  readonly known: LaunchpadMints
}

export class CrossCheck {
  readonly #options: CrossCheckOptions
  readonly #queue: CheckQueue<Checked>

  constructor(options: CrossCheckOptions) {
    this.#options = options
    this.#queue = new CheckQueue({
      ...{ unit: 'slot', atOnceMax: AT_ONCE_MAX, batchMax: 1, checksMax: CHECKS_MAX, notice: options.notice },
      check: async ([block], isAway, stop) => {
        const verdict = block && (await this.#check(block, isAway, stop))
        return verdict && [verdict]
      },
    })
  }
  /** Starts a check in the background; `settled` returns its verdict later. `known` are the launchpad's coins. */
  begin(block: PlacedBlock, known: LaunchpadMints, stop: AbortSignal): void {
    const { slot, hash } = block
    const ours = new Set(block.transactions.map(({ signature }) => toBase58(signature)))
    this.#queue.begin({ from: slot, number: slot, hash, ours, unread: block.errors.length, known }, stop)
  }
  /** Verdicts since the last call, in no particular order. */
  settled(): readonly Verdict[] {
    return this.#queue.settled()
  }
  /** Resolves when no check is in progress. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  async #check(block: Checked, isAway: boolean, stop: AbortSignal): Promise<Verdict | undefined> {
    const { number: slot, hash, ours, unread, known } = block
    const others = await this.#signaturesOf(block, isAway, stop)
    if (others === undefined || stop.aborted) return undefined
    const absent = others.filter((signature) => !ours.has(signature))
    const theirs = new Set(others)
    const extra = [...ours].filter((signature) => !theirs.has(signature)).length
    if (extra > 0) this.#options.notice('second_source_lacks', { slot, transactions: extra })
    if (absent.length > unread) this.#options.notice('first_source_lacks', { slot, transactions: absent.length - unread })
    const found: Found[] = []
    for (const [index, signature] of absent.entries())
      found.push(index < LOOKED_UP_MAX ? await this.#lookUp(signature, known, stop) : { matters: true, mints: [] })
    const missing = found.map(({ matters, mints }, index): Missing => {
      const signature = absent[index] as string
      return { from: slot, to: slot, reason: matters ? LACKS : HARMLESS_REASON, signature, mints }
    })
    return { number: slot, hash, missing, isWhole: found.every(({ matters }) => !matters) }
  }
  async #signaturesOf({ number: slot, hash }: Checked, isAway: boolean, stop: AbortSignal): Promise<readonly string[] | undefined> {
    const limit = new AbortController()
    const waitMsMax = this.#options.waitMsMax ?? WAIT_MS_MAX
    const timer = setTimeout(() => limit.abort(), isAway ? Math.min(AWAY_WAIT_MS_MAX, waitMsMax) : waitMsMax)
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
  /** A transaction matters if a frame would contain some of it, or if it cannot be fetched. A failed one changed nothing. */
  async #lookUp(text: string, known: LaunchpadMints, stop: AbortSignal): Promise<Found> {
    const config = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX }
    const { client, waitMsMax = WAIT_MS_MAX } = this.#options
    const answer = await inTime(stop, waitMsMax, (until) => client.ask('getTransaction', [text, config], until))
    const parsed = answer.ok ? parseRpcTransaction(answer.result, 0) : undefined
    if (!parsed?.ok) return { matters: true, mints: [] }
    if (parsed.value.failure !== null) return { matters: false, mints: [] }
    const { transactions, transfers, balances } = toFrameBody([{ index: 0, tx: parsed.value }], () => known)
    const mints = new Set([...mintsSeen(0, transactions).seen, ...balances.map(({ mint }) => mint)])
    return { matters: transactions.length + transfers.length + balances.length > 0, mints: Array.from(mints, toBase58) }
  }
}

const CONFIG = {
  transactionDetails: 'signatures',
  rewards: false,
  commitment: 'confirmed',
  maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
}
