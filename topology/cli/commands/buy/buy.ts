// `mintfold buy`: buys one answer over x402, prints each step, and never spends more than --max-usd.
import { join } from 'node:path'
import { escapeHiddenInLines } from '../../../../processors/text.ts'
import { EngineError } from '../../../../schemas/errors.ts'
import { SANDBOX_NETWORK } from '../../../sandbox/genesis.ts'
import { readWallet, WALLET_FILE, type Wallet } from '../../../sandbox/wallet.ts'
import { type Io, type Register, UsageError } from '../../command.ts'
import { DATA_DIR } from '../../settings/settings-values.ts'
import {
  type Answer,
  balanceMicroUsdc,
  get,
  loadPayment,
  payable,
  receiptIn,
  type SignedPayment,
  savePayment,
  sign,
  soldCoverage,
  termsIn,
} from './buyer.ts'

/** The last signed payment, in the data directory; a reader of this file could fetch the answer again. */
const LAST_PAYMENT_FILE = 'last-payment.json'

interface Options {
  readonly server?: string
  readonly maxUsd: string
  readonly wallet?: string
  readonly resend?: true
}

/** What is sold, by the coverage in the terms. */
const COVERAGE_WORDS = {
  full: 'full: observed live',
  thin: 'thin: not observed live, or only in part; an address of which no event was seen is thin, too',
} as const

/** A purchase about to be made. */
interface Errand {
  readonly io: Io
  readonly server: string
  readonly path: string
  readonly maxMicroUsdc: number
  readonly walletFile: string
  readonly lastFile: string
  /** The wallet that a sandbox with this data directory funds. */
  readonly fundedFile: string
}

export const register: Register = (command, io) => {
  command
    .description('Buys an answer from a running server: shows the terms, pays, prints receipt and answer.')
    .argument('<path>', 'the path to request, for example /v1/launches/recent?limit=5')
    .option('--server <url>', 'the server (default: MINTFOLD_HOST and MINTFOLD_PORT, else http://127.0.0.1:8402)')
    .option('--max-usd <usd>', 'the most that may be spent', '0.10')
    .option('--wallet <file>', 'the wallet that pays (default: the sandbox buyer in the data directory)')
    .option('--resend', 'send the last signed payment for this path again, without signing a new one')
    .action((path: string, options: Options) => buy(io, path, options))
}

const buy = async (io: Io, path: string, options: Options): Promise<void> => {
  if (!path.startsWith('/')) throw new UsageError(`${path} is not a path: it must start with a slash, for example /v1/launches/recent`)
  const dataDir = io.env.MINTFOLD_DATA_DIR || DATA_DIR
  const errand: Errand = {
    io,
    server: serverOf(options.server, io.env),
    path,
    maxMicroUsdc: microUsdcOf(options.maxUsd),
    walletFile: options.wallet ?? join(dataDir, WALLET_FILE),
    lastFile: join(dataDir, LAST_PAYMENT_FILE),
    fundedFile: join(dataDir, WALLET_FILE),
  }
  if (options.resend) return resend(errand, options.server !== undefined)
  const answer = await get(errand.server + path, {}, io.stop)
  if (answer.status !== 402) return showUnpaid(errand, answer)
  const wallet = await readWallet(errand.walletFile)
  await send(errand, wallet, await agree(errand, wallet, answer))
}

/** Prints the terms and signs for them. @throws UsageError if the price is over the limit */
const agree = async ({ io, server, path, maxMicroUsdc, lastFile }: Errand, wallet: Wallet, answer: Answer): Promise<SignedPayment> => {
  const terms = termsIn(answer)
  const chosen = payable(terms, wallet)
  if (chosen === undefined) {
    const networks = terms.accepts.map((entry) => plain(`${entry.scheme} ${entry.network} ${entry.asset}`)).join('; ') || 'nothing'
    throw new EngineError(
      'purchase_failed',
      `the server accepts ${networks}; the wallet pays USDC on ${wallet.network}. Use another wallet with --wallet.`,
    )
  }
  const amountMicroUsdc = Number(chosen.amount)
  io.printNotice(`price    ${usd(amountMicroUsdc)} USDC for ${plain(terms.resource.description ?? path)}`)
  const coverage = soldCoverage(terms)
  if (coverage !== null) io.printNotice(`sells    coverage ${COVERAGE_WORDS[coverage]}`)
  const money = chosen.network === SANDBOX_NETWORK ? ' (devnet: play money)' : ''
  io.printNotice(`to       ${plain(chosen.payTo)} on ${plain(chosen.network)}${money}`)
  io.printNotice(`terms    pay within ${chosen.maxTimeoutSeconds} s; the network fee is paid by ${plain(String(chosen.extra.feePayer))}`)
  if (amountMicroUsdc > maxMicroUsdc) {
    throw new UsageError(`${usd(amountMicroUsdc)} USDC is more than --max-usd ${usd(maxMicroUsdc)} allows; nothing was signed or paid`)
  }
  const payment = await sign(wallet, terms, chosen, server, path)
  await savePayment(lastFile, payment)
  return payment
}

const resend = async (errand: Errand, isServerNamed: boolean): Promise<void> => {
  const payment = await loadPayment(errand.lastFile)
  if (payment === undefined) throw new UsageError(`no payment has been signed yet (${errand.lastFile}); buy without --resend first`)
  if (payment.path !== errand.path) throw new UsageError(`the last signed payment is for ${plain(payment.path)}, not for ${errand.path}`)
  const server = isServerNamed ? errand.server : payment.server
  errand.io.printNotice(`resend   the payment of ${usd(payment.amountMicroUsdc)} USDC signed earlier; no new payment is signed`)
  await send({ ...errand, server }, await readWallet(errand.walletFile), payment)
}

