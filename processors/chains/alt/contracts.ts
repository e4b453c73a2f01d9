// The contracts that the decoder accepts as the launchpad's: curves that a factory announced, and their tokens.
import type { Key } from '../../../schemas/keys.ts'
import type { AltContractRow, AltQueueRow, AltTapeEvent, TipRow } from '../../../schemas/types.ts'
import type { Context } from '../../contract.ts'
import type { DecodeOutput, ReadRows } from '../decoder.ts'

export type AltDecodeRows = { tip: TipRow; contracts: AltContractRow; queue: AltQueueRow }

/** A curve with its token. */
export type Contract = Pick<AltContractRow, 'mint' | 'bondingCurve' | 'quoteMint'>

/**
 * Interval at which each curve is checked, from its launch on. A curve without an event in this time before a check is removed: one to two
 * days after its last event. At ten times today's launches half a million rows are kept.
 */
export const FORGOTTEN_AFTER_S = 24 * 3_600
/** `seenAt` is updated at most this often, so that not every trade writes a row. */
const SEEN_STEP_S = 3_600
/** Maximum number of tokens that one frame checks, so that no frame takes long. A frame launches far fewer, so the queue does not grow. */
const CHECKS_MAX = 64

type DecodeContext = Context<AltDecodeRows, DecodeOutput<AltTapeEvent>>

/** The contracts that are known while a frame is decoded: those of earlier frames, and those that it launches itself. */
export class Contracts {
  readonly #rows: ReadRows<AltDecodeRows> | undefined
  readonly #launched = new Map<Key, Contract>()

  constructor(rows: ReadRows<AltDecodeRows> | undefined) {
    this.#rows = rows
  }
  register(contract: Contract): void {
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

const queueOf = (ctx: DecodeContext): AltQueueRow => ctx.edit('queue', undefined, () => ({ oldest: null, newest: null }))

/** Appends a token to the queue. */
const enqueue = (ctx: DecodeContext, mint: Key): void => {
  const queue = queueOf(ctx)
  if (queue.newest === null) queue.oldest = mint
  else ctx.edit('contracts', queue.newest).next = mint
  queue.newest = mint
}

const add = (ctx: DecodeContext, { mint, bondingCurve, quoteMint }: Contract, now: number): void => {
  if (ctx.read('contracts', mint) !== undefined) return
  const row = { mint, bondingCurve, quoteMint, next: null }
  ctx.edit('contracts', mint, () => ({ ...row, address: mint, seenAt: now, queuedAt: now }))
  ctx.edit('contracts', bondingCurve, () => ({ ...row, address: bondingCurve, seenAt: 0, queuedAt: 0 }))
  enqueue(ctx, mint)
}

/** Updates `seenAt` of a known token. Transfers do not count: otherwise a token that trades in a pool would be kept forever. */
const updateSeenAt = (ctx: DecodeContext, event: AltTapeEvent, now: number): void => {
  if (event.type === 'tokenTransfer') return
  const row = ctx.read('contracts', event.mint)
  if (row?.mint === event.mint && now - row.seenAt >= SEEN_STEP_S) ctx.edit('contracts', event.mint).seenAt = now
}

/** Checks the tokens that are due: removes the rows of idle curves and appends the other tokens to the queue again. */
const forgetIdle = (ctx: DecodeContext, now: number): void => {
  for (let checks = 0; checks < CHECKS_MAX; checks++) {
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

/** Adds the contracts that a frame launches and removes idle ones. `now`: tick time, unix seconds. */
export const updateContracts = (ctx: DecodeContext, events: readonly AltTapeEvent[], now: number): void => {
  for (const event of events) {
    if (event.type === 'launch') add(ctx, event, now)
    else updateSeenAt(ctx, event, now)
  }
  forgetIdle(ctx, now)
}
