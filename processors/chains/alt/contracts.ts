// The contracts that the decoder accepts as the launchpad's: curves that a factory announced, and their tokens.
import type { Key } from '../../../schemas/keys.ts'
import type { AltContractRow, AltQueueRow, AltTapeEvent, TipRow } from '../../../schemas/types.ts'
import type { Context } from '../../contract.ts'
import type { DecodeOutput, ReadRows } from '../decoder.ts'

export type AltDecodeRows = { tip: TipRow; contracts: AltContractRow; queue: AltQueueRow }

/** A curve with its token. */
export type Contract = Pick<AltContractRow, 'mint' | 'bondingCurve' | 'quoteMint'>

/**
 * Interval at which a curve is checked after its launch. A curve without an event in it is forgotten with its token: one to two days after
 * its last event. At ten times today's launches these are half a million rows.
 */
export const FORGOTTEN_AFTER_S = 24 * 3_600
/** How far `seenAt` may be behind, so not every trade writes a row. */
const SEEN_GRAIN_S = 3_600
/** Tokens of the queue that one frame checks, so no frame takes long: many times the number launched in its time. */
const LOOKS_MAX = 64

type KeepContext = Context<AltDecodeRows, DecodeOutput<AltTapeEvent>>

/** The contracts that one frame can resolve: those of earlier frames, and those that it launches itself. */
export class Contracts {
  readonly #rows: ReadRows<AltDecodeRows> | undefined
  readonly #launched = new Map<Key, Contract>()

  constructor(rows: ReadRows<AltDecodeRows> | undefined) {
    this.#rows = rows
  }
  launch(contract: Contract): void {
    this.#launched.set(contract.bondingCurve, contract)
    this.#launched.set(contract.mint, contract)
  }
  #find(address: Key): Contract | undefined {
    return this.#launched.get(address) ?? this.#rows?.read('contracts', address)
  }
  ofCurve(address: Key): Contract | undefined {
    const contract = this.#find(address)
    return contract?.bondingCurve === address ? contract : undefined
  }
  ofToken(address: Key): Contract | undefined {
    const contract = this.#find(address)
    return contract?.mint === address ? contract : undefined
  }
}

const queueOf = (ctx: KeepContext): AltQueueRow => ctx.edit('queue', undefined, () => ({ oldest: null, newest: null }))

/** Appends a token to the queue. */
const enqueue = (ctx: KeepContext, mint: Key): void => {
  const queue = queueOf(ctx)
  if (queue.newest === null) queue.oldest = mint
  else ctx.edit('contracts', queue.newest).next = mint
  queue.newest = mint
}

const add = (ctx: KeepContext, { mint, bondingCurve, quoteMint }: Contract, now: number): void => {
  if (ctx.read('contracts', mint) !== undefined) return
  const row = { mint, bondingCurve, quoteMint, next: null }
  ctx.edit('contracts', mint, () => ({ ...row, address: mint, seenAt: now, queuedAt: now }))
  ctx.edit('contracts', bondingCurve, () => ({ ...row, address: bondingCurve, seenAt: 0, queuedAt: 0 }))
  enqueue(ctx, mint)
}

/** Updates `seenAt` of a known token. Transfers do not count: otherwise a token that trades in a pool would be followed forever. */
const see = (ctx: KeepContext, event: AltTapeEvent, now: number): void => {
  if (event.type === 'tokenTransfer') return
  const row = ctx.read('contracts', event.mint)
  if (row?.mint === event.mint && now - row.seenAt >= SEEN_GRAIN_S) ctx.edit('contracts', event.mint).seenAt = now
}

/** Checks the tokens that are due: tokens of quiet curves are forgotten, the others queue again. */
const forgetQuiet = (ctx: KeepContext, now: number): void => {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const oldest = ctx.read('queue')?.oldest ?? null
    const row = oldest === null ? undefined : ctx.read('contracts', oldest)
    if (row === undefined || now - row.queuedAt <= FORGOTTEN_AFTER_S) return
    const { mint, bondingCurve, next, seenAt } = row
    const queue = queueOf(ctx)
    queue.oldest = next
    if (next === null) queue.newest = null
    if (now - seenAt > FORGOTTEN_AFTER_S) {
      ctx.remove('contracts', mint)
      ctx.remove('contracts', bondingCurve)
    } else {
      Object.assign(ctx.edit('contracts', mint), { queuedAt: now, next: null })
      enqueue(ctx, mint)
    }
  }
}

/** Stores the contracts that a frame's events show, and forgets quiet ones. `now`: tick time, unix seconds. */
export const keepContracts = (ctx: KeepContext, events: readonly AltTapeEvent[], now: number): void => {
  for (const event of events) {
    if (event.type === 'launch') add(ctx, event, now)
    else see(ctx, event, now)
  }
  forgetQuiet(ctx, now)
}