const send = async (errand: Errand, wallet: Wallet, payment: SignedPayment): Promise<void> => {
  const { io, server, path } = errand
  const before = await balanceMicroUsdc(wallet, payment.asset)
  const answer = await get(server + path, { 'PAYMENT-SIGNATURE': payment.header }, io.stop)
  const after = await balanceMicroUsdc(wallet, payment.asset)
  const receipt = receiptIn(answer)
  if (receipt?.success)
    io.printNotice(`receipt  ${plain(receipt.transaction)} on ${plain(receipt.network)}, paid by ${plain(receipt.payer ?? wallet.address)}`)
  io.printNotice(`charged  ${chargeWords(before, after, answer)}`)
  if (answer.status === 200) return print(io, answer)
  if (answer.status === 409 && refusalFieldsOf(answer).charged === null) {
    const message = 'the server does not know yet whether the payment was settled. Run the same command with --resend; do not buy again.'
    throw new EngineError('purchase_failed', message, { retriable: true, facts: { status: 409 } })
  }
  const reason = plain(answer.status === 402 ? (termsIn(answer).error ?? 'payment refused') : answer.body)
  const hint = answer.status === 402 && (before ?? 0) < payment.amountMicroUsdc ? poorWords(errand, wallet, before) : ''
  throw new EngineError('purchase_failed', `the server answered ${answer.status}: ${reason}${hint}`, { facts: { status: answer.status } })
}

/** Facilitators report a lack of funds only as a failed simulation. */
const poorWords = ({ fundedFile }: Errand, { address, network }: Wallet, balance: number | undefined): string => {
  const funds = balance === undefined ? 'no USDC that could be read' : `${usd(balance)} USDC`
  const advice =
    network === SANDBOX_NETWORK ? `a sandbox funds only ${fundedFile} of its data directory` : 'fund it, or use another with --wallet'
  return `. The wallet ${address} has ${funds}: ${advice}`
}

const showUnpaid = (errand: Errand, answer: Answer): Promise<void> => {
  if (answer.status === 200) {
    if (isOfAnother(errand, answer))
      throw new EngineError(
        'purchase_failed',
        `${errand.server}${errand.path} did not return JSON. It is not a mintfold server: check --server`,
      )
    errand.io.printNotice('free     the server asks for no payment')
    return print(errand.io, answer)
  }
  const what = answer.body === '' ? '' : `: ${plain(answer.body)}`
  const fields = refusalFieldsOf(answer)
  const advice = 'error' in fields || 'detail' in fields ? '' : '. It is not a mintfold server: check --server'
  const message = `${errand.server}${errand.path} answered ${answer.status} before any payment${what}${advice}`
  throw new EngineError('purchase_failed', message, { facts: { status: answer.status } })
}

/** Paid paths return JSON; pages have other paths. */
const isOfAnother = ({ path }: Errand, { body }: Answer): boolean => path.startsWith('/v1/') && !/^\s*\{/.test(body)

/** As received, or indented on a terminal. */
const print = (io: Io, { body }: Answer): Promise<void> => {
  const text = shown(io.outTerminal === true ? indented(body) : body)
  return io.out(text.endsWith('\n') ? text : `${text}\n`)
}

const indented = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** The body as received, except that characters a terminal would act on are escaped as in JSON. */
const shown = (body: string): string => escapeHiddenInLines(body.replaceAll('\r\n', '\n'))

const chargeWords = (before: number | undefined, after: number | undefined, answer: Answer): string => {
  if (before === undefined || after === undefined) return 'unknown: the balance of the wallet could not be read'
  const verdict = before === after ? `nothing${whyNothing(answer)}` : `${usd(before - after)} USDC`
  return `${verdict} (balance ${usd(before)} before, ${usd(after)} after)`
}

/** Why the balance did not change: only the response tells a replay from a refusal. */
const whyNothing = (answer: Answer): string => {
  const { charged, error } = refusalFieldsOf(answer)
  if (receiptIn(answer)?.success || error === 'payment_already_used') return ' more: the payment was already settled'
  if (charged === null) return ' yet: the server does not know whether the payment was settled'
  return answer.status === 200 ? ': the server returned the answer without settling' : ': the server refused the request'
}

/** The fields of a refusal that concern the payment. */
const refusalFieldsOf = ({ body }: Answer): { readonly charged?: unknown; readonly error?: unknown } => {
  try {
    const json: unknown = JSON.parse(body)
    return typeof json === 'object' && json !== null ? json : {}
  } catch {
    return {}
  }
}

const serverOf = (named: string | undefined, env: Io['env']): string => {
  const port = env.MINTFOLD_PORT || '8402'
  if (named === undefined && port === '0') throw new UsageError('MINTFOLD_PORT is 0, so the address is not known: set it with --server')
  const url = named ?? `http://${env.MINTFOLD_HOST || '127.0.0.1'}:${port}`
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`${url} is not a server address: --server takes http://host:port`)
  return url.replace(/\/+$/, '')
}

const microUsdcOf = (text: string): number => {
  if (!/^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text)) throw new UsageError(`--max-usd ${text} is not an amount: write for example 0.05`)
  return Math.round(Number(text) * 1e6)
}

const usd = (microUsdc: number): string => (microUsdc / 1e6).toFixed(6).replace(/0{1,4}$/, '')

/** Text from others, made safe for a terminal. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500)
