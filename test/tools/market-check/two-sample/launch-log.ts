// Logs the curve transactions of simulated launches as a public RPC node would show them: by signer, with the change of its balance.
import type { Key } from '../../../../schemas/keys.ts'
import type { DemoEvent, DemoSlot, DemoTransaction } from '../../../../topology/simulator/solana/market-types.ts'

/** Rent of a token account, paid at a wallet's first buy of a coin; rent and fee of a launch; fee of a transaction: lamports. */
const ACCOUNT_RENT = 2_039_280
const LAUNCH_COST = 20_000_000
const TRANSACTION_FEE = 5_000

type Trade = Extract<DemoEvent, { type: 'trade' }>

/** A transaction that names the curve. */
export interface LoggedTransaction {
  /** Unix seconds with fractions: the slot's. */
  readonly atS: number
  readonly signer: Key
  readonly isFailed: boolean
  /** Positive if the signer's balance grew: a sell. */
  readonly lamports: number
  /** Net amounts, without fees and rent, of all trades of the transaction: buys positive. */
  readonly quoteUnits: number
  /** The curve's real reserve afterwards. */
  readonly reserve: number
}

export interface LoggedLaunch {
  readonly mint: Key
  readonly atS: number
  readonly mayhem: boolean
  readonly isSol: boolean
  isComplete: boolean
  /** True if the transaction of the launch bought the whole curve. */
  isSelfGraduated: boolean
  peak: number
  readonly transactions: LoggedTransaction[]
  readonly holders: Set<Key>
}

const changeOf = (trade: Trade, isFirst: boolean): number => {
  const { isBuy, quoteUnits, feeUnits, creatorFeeUnits } = trade
  const fees = (feeUnits ?? 0) + (creatorFeeUnits ?? 0)
  return isBuy ? -quoteUnits - fees - (isFirst ? ACCOUNT_RENT : 0) : quoteUnits - fees
}

export class LaunchLog {
  readonly #launches = new Map<Key, LoggedLaunch>()

  get launches(): readonly LoggedLaunch[] {
    return [...this.#launches.values()]
  }
  /** Logs a slot; launches after `untilMs` are left out, trades are not. */
  see(slot: DemoSlot, untilMs: number): void {
    for (const transaction of slot.transactions)
      for (const instruction of transaction.instructions) {
        if (instruction.kind !== 'launchpad') continue
        for (const event of instruction.events) if (event.type === 'launch' && slot.timeMs < untilMs) this.#add(event, slot)
        const launch = this.#launches.get(instruction.mint)
        if (launch === undefined) continue
        this.#log(launch, transaction, slot)
        break
      }
  }
  #add({ mint, mayhem, quoteMint }: Extract<DemoEvent, { type: 'launch' }>, slot: DemoSlot): void {
    const atS = slot.timeMs / 1_000
    const state = { isComplete: false, isSelfGraduated: false, peak: 0, transactions: [], holders: new Set<Key>() }
    this.#launches.set(mint, { mint, atS, mayhem, isSol: quoteMint === null, ...state })
  }
  #log(launch: LoggedLaunch, { signer, failed, instructions }: DemoTransaction, slot: DemoSlot): void {
    if (launch.isComplete) return
    const atS = slot.timeMs / 1_000
    let [lamports, quoteUnits, reserve] = [-TRANSACTION_FEE, 0, launch.transactions.at(-1)?.reserve ?? 0]
    const events = failed === null ? instructions.flatMap((one) => (one.kind === 'launchpad' ? one.events : [])) : []
    for (const event of events) {
      if (event.type === 'launch') lamports -= LAUNCH_COST
      if (event.type === 'complete') {
        launch.isComplete = true
        launch.isSelfGraduated = launch.transactions.length === 0
      }
      if (event.type !== 'trade') continue
      quoteUnits += event.isBuy ? event.quoteUnits : -event.quoteUnits
      reserve = event.realQuoteUnits ?? 0
      if (event.user === signer) lamports += changeOf(event, !launch.holders.has(event.user))
      launch.holders.add(event.user)
    }
    launch.peak = Math.max(launch.peak, reserve)
    launch.transactions.push({ atS, signer, isFailed: failed !== null, lamports, quoteUnits, reserve })
  }
}
