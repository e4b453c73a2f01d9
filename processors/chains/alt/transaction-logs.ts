// Selects the logs of one transaction that are the launchpad's own: other contracts that emit the same events are skipped silently.
import { type BadData, bad } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import { NONE, type Position } from '../../../schemas/position.ts'
import type { AltLog, AltTransaction } from '../../../schemas/types.ts'
import type { FrameDeadLetter } from '../decoder.ts'
import { type EventAbi, FILLS } from './abi.ts'
import type { Contract, Contracts } from './contracts.ts'
import type { Launchpad } from './launchpad.ts'
import { addressIn, eventOf, type ReadLog, readLog } from './read-log.ts'

/** A parsed log whose emitter is one of the launchpad's contracts, or a known router. */
export interface OwnLog extends ReadLog {
  readonly log: AltLog
  /** The launch that the log belongs to; undefined where the decoder does not know it, and for routers and hooks. */
  readonly contract: Contract | undefined
}

/** A router's event that names the wallet for which it trades. */
export interface Fill {
  readonly router: Key
  readonly wallet: Key
  /** Null where the event names no token. */
  readonly token: Key | null
}

/** The launchpad's logs of a transaction, in order. */
export interface TransactionLogs {
  readonly own: readonly OwnLog[]
  readonly fills: readonly Fill[]
  readonly deadLetters: FrameDeadLetter[]
}

/** The state of a frame while its transactions are decoded. */
export interface FrameScope {
  readonly number: number
  readonly launchpad: Launchpad
  readonly contracts: Contracts
  /** Indexes of the logs read so far: two logs of a block must not have the same index. */
  readonly seen: Set<number>
}

const positionOf = (number: number, tx: AltTransaction, log: AltLog): Position => ({
  ...{ chain: 'alt', number, tx: tx.index },
  ...{ outer: log.index, inner: NONE },
})

/** The dead letter of a launchpad log that cannot be decoded. */
export const deadLetterOf = (number: number, tx: AltTransaction, log: AltLog, { code, reason }: BadData): FrameDeadLetter => ({
  ...{ at: positionOf(number, tx, log), code, reason },
  ...{ signature: tx.hash, bytes: log.data },
})

const fillOf = ({ topics, address }: AltLog, { routers }: Launchpad): Fill | undefined => {
  const at = FILLS.get(topics[0] ?? '')
  const wallet = at && routers.has(address) ? addressIn(topics[at.wallet] ?? '') : undefined
  if (at === undefined || wallet === undefined) return undefined
  return { router: address, wallet, token: at.token === null ? null : (addressIn(topics[at.token] ?? '') ?? null) }
}

/** The emitter of a log, with its launch where that is known; undefined for a contract that is not the launchpad's. */
const emitterOf = (
  log: AltLog,
  { emitter }: EventAbi,
  { launchpad, contracts }: FrameScope,
): { readonly contract?: Contract } | undefined => {
  if (emitter === 'curve' || emitter === 'token') {
    const contract = emitter === 'curve' ? contracts.ofCurve(log.address) : contracts.ofToken(log.address)
    return contract && { contract }
  }
  if (emitter === 'router') return launchpad.routers.has(log.address) ? {} : undefined
  if (emitter === 'hook') return launchpad.hooks.has(log.address) ? {} : undefined
  if (emitter === 'unkept') return undefined
  return launchpad.factories.has(log.address) ? {} : undefined
}

/** Registers the launch that a log announces, before the transaction's other logs are parsed: events of the curve precede TokenLaunched. */
const registerLaunch = (log: AltLog, { launchpad, contracts }: FrameScope): void => {
  const abi = eventOf(log)
  if (abi?.name !== 'TokenLaunched' || log.blockHash !== null || !launchpad.factories.has(log.address)) return
  const read = readLog(log, abi)
  if (!read.ok) return
  const [mint, bondingCurve] = read.value.indexed as readonly Key[]
  const [pair] = read.value.nonIndexed as readonly Key[]
  contracts.register({ mint, bondingCurve, quoteMint: quoteOf(pair) } as Contract)
}

/** Pair token in the tape's form: null for ETH. */
export const quoteOf = (pair: Key | undefined): Key | null => (pair === undefined || /^\0*$/.test(pair) ? null : pair)

/** Registers the log's index. Bad data for a log of another block, or a second log with the same index. */
const registerIndex = ({ blockHash, index }: AltLog, { seen }: FrameScope): BadData | undefined => {
  if (blockHash !== null) {
    const named = Buffer.from(blockHash, 'latin1').toString('hex')
    return bad('bad_transaction', `the log belongs to block 0x${named}, not to the block of its frame`)
  }
  if (seen.has(index)) return bad('bad_transaction', `two logs of the block have index ${index}`)
  seen.add(index)
  return undefined
}

/** Parses the launchpad's own logs of a transaction. */
export const logsOf = (tx: AltTransaction, scope: FrameScope): TransactionLogs => {
  for (const log of tx.logs) registerLaunch(log, scope)
  const own: OwnLog[] = []
  const fills: Fill[] = []
  const deadLetters: FrameDeadLetter[] = []
  for (const log of tx.logs) {
    const abi = eventOf(log)
    const fill = abi === undefined && log.blockHash === null ? fillOf(log, scope.launchpad) : undefined
    if (fill) fills.push(fill)
    const emitter = abi && emitterOf(log, abi, scope)
    if (abi === undefined || emitter === undefined) continue
    const read = registerIndex(log, scope) ?? readLog(log, abi)
    if (!read.ok) deadLetters.push(deadLetterOf(scope.number, tx, log, read))
    else {
      const ofFactory = abi.emitter === 'factory' ? scope.contracts.ofToken(read.value.indexed[0] as Key) : undefined
      own.push({ ...read.value, log, contract: emitter.contract ?? ofFactory })
    }
  }
  return { own, fills, deadLetters }
}
