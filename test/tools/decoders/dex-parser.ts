// solana-dex-parser of npm: installed once in the user's cache, on request.
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rpcTransactionOf } from '../../fixtures/chain-blocks.ts'
import type { RealTransaction } from '../../fixtures/real-transactions.ts'
import { filled } from '../../services/jars.ts'
import type { OtherDecoder, Reading } from './reading.ts'

const run = promisify(execFile)
const VERSION = '2.6.7'
const INSTALL_MS_MAX = 300_000

/** An event of the curve program. Its own amounts are `inputToken` and `outputToken`. */
interface CurveEvent {
  readonly type: 'BUY' | 'SELL' | 'CREATE' | 'COMPLETE' | 'MIGRATE'
  readonly idx: string
  readonly baseMint: string
  readonly inputToken?: { readonly mint: string; readonly amountRaw: string }
  readonly outputToken?: { readonly mint: string; readonly amountRaw: string }
  readonly [name: string]: unknown
}
interface PoolEvent {
  readonly type: 'CREATE' | 'ADD' | 'REMOVE' | 'BUY' | 'SELL'
  readonly idx: string
  readonly data: Readonly<Record<string, unknown>>
}
type Events<Event> = new (adapter: object, transfers: object) => { processEvents(): readonly Event[] }

interface DexParserModule {
  readonly TransactionAdapter: new (tx: object, config: object) => object
  readonly PumpfunEventParser: Events<CurveEvent>
  readonly PumpswapEventParser: Events<PoolEvent>
  readonly DexParser: new () => {
    parseTrades(tx: object, config: object): readonly Required<Pick<CurveEvent, 'idx' | 'inputToken' | 'outputToken'>>[]
  }
}

const CURVE_EVENTS = {
  BUY: 'TradeEvent',
  SELL: 'TradeEvent',
  CREATE: 'CreateEvent',
  COMPLETE: 'CompleteEvent',
  MIGRATE: 'CompletePumpAmmMigrationEvent',
} as const
const POOL_EVENTS = { CREATE: 'CreatePoolEvent', ADD: 'DepositEvent', REMOVE: 'WithdrawEvent', BUY: 'BuyEvent', SELL: 'SellEvent' } as const
/** Fields of an event of the curve program that it passes on, by the IDL's names. */
const CURVE_FIELDS: Readonly<Record<string, string>> = {
  mint: 'baseMint',
  user: 'user',
  name: 'name',
  symbol: 'symbol',
  uri: 'uri',
  bonding_curve: 'bondingCurve',
  creator: 'creator',
  pool: 'pool',
  fee: 'fee',
  creator_fee: 'creatorFee',
}
/** A name that the parser misspells. */
const MISSPELT: Readonly<Record<string, string>> = { pool_quot_amount: 'pool_quote_amount' }

const placeOf = (idx: string): Pick<Reading, 'outer' | 'inner'> => {
  const [outer = 0, inner = 0] = idx.split('-').map(Number)
  return { outer, inner: inner + 1 }
}

const curveReading = (event: CurveEvent): Reading => {
  const { type, idx, inputToken, outputToken } = event
  const name = CURVE_EVENTS[type]
  // In a trade it names a bonding curve that it takes from the instruction before it.
  const names = Object.entries(CURVE_FIELDS).filter(([field]) => type === 'CREATE' || name !== 'TradeEvent' || field !== 'bonding_curve')
  const fields = Object.fromEntries(names.flatMap(([field, own]) => (event[own] === undefined ? [] : [[field, String(event[own])]])))
  if (inputToken === undefined || outputToken === undefined) return { program: 'pump', event: name, ...placeOf(idx), fields }
  const [sol, token] = type === 'BUY' ? [inputToken, outputToken] : [outputToken, inputToken]
  const amounts = { is_buy: String(type === 'BUY'), sol_amount: sol.amountRaw, token_amount: token.amountRaw }
  return { program: 'pump', event: name, ...placeOf(idx), fields: { ...fields, ...amounts } }
}

const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const poolReading = ({ type, idx, data }: PoolEvent): Reading => ({
  program: 'pump_amm',
  event: POOL_EVENTS[type],
  ...placeOf(idx),
  fields: Object.fromEntries(Object.entries(data).map(([name, value]) => [MISSPELT[toSnake(name)] ?? toSnake(name), String(value)])),
})

const readingsOf = (library: DexParserModule, { tx, slot, blockTime }: RealTransaction): Reading[] => {
  const block = { slot: slot ?? 0, blockTime: blockTime ?? 0, hash: '', parentSlot: 0, parentHash: '', transactions: [] }
  const json = rpcTransactionOf(block, tx)
  const adapter = new library.TransactionAdapter(json, {})
  const trades = new library.DexParser().parseTrades(json, { aggregateTrades: false, tryUnknowDEX: false })
  const mints = new Map(trades.map(({ idx, inputToken, outputToken }) => [idx, [inputToken.mint, outputToken.mint].sort().join()]))
  const withMints = (reading: Reading, idx: string): Reading => {
    const both = /^(Buy|Sell|Trade)Event$/.test(reading.event) ? mints.get(idx) : undefined
    return both === undefined ? reading : { ...reading, mints: both }
  }
  return [
    ...new library.PumpfunEventParser(adapter, {}).processEvents().map((event) => withMints(curveReading(event), event.idx)),
    ...new library.PumpswapEventParser(adapter, {}).processEvents().map((event) => withMints(poolReading(event), event.idx)),
  ]
}

const namesOf = (program: string, names: Readonly<Record<string, string>>): string[] =>
  Object.values(names).map((name) => `${program}.${name}`)

/** Rejects where the registry cannot be reached. */
export const openDexParser = async (): Promise<OtherDecoder> => {
  const home = await filled(`solana-dex-parser-${VERSION}`, async (folder) => {
    const asked = [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `solana-dex-parser@${VERSION}`,
    ]
    await run('npm', asked, { cwd: folder, timeout: INSTALL_MS_MAX })
  })
  const library: DexParserModule = createRequire(join(home, 'package.json'))('solana-dex-parser')
  return {
    name: `solana-dex-parser ${VERSION}`,
    events: new Set([...namesOf('pump', CURVE_EVENTS), ...namesOf('pump_amm', POOL_EVENTS)]),
    read: async (transactions) => transactions.map((one) => readingsOf(library, one)),
  }
}
