// Instructions that emit an event whenever they succeed. Source: the programs' IDLs of 2026-11 and every successful call in the recorded
// transactions of 2024-08 to 2026-10. Left out: instructions about fees and settings, which move no coins.
import { hash } from 'node:crypto'
import { asBuffer } from '../../../../schemas/bytes.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { FrameInstruction, FrameTransaction } from '../../../../schemas/types.ts'
import type { ProgramName } from '../programs.ts'
import { sidesOf } from './amm-trade.ts'
import type { FoundEvent } from './found.ts'

/** An instruction that always emits. */
interface EmittingCall {
  readonly name: string
  /** First 8 bytes of the events of which it emits at least one, latin1. */
  readonly events: ReadonlySet<string>
  /** Places of its coin in its accounts, or of the base and quote mint of its pool. */
  readonly mints: readonly number[]
}

/** `instructions: events @ places of the mints`. */
const PUMP_CALLS = `
create create_v2: CreateEvent @ 0
buy buy_exact_sol_in sell: TradeEvent @ 2
buy_v2 buy_exact_quote_in_v2 sell_v2 buy_v3 buy_exact_quote_in_v3 sell_v3: TradeEvent @ 1`
/** Emit nothing where the curve has migrated already (82r2mVKL, slot 454176130): only a record without calls and log makes them due. */
const MIGRATIONS = `
migrate migrate_v2: CompletePumpAmmMigrationEvent @ 2`
const AMM_CALLS = `
buy buy_exact_quote_in buy_v2 buy_exact_quote_in_v2: BuyEvent @ 3 4
sell sell_v2: SellEvent @ 3 4
deposit: DepositEvent @ 3 4
withdraw: WithdrawEvent @ 3 4
create_pool: CreatePoolEvent @ 3 4
boost_buy_and_burn: BoostBuyAndBurnEvent @ 3 4`

const discriminator = (kind: 'global' | 'event', name: string): string =>
  hash('sha256', `${kind}:${name}`, 'buffer').toString('latin1', 0, 8)

const parseCalls = (table: string): ReadonlyMap<string, EmittingCall> =>
  new Map(
    table
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [names = '', events = '', places = ''] = line.split(/: | ?@ ?/)
        const emits = new Set(events.split(' ').map((event) => discriminator('event', event)))
        const mints = places === '' ? [] : places.split(' ').map(Number)
        return names.split(' ').map((name) => [discriminator('global', name), { name, events: emits, mints }] as const)
      }),
  )

const CALLS: Readonly<Record<ProgramName, ReadonlyMap<string, EmittingCall>>> = {
  pump: parseCalls(PUMP_CALLS),
  pump_amm: parseCalls(AMM_CALLS),
}

const MIGRATION_CALLS = parseCalls(MIGRATIONS)

const inLog = ({ name }: EmittingCall): string => name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())
const NAMES: Readonly<Record<ProgramName, ReadonlySet<string>>> = {
  pump: new Set([...CALLS.pump.values()].map(inLog)),
  pump_amm: new Set([...CALLS.pump_amm.values()].map(inLog)),
}

/** The route of multi_hop_swap: five accounts for each hop after the fixed ones, first its base and its quote mint; each hop emits. */
const ROUTE = discriminator('global', 'multi_hop_swap')
const ROUTE_ACCOUNTS = 16
const HOP_ACCOUNTS = 5
const HOP_EVENTS: ReadonlySet<string> = new Set(['TradeEvent', 'BuyEvent', 'SellEvent'].map((event) => discriminator('event', event)))

const codeOf = (bytes: Uint8Array): string => asBuffer(bytes).toString('latin1', 0, 8)

/** What one call must emit, and the coins that it trades. */
interface Due {
  readonly call: string
  readonly events: ReadonlySet<string>
  readonly count: number
  /** Places of the mints in its accounts, of each coin one or two. */
  readonly mints: readonly (readonly number[])[]
}

const dueOf = (program: ProgramName, { data, accounts }: FrameInstruction, isUnrecorded: boolean): Due | undefined => {
  const code = codeOf(data)
  const known = CALLS[program].get(code) ?? (isUnrecorded && program === 'pump' ? MIGRATION_CALLS.get(code) : undefined)
  if (known !== undefined) return { call: known.name, events: known.events, count: 1, mints: [known.mints] }
  if (program !== 'pump_amm' || code !== ROUTE) return undefined
  const count = Math.floor((accounts.length - ROUTE_ACCOUNTS) / HOP_ACCOUNTS)
  const hops = Array.from({ length: Math.max(0, count) }, (_, hop) => ROUTE_ACCOUNTS + hop * HOP_ACCOUNTS)
  return { call: 'multi_hop_swap', events: HOP_EVENTS, count, mints: hops.map((at) => [at, at + 1]) }
}

const coinOf = ({ keys }: FrameTransaction, accounts: Uint8Array, places: readonly number[]): Key | undefined => {
  const [base, quote] = places.map((place) => keys[accounts[place] ?? -1])
  if (base === undefined || places.length === 1) return base
  return quote === undefined ? undefined : sidesOf(base, quote).mint
}

/** A call within a transaction: it and its own calls have the inner numbers `inner` to `last`. */
export interface PlacedCall {
  readonly outer: number
  readonly inner: number
  readonly last: number
  readonly program: ProgramName
  readonly instruction: FrameInstruction
}

/** A call that succeeded without all of its events. */
export interface SilentCall extends PlacedCall {
  readonly call: string
  readonly reason: string
  /** The coins that its accounts name; empty: they do not tell. */
  readonly mints: readonly Key[]
}

/** The calls that succeeded without the events that they always emit. */
export const silentCalls = (tx: FrameTransaction, calls: Iterable<PlacedCall>, events: readonly FoundEvent[]): SilentCall[] => {
  const silent: SilentCall[] = []
  const isUnrecorded = tx.inner === null && tx.logs === null
  for (const placed of calls) {
    const { outer, inner, last, program, instruction } = placed
    const due = dueOf(program, instruction, isUnrecorded)
    if (due === undefined) continue
    let emitted = 0
    for (const one of events)
      if (one.outer === outer && one.inner >= inner && one.inner <= last && due.events.has(codeOf(one.bytes))) emitted++
    if (emitted >= due.count) continue
    const mints = due.mints.flatMap((places) => coinOf(tx, instruction.accounts, places) ?? [])
    const reason = `${due.call} of ${program} succeeded, but the record of its transaction has ${emitted} of its ${due.count} events`
    silent.push({ ...placed, call: due.call, reason, mints: mints.length === due.mints.length ? mints : [] })
  }
  return silent
}

/** The name in the log of an instruction that always emits, as in `Program log: Instruction: BuyV2`. */
export const emitsByName = (program: ProgramName, name: string): boolean => NAMES[program].has(name)
