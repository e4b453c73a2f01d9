// `mintfold settlements list|export|reconcile`: payments and their outcomes.
import { join } from 'node:path'
import { type SettlementLine, type SettlementState, settlementsOf } from '../../../query-api/payment/stores/settlement-log.ts'
import { isEvm, type Lookup, lookUpTrace } from '../../../query-api/payment/svm/look-up-trace.ts'
import { readWallet, WALLET_FILE } from '../../sandbox/wallet.ts'
import { type Io, type Register, UsageError } from '../command.ts'
import { isJson, type ListOptions, plain, withListOptions } from '../output/listing.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { type OpenSettlements, openSettlements } from '../selling/open-settlements.ts'
import { type Settings, settingsWithoutApi } from '../settings/settings.ts'
import { Closing } from '../start/closing.ts'

const STATES: readonly SettlementState[] = ['settling', 'settled', 'uncertain', 'refused', 'unreached']
/** A settlement takes at most 180 s. If one is older and has no outcome, its process has ended. */
const LOST_MS = 5 * 60_000
const TEXT_CHARS_MAX = 200

interface SettlementOptions extends ListOptions {
  readonly state?: string
}

export const register: Register = (command, io) => {
  command.description(
    'The ledger of payments that reached settlement, from the data directory (also while mintfold runs) or from REDIS_URL: the last ' +
      '400,000 lines, two per payment, kept in the data directory for at most 400 days.',
  )
  withListOptions(command.command('list'))
    .description('One line per payment, newest first: time, state, amount in USDC, path, payer, transaction or reason, network.')
    .option('--state <state>', `only ${STATES.join(', ')}`)
    .action((options: SettlementOptions) => list(options, io))
  command
    .command('export')
    .description('All payments as JSON lines, oldest first.')
    .action(() => withSettlements(io, async ({ log }) => exportAll(await settlementsOf(log), io)))
  command
    .command('reconcile')
    .description(
      'Looks up payments without a known outcome on the chain and stores the outcome; the payer gets the held answer by sending the ' +
        'same payment again. Moves no money. Exit code 1 when an outcome is still unknown, or when --all finds a missing payment.',
    )
    .option('--all', 'check settled payments too, and report those that the chain does not have')
    .action((options: { readonly all?: true }) => reconcile(options.all === true, io))
}

const withSettlements = async (io: Io, use: (open: OpenSettlements, settings: Settings) => Promise<void>): Promise<void> => {
  const settings = settingsWithoutApi(io.env)
  await new Closing(io.printNotice).after(async (closing) => {
    const notice = noticesTo(createLogger({ logLevel: settings.logLevel, terminal: io.terminal }))
    await use(await openSettlements(settings, closing, notice), settings)
  })
}

const list = ({ state, ...options }: SettlementOptions, io: Io): Promise<void> => {
  const { limit } = options
  const inJson = isJson(options)
  if (state !== undefined && !STATES.some((known) => known === state))
    throw new UsageError(`--state is one of ${STATES.join(', ')}, not ${state}`)
  return withSettlements(io, async ({ log }) => {
    const all = await settlementsOf(log)
    const wanted = all.filter((line) => state === undefined || line.state === state).reverse()
    for (const line of wanted.slice(0, limit)) await io.out(`${inJson ? JSON.stringify(factsOf(line)) : textOf(line)}\n`)
    const counts = STATES.map((one) => `${all.filter((line) => line.state === one).length} ${one}`)
    io.printNotice(`${Math.min(limit, wanted.length)} of ${all.length} payments (${counts.join(', ')})`)
  })
}

const exportAll = async (all: readonly SettlementLine[], io: Io): Promise<void> => {
  for (const line of all) await io.out(`${JSON.stringify(factsOf(line))}\n`)
  io.printNotice(`${all.length} payments`)
}

const reconcile = (isAll: boolean, io: Io): Promise<void> =>
  withSettlements(io, async ({ log, signedOf }, settings) => {
    let open = 0
    for (const line of await settlementsOf(log)) {
      if (io.stop.aborted) break
      const isOpen = line.state === 'uncertain' || (line.state === 'settling' && Date.now() - line.startedAt > LOST_MS)
      if (!isOpen && !(isAll && line.state === 'settled')) continue
      const signed = line.signed ?? (await signedOf(line.identity)) ?? null
      const found = signed === null ? undefined : await lookUpTrace(await rpcOf(line.network, settings), { ...line, signed })
      const next = isOpen ? outcomeOf(found) : undefined
      if (next !== undefined) await log.append({ ...line, at: Date.now(), signed: null, ...next })
      else if (isOpen || found?.kind !== 'landed') open++
      const words = signed === null ? 'the signed payment is no longer kept: it cannot be looked up' : wordsOf(found, line.network)
      await io.out(`${textOf({ ...line, ...next })}\t${words}\n`)
    }
    io.printNotice(open === 0 ? 'no outcome is open' : `${open} open`)
    if (open > 0) io.setExitCode(1)
  })

/** The sandbox's node changes its address at each start; the sandbox wallet has the current one. */
const rpcOf = async (network: string, { rpcUrl, evm, dataDir }: Settings): Promise<string | undefined> => {
  if (isEvm(network)) return evm?.rpcUrl ?? undefined
  const wallet = await readWallet(join(dataDir, WALLET_FILE)).catch(() => undefined)
  return wallet?.network === network ? wallet.rpcUrl : (rpcUrl ?? undefined)
}

const outcomeOf = (found: Lookup | undefined): Pick<SettlementLine, 'state' | 'transaction' | 'reason'> | undefined => {
  if (found?.kind === 'landed') return { state: 'settled', transaction: found.transaction, reason: 'found_on_chain' }
  if (found?.kind === 'failed') return { state: 'refused', transaction: found.transaction, reason: 'transaction_failed_on_chain' }
  return found?.kind === 'never' ? { state: 'refused', transaction: null, reason: 'transaction_never_landed' } : undefined
}

const wordsOf = (found: Lookup | undefined, network: string): string => {
  if (found === undefined) return `no node is configured: set ${isEvm(network) ? 'X402_EVM_RPC_URL' : 'X402_RPC_URL'}`
  return found.kind === 'unreachable'
    ? `the node does not respond: ${plain(found.reason).slice(0, TEXT_CHARS_MAX)}`
    : `on the chain: ${found.kind}`
}

/** The signed payment is not shown: anybody who has it could fetch the answer again. */
const factsOf = ({ signed: _signed, at, startedAt, ...line }: SettlementLine): object => ({
  time: new Date(startedAt).toISOString(),
  told: new Date(at).toISOString(),
  ...line,
})

const textOf = ({ startedAt, state, amount, path, payer, transaction, reason, network }: SettlementLine): string => {
  const usd = (Number(amount) / 1e6).toFixed(6).replace(/0{1,4}$/, '')
  const known = [new Date(startedAt).toISOString(), state, usd, path, payer, transaction ?? reason ?? '-', network]
  return known.map((text) => plain(text).slice(0, TEXT_CHARS_MAX)).join('\t')
}
