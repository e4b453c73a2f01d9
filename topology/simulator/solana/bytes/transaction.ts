// Builds a simulated transaction as a node returns it: keys, instructions, inner calls, balances. The normal form is derived from it.
import { transferData } from '../../../../processors/chains/solana/normal-form.ts'
import { MAYHEM_AGENT, PUMP, PUMP_AMM } from '../../../../processors/chains/solana/programs.ts'
import type { SourceInner, SourceInstruction, SourceTransaction } from '../../../../processors/chains/solana/source-transaction.ts'
import { assert } from '../../../../schemas/errors.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { DemoEvent, DemoInstruction, DemoTransaction } from '../market-types.ts'
import { accountOf, accountsOf, quoteMintOf, type Scene } from './accounts-of.ts'
import { FIXED } from './addresses.ts'
import { type Coin, type CoinBook, coinMoves, launched } from './coins.ts'
import { callOf } from './events.ts'
import { instructionData } from './instruction-data.ts'
import { Ledger, someUnits, type TokenHolding } from './ledger.ts'
import { CURVE_RENT_LAMPORTS, type QuoteMove, quoteMoves, TOKEN_RENT_LAMPORTS } from './moves.ts'
import { burn, transferChecked } from './token-data.ts'

type Launchpad = Extract<DemoInstruction, { kind: 'launchpad' }>

const COIN_DECIMALS = 6
const SOL_DECIMALS = 9
const SIGNATURE_FEE_LAMPORTS = 5_000
const KEYS_MAX = 256
/** The signers, payer first: users, senders, and the mint of a launch. The mayhem agent has no key. */
const signersOf = ({ signer, instructions }: DemoTransaction): Key[] => {
  const signers = new Set([signer])
  for (const instruction of instructions) {
    if (instruction.kind === 'launchpad') {
      if (instruction.user !== MAYHEM_AGENT) signers.add(instruction.user)
      if (instruction.name === 'create' || instruction.name === 'create_v2') signers.add(instruction.mint)
    } else signers.add(instruction.source)
  }
  return [...signers]
}

/** Most transactions are of version 0; the oldest and the newest version occur too. */
const versionOf = ({ signature }: DemoTransaction): number => [-1, 1][signature.charCodeAt(0) % 10] ?? 0

/** An account and its previous lamports; null if unknown. */
interface Holder {
  readonly key: Key
  readonly before: number | null
}

const lamportsBefore = (key: Key, coin: Coin, what: QuoteMove['what']): number | null => {
  if (what === 'rent' && (key === coin.bondingCurve || key === coin.mint)) return 0
  return key === coin.bondingCurve ? CURVE_RENT_LAMPORTS + coin.realQuoteUnits : null
}

/** Builds one transaction and applies it to the book. */
class Builder {
  readonly #tx: DemoTransaction
  readonly #book: CoinBook
  readonly #keys: Key[] = []
  readonly #indexes = new Map<Key, number>()
  readonly #ledger = new Ledger()
  readonly #inner: SourceInner[] = []
  readonly #launched = new Map<Key, Coin>()
  #outer = 0

