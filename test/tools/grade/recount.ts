// Recomputes the rules' results for the demo's launches from the market's instructions: no tape, no engine, no repartition.
import { isWallet } from '../../../processors/chains/solana/wallet-key.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { DemoEvent, DemoInstruction, DemoSlot, DemoTransaction } from '../../../topology/simulator/solana/market-types.ts'

/** The rules' thresholds, repeated here: minimum payment, lamports, and how far back it counts, seconds. */
const PAYMENT_LAMPORTS_MIN = 100_000_000
const BACK_S = 1_800

type Launch = Extract<DemoEvent, { type: 'launch' }>
type Rule = 'a' | 'b' | 'c'

export interface Paid {
  /** Number of the instruction, over the whole market. */
  readonly n: number
  readonly at: number
  readonly funder: Key
  readonly lamports: number
}
interface Counted {
  readonly launch: Launch
  readonly n: number
  readonly at: number
  readonly signature: string
  /** Number of earlier launches of the wallet of the dev set that has the most. */
  readonly launchesBefore: number
  /** When each wallet first bought. */
  readonly firstBuys: Map<Key, { readonly n: number; readonly at: number }>
  readonly received: Set<Key>
  readonly inCreate: Set<Key>
  isOpen: boolean
  wentBeyond: boolean
  hasPool: boolean
}

export class Recount {
  readonly mints = new Map<Key, Counted>()
  readonly #paid = new Map<Key, Paid[]>()
  readonly #launches = new Map<Key, number>()
  #n = 0

  see(slot: DemoSlot): void {
    const second = Math.floor(slot.timeMs / 1_000)
    for (const tx of slot.transactions) if (tx.failed === null) for (const one of tx.instructions) this.#instruction(one, tx, second)
  }
  /** The newest qualifying payment to a wallet in the `BACK_S` before `at`; undefined if there is none. */
  paidBefore(wallet: Key, at: number, n = Number.POSITIVE_INFINITY): Paid | undefined {
    return this.#paidSince(wallet, at, n).at(-1)
  }
  /** The newest qualifying payment before the launch. */
  warmOf({ launch, at, n }: Counted): Paid | undefined {
    return this.paidBefore(launch.creatorIsWallet ? launch.creator : launch.user, at, n)
  }
  /** Wallets outside the dev set that met a rule. */
  insidersOf(mint: Counted, rule: Rule): readonly Key[] {
    const met = rule === 'a' ? mint.received : rule === 'c' ? mint.inCreate : this.#funded(mint)
    return [...met].filter((wallet) => !isDev(mint.launch, wallet))
  }

  #paidSince(wallet: Key, at: number, n: number): readonly Paid[] {
    return (this.#paid.get(wallet) ?? []).filter((one) => one.n < n && one.at >= at - BACK_S)
  }
  /** Wallets that, shortly before their first buy, the dev set paid, or a wallet that had paid the creator shortly before the launch. */
  #funded(mint: Counted): Set<Key> {
    const { launch, at, n } = mint
    const launcher = launch.creatorIsWallet ? launch.creator : launch.user
    const funders = new Set(this.#paidSince(launcher, at, n).map(({ funder }) => funder))
    const isFunder = (wallet: Key): boolean => funders.has(wallet) || isDev(launch, wallet)
    return new Set(
      [...mint.firstBuys].flatMap(([wallet, buy]) =>
        this.#paidSince(wallet, buy.at, buy.n).some(({ funder }) => isFunder(funder)) ? [wallet] : [],
      ),
    )
  }
  #instruction(one: DemoInstruction, tx: DemoTransaction, second: number): void {
    const n = this.#n++
    if (one.kind === 'transfer') {
      if (one.lamports < PAYMENT_LAMPORTS_MIN || one.source === one.target) return
      const paid = this.#paid.get(one.target) ?? []
      this.#paid.set(one.target, paid)
      paid.push({ n, at: second, funder: one.source, lamports: one.lamports })
    } else if (one.kind === 'tokenTransfer') {
      const mint = this.mints.get(one.mint)
      // Half of the demo's traders have keys that no wallet can have: the rule takes their transfers for those of a program.
      if (mint?.isOpen === true && isWallet(one.target) && isWallet(one.source)) mint.received.add(one.target)
    } else for (const event of one.events) this.#event(event, tx, second, n)
  }
  #event(event: DemoEvent, { signature }: DemoTransaction, at: number, n: number): void {
    if (event.type === 'launch') {
      const devs = new Set(event.creatorIsWallet ? [event.user, event.creator] : [event.user])
      const launchesBefore = Math.max(...[...devs].map((wallet) => this.#launches.get(wallet) ?? 0))
      for (const wallet of devs) this.#launches.set(wallet, (this.#launches.get(wallet) ?? 0) + 1)
      const sets = { firstBuys: new Map(), received: new Set<Key>(), inCreate: new Set<Key>() }
      const states = { isOpen: true, wentBeyond: false, hasPool: false }
      this.mints.set(event.mint, { launch: event, n, at, signature, launchesBefore, ...sets, ...states })
      return
    }
    const mint = this.mints.get(event.mint)
    if (mint === undefined) return
    if (event.type === 'complete') mint.isOpen = false
    else if (event.type === 'postCompleteBuy') mint.wentBeyond = true
    else if (event.type === 'migrate') mint.hasPool = true
    const isBuy = (event.type === 'trade' || event.type === 'poolTrade') && event.isBuy && !event.isAgent
    if (!isBuy) return
    if (!mint.firstBuys.has(event.user)) mint.firstBuys.set(event.user, { n, at })
    if (signature === mint.signature) mint.inCreate.add(event.user)
  }
}

const isDev = ({ user, creator, creatorIsWallet }: Launch, wallet: Key): boolean =>
  wallet === user || (creatorIsWallet && wallet === creator)
