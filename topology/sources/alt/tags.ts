// How sure the chain is of our frames, as the node's tags have it. A fixed count of blocks would say nothing here: the chain is as sure as
// the batch that carries the block to the chain below, minutes later.
import type { Notice } from '../../ports/notice.ts'
import type { EvmNode, Head } from './node.ts'
import type { SureNumbers } from './step.ts'
import type { Window } from './window.ts'

const TAGS_EVERY_MS = 2_000

export interface TagsOptions {
  readonly node: EvmNode
  readonly notice: Notice
  /** The interval of this file unless a test has less time. */
  readonly tagsEveryMs?: number
}

export class Tags {
  readonly #options: TagsOptions
  #sure: SureNumbers
  #askedAtMs = Number.NEGATIVE_INFINITY
  #heard: { readonly safe: Head | null; readonly finalized: Head | null } | null = null

  constructor(options: TagsOptions, sure: SureNumbers) {
    this.#options = options
    this.#sure = sure
  }
  get sure(): SureNumbers {
    return this.#sure
  }
  /** Asks every so often, beside all else: a node that is slow with its tags holds up no block. */
  ask(stop: AbortSignal): void {
    const { node, notice, tagsEveryMs = TAGS_EVERY_MS } = this.#options
    if (performance.now() - this.#askedAtMs < tagsEveryMs) return
    const isFirst = this.#askedAtMs === Number.NEGATIVE_INFINITY
    this.#askedAtMs = performance.now()
    Promise.all([node.tagged('safe', stop), node.tagged('finalized', stop)]).then(
      ([safe, finalized]) => {
        this.#heard = { safe, finalized }
        if (isFirst && (safe === null || finalized === null))
          notice('chain_tags_not_served', { safe: String(safe !== null), finalized: String(finalized !== null) })
      },
      // The node's trouble is reported where it is asked; the next question comes soon.
      () => {},
    )
  }
  /** What the last answer says of our frames, where that is more than before; null else. */
  take(window: Window): SureNumbers | null {
    if (this.#heard === null) return null
    const { safe, finalized } = this.#heard
    this.#heard = null
    const before = this.#sure
    const final = Math.max(before.finalized, sureUpTo(finalized, window))
    this.#sure = { finalized: final, confirmed: Math.max(before.confirmed, final, sureUpTo(safe, window)) }
    return this.#sure.confirmed === before.confirmed && final === before.finalized ? null : this.#sure
  }
  /** A fork took back every frame after this number. */
  revertedTo(number: number): void {
    this.#sure = { ...this.#sure, confirmed: Math.min(this.#sure.confirmed, number) }
  }
}

/** A tag counts for the block that it names: on another branch than ours it says nothing. Below the window no fork reaches anyway. */
const sureUpTo = (tagged: Head | null, window: Window): number => {
  const oldest = window.blocks[0]
  if (tagged === null || oldest === undefined) return -1
  if (tagged.number < oldest.number) return tagged.number
  return window.has(tagged) ? (window.frameUpTo(tagged.number)?.number ?? -1) : -1
}