  constructor(tx: DemoTransaction, book: CoinBook) {
    this.#tx = tx
    this.#book = book
  }
  build(): SourceTransaction {
    const { index, signature, signer, failed, instructions } = this.#tx
    const signers = signersOf(this.#tx)
    for (const key of signers) this.#indexOf(key)
    const feeLamports = SIGNATURE_FEE_LAMPORTS * signers.length + 1_000 * signature.charCodeAt(1)
    this.#ledger.lamports(0, signer, -feeLamports, null)
    const tops = instructions.map((instruction, outer) => this.#instruction(instruction, outer))
    const lamports = this.#ledger.lamportColumns(this.#keys.length)
    const tokens = this.#ledger.tokenColumns()
    assert(this.#keys.length <= KEYS_MAX, `a transaction of ${this.#keys.length} keys`)
    return {
      index,
      signature,
      failure: failed,
      version: versionOf(this.#tx),
      signers: signers.length,
      feeLamports,
      keys: this.#keys,
      logs: null,
      instructions: tops,
      inner: this.#inner,
      lamportsBefore: lamports.before,
      lamportsAfter: lamports.after,
      tokensBefore: tokens.before,
      tokensAfter: tokens.after,
    }
  }

  #indexOf(key: Key): number {
    let at = this.#indexes.get(key)
    if (at === undefined) {
      at = this.#keys.push(key) - 1
      this.#indexes.set(key, at)
    }
    return at
  }
  #made(program: Key, accounts: readonly Key[], data: Buffer): SourceInstruction {
    return { program: this.#indexOf(program), accounts: Uint8Array.from(accounts, (key) => this.#indexOf(key)), data }
  }
  #call(depth: number, program: Key, accounts: readonly Key[], data: Buffer): void {
    this.#inner.push({ outer: this.#outer, depth, ...this.#made(program, accounts, data) })
  }
  #instruction(instruction: DemoInstruction, outer: number): SourceInstruction {
    this.#outer = outer
    const { failed } = this.#tx
    const isRun = failed === null || outer <= failed.instruction
    if (instruction.kind === 'transfer') return this.#transfer(instruction)
    if (instruction.kind === 'tokenTransfer') return this.#tokenTransfer(instruction)
    const { name, user, events } = instruction
    const program = name.startsWith('amm_') ? PUMP_AMM : PUMP
    const scenes = this.#scenesOf(instruction)
    const top = this.#made(program, accountsOf(name, scenes), instructionData(name, user, events))
    if (isRun) this.#run(scenes, instruction, program)
    return top
  }
  #transfer({ source, target, lamports }: Extract<DemoInstruction, { kind: 'transfer' }>): SourceInstruction {
    const top = this.#made(FIXED.system, [source, target], transferData(BigInt(lamports)))
    if (this.#tx.failed === null) this.#pay({ key: source, before: null }, { key: target, before: null }, lamports)
    return top
  }
  #tokenTransfer(instruction: Extract<DemoInstruction, { kind: 'tokenTransfer' }>): SourceInstruction {
    const { mint, source, target, units } = instruction
    const coin = this.#book.at(mint)
    const accounts = [accountOf(coin, source, mint), mint, accountOf(coin, target, mint), source]
    const top = this.#made(coin.tokenProgram, accounts, transferChecked(units, COIN_DECIMALS))
    if (this.#tx.failed !== null) return top
    this.#moveCoins(coin, source, target, units)
    this.#book.transfer(instruction)
    return top
  }
  /** One for all events; of a route, one for each. */
  #scenesOf(instruction: Launchpad): readonly [Scene, ...Scene[]] {
    const hops = instruction.name === 'amm_multi_hop_swap' ? instruction.events.slice(1) : []
    const scenes = hops.map((event) => this.#sceneOf({ ...instruction, mint: event.mint, events: [event] }))
    return [this.#sceneOf(hops.length === 0 ? instruction : { ...instruction, events: instruction.events.slice(0, 1) }), ...scenes]
  }
  /** The coin before the instruction; pool and quote in its events override those of the book. */
  #sceneOf({ mint, user, events }: Launchpad): Scene {
    let coin = this.#launched.get(mint) ?? this.#book.at(mint)
    let coinIsBase = true
    for (const event of events) {
      if (event.type === 'launch') {
        coin = launched(event)
        this.#launched.set(mint, coin)
      }
      if (event.type === 'migrate' || event.type === 'poolCreate') coin = { ...coin, pool: event.pool }
      if (event.type !== 'poolTrade' && event.type !== 'poolLiquidity') continue
      coinIsBase = event.coinIsBase
      coin = { ...coin, pool: event.pool, quoteMint: event.quoteMint }
    }
    return { coin, user, coinIsBase }
  }
  /** The k-th event is the k-th inner call; transfers follow. */
  #run(scenes: readonly [Scene, ...Scene[]], { name, events }: Launchpad, top: Key): void {
    const sceneAt = (k: number): Scene => scenes[k] ?? scenes[0]
    for (const [k, event] of events.entries()) {
      const { program, data } = callOf(event, sceneAt(k), { name, events })
      const key = program === 'pump' ? PUMP : PUMP_AMM
      const authority = program === 'pump' ? FIXED.eventAuthority : FIXED.ammEventAuthority
      this.#call(key === top ? 2 : 3, key, [authority], data)
    }
    for (const [k, event] of events.entries()) this.#settle(event, sceneAt(k), name)
  }
  #settle(event: DemoEvent, scene: Scene, name: Launchpad['name']): void {
    const coin = event.type === 'launch' ? scene.coin : this.#book.at(event.mint)
    const isDone = this.#tx.failed === null
    for (const { source, target, units } of coinMoves(event, scene.coin)) {
      const account = accountOf(coin, source, coin.mint)
      if (target === null) this.#call(2, coin.tokenProgram, [account, coin.mint, source], burn(units))
      else {
        const accounts = [account, coin.mint, accountOf(coin, target, coin.mint), source]
        this.#call(2, coin.tokenProgram, accounts, transferChecked(units, COIN_DECIMALS))
      }
      if (isDone) this.#moveCoins(coin, source, target, units)
    }
    for (const move of quoteMoves(event, scene.coin, name)) {
      if (move.units <= 0) continue
      const isFromUser = move.source === scene.user && move.wrapped === 'none' && (move.what === 'rent' || scene.coin.quoteMint === null)
      if (isFromUser) this.#call(2, FIXED.system, [move.source, move.target], transferData(BigInt(move.units)))
      if (isDone) this.#moveQuote(event, scene.coin, move)
    }
    if (!isDone) return
    if (event.type === 'launch') this.#mint(scene.coin)
    this.#book.apply(event)
  }
  #mint(coin: Coin): void {
    for (const [owner, units] of coin.balances) this.#ledger.tokens(this.#coinsOf(coin, owner), units, 0)
  }
  #coinsOf(coin: Coin, owner: Key): TokenHolding {
    const { mint, tokenProgram } = coin
    return { account: this.#indexOf(accountOf(coin, owner, mint)), mint, owner, tokenProgram, decimals: COIN_DECIMALS }
  }
  #moveCoins(coin: Coin, source: Key, target: Key | null, units: number): void {
    this.#ledger.tokens(this.#coinsOf(coin, source), -units, coin.balances.get(source) ?? 0)
    if (target === null) return
    const had = coin.balances.get(target)
    const holding = this.#coinsOf(coin, target)
    this.#ledger.tokens(holding, units, had ?? 0)
    if (had === undefined) this.#payInto(holding.account, TOKEN_RENT_LAMPORTS)
  }
  /** Rent of a new account, paid by the payer of the transaction. */
  #payInto(account: number, lamports: number): void {
    this.#ledger.lamports(0, this.#tx.signer, -lamports, null)
    this.#ledger.lamports(account, this.#keys[account] as Key, lamports, 0)
  }
  #pay(source: Holder, target: Holder, lamports: number): void {
    this.#ledger.lamports(this.#indexOf(source.key), source.key, -lamports, source.before)
    this.#ledger.lamports(this.#indexOf(target.key), target.key, lamports, target.before)
  }
  #moveQuote(event: DemoEvent, coin: Coin, { source, target, units, what, wrapped }: QuoteMove): void {
    const isSol = what === 'rent' || coin.quoteMint === null
    const held = (owner: Key): number => {
      if (owner === coin.bondingCurve) return coin.realQuoteUnits
      if (event.type === 'migrate') return 0
      return 'poolQuoteUnits' in event && owner === event.pool ? event.poolQuoteUnits : someUnits(owner)
    }
    const holder = (side: 'source' | 'target', owner: Key, delta: number): Holder => {
      const isInTokens = !isSol || wrapped === side || wrapped === 'both'
      return isInTokens ? this.#quoteOf(coin, owner, delta, held(owner)) : { key: owner, before: lamportsBefore(owner, coin, what) }
    }
    const payer = holder('source', source, -units)
    const payee = holder('target', target, units)
    if (isSol) this.#pay(payer, payee, units)
  }
  /** Records a change of an owner's quote tokens. For wrapped SOL, the token account has the same amount of lamports. */
  #quoteOf(coin: Coin, owner: Key, delta: number, before: number): Holder {
    const mint = quoteMintOf(coin)
    const key = accountOf(coin, owner, mint)
    const decimals = coin.quoteMint === null ? SOL_DECIMALS : COIN_DECIMALS
    this.#ledger.tokens({ account: this.#indexOf(key), mint, owner, tokenProgram: FIXED.token, decimals }, delta, before)
    return { key, before: TOKEN_RENT_LAMPORTS + before }
  }
}

/** Applies the transaction to the book, so each must be built exactly once and in order. */
export const sourceTransaction = (tx: DemoTransaction, book: CoinBook): SourceTransaction => new Builder(tx, book).build()
