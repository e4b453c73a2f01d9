// The contracts that the decoder takes for the launchpad's: curves that a factory announced, and their tokens.
import type { Key } from '../../../schemas/keys.ts'
import type { AltContractRow, AltTapeEvent, TipRow } from '../../../schemas/types.ts'
import type { Context } from '../../contract.ts'
import type { DecodeOutput, ReadRows } from '../decoder.ts'

export type AltDecodeRows = { tip: TipRow; contracts: AltContractRow }

/** A curve with its token. */
export type Contract = Pick<AltContractRow, 'mint' | 'bondingCurve' | 'quoteMint'>

/** A curve without an event for so long is forgotten with its token. At ten times today's launches these are half a million rows. */
export const FORGOTTEN_AFTER_S = 24 * 3_600
/** How far `seenAt` may be behind, so that not every trade writes a row. */
const SEEN_GRAIN_S = 3_600
/** Looking for them takes about 30 ms where a hundred thousand rows are there. */
const FORGETS_EVERY_S = 3_600

type KeepContext = Context<AltDecodeRows, DecodeOutput<AltTapeEvent>>

/** What one frame looks up: contracts of the frames before, and those that it launches itself. */
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

const bothOf = ({ mint, bondingCurve }: Contract): readonly Key[] => [mint, bondingCurve]

const see = (ctx: KeepContext, contract: Contract, time: number): void => {
  const { mint, bondingCurve, quoteMint } = contract
  for (const address of bothOf(contract)) {
    const initial = () => ({ address, mint, bondingCurve, quoteMint, seenAt: time })
    Object.assign(ctx.edit('contracts', address, initial), initial())
  }
}

/**
 * Moves `seenAt` of a token that is known. Transfers do not count: a token that trades in a pool would be followed for ever.
 */
const seeAgain = (ctx: KeepContext, event: AltTapeEvent, time: number): void => {
  if (event.type === 'tokenTransfer') return
  const row = ctx.read('contracts', event.mint)
  if (row !== undefined && row.mint === event.mint && time - row.seenAt >= SEEN_GRAIN_S) see(ctx, row, time)
}

const forgetQuiet = (ctx: KeepContext, now: number): void => {
  const quiet: Key[] = []
  for (const { address, seenAt } of ctx.rows('contracts')) if (now - seenAt > FORGOTTEN_AFTER_S) quiet.push(address)
  for (const address of quiet) ctx.remove('contracts', address)
}

/** Keeps the contracts that the events of a frame show, and forgets those that are quiet as each hour begins. */
export const keepContracts = (
  ctx: KeepContext,
  events: readonly AltTapeEvent[],
  { before, now }: { readonly before: number; readonly now: number },
): void => {
  for (const event of events) {
    if (event.type === 'launch') see(ctx, event, now)
    else seeAgain(ctx, event, now)
  }
  if (Math.floor(now / FORGETS_EVERY_S) > Math.floor(before / FORGETS_EVERY_S)) forgetQuiet(ctx, now)
}
