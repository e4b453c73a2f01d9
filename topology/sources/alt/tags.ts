// The finality of our frames, from the node's tags. A fixed number of confirmations would mean nothing here: a block becomes final with
// the batch that carries it to the parent chain, minutes later.
import type { Notice } from '../../ports/notice.ts'
import type { BlockHead, EvmNode } from './node.ts'
import type { SureNumbers } from './step.ts'
import type { Window } from './window.ts'

const TAGS_EVERY_MS = 2_000

export interface TagsOptions {
  readonly node: EvmNode
  readonly notice: Notice
  /** Default: the interval of this file; tests pass less. */
  readonly tagsEveryMs?: number
}

export class Tags {
  readonly #options: TagsOptions
  #sure: SureNumbers
  #askedAtMs = Number.NEGATIVE_INFINITY
  #reported: { readonly safe: BlockHead | null; readonly finalized: BlockHead | null } | null = null

  constructor(options: TagsOptions, sure: SureNumbers) {
    this.#options = options
    this.#sure = sure
  }
  get sure(): SureNumbers {
    return this.#sure
  }
  /** Requests the tags periodically in the background: a node with slow tags delays no block. */
  ask(stop: AbortSignal): void {
    const { node, notice, tagsEveryMs = TAGS_EVERY_MS } = this.#options
    if (performance.now() - this.#askedAtMs < tagsEveryMs) return
    const isFirst = this.#askedAtMs === Number.NEGATIVE_INFINITY
    this.#askedAtMs = performance.now()
    Promise.all([node.tagged('safe', stop), node.tagged('finalized', stop)]).then(
      ([safe, finalized]) => {
        this.#reported = { safe, finalized }
        if (isFirst && (safe === null || finalized === null))
          notice('chain_tags_not_served', { safe: String(safe !== null), finalized: String(finalized !== null) })
      },
      // The node reports the failure itself; the next request follows soon.
      () => {},
    )
  }
  /** The finality of our frames by the newest response; null if it is unchanged, or if no response came since the last call. */
  take(window: Window): SureNumbers | null {
    if (this.#reported === null) return null
    const { safe, finalized } = this.#reported
    this.#reported = null
    const before = this.#sure
    const final = Math.max(before.finalized, sureUpTo(finalized, window))
    this.#sure = { finalized: final, confirmed: Math.max(before.confirmed, final, sureUpTo(safe, window)) }
    return this.#sure.confirmed === before.confirmed && final === before.finalized ? null : this.#sure
  }
  /** Lowers `confirmed` after a rollback of all frames above this number. */
  revertedTo(number: number): void {
    this.#sure = { ...this.#sure, confirmed: Math.min(this.#sure.confirmed, number) }
  }
}

/** A tag counts only if its block is on our branch. Below the window no fork is possible. */
const sureUpTo = (tagged: BlockHead | null, window: Window): number => {
  const oldest = window.blocks[0]
  if (tagged === null || oldest === undefined) return -1
  if (tagged.number < oldest.number) return tagged.number
  return window.has(tagged) ? (window.frameUpTo(tagged.number)?.number ?? -1) : -1
}
