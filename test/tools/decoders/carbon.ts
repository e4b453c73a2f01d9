// The decoders of Carbon, from crates: a small program around them is built once in the user's cache, on request and if cargo is installed.
import { execFile, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { copyFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import bs58 from 'bs58'
import { parseExact } from '../../../processors/chains/solana/chain-file.ts'
import { programName } from '../../../processors/chains/solana/programs.ts'
import type { SourceTransaction } from '../../../processors/chains/solana/source-transaction.ts'
import { asBuffer } from '../../../schemas/bytes.ts'
import { filled } from '../../services/jars.ts'
import type { OtherDecoder, Reading } from './reading.ts'

const run = promisify(execFile)
/** 2.0.0 has the same events, but needs Rust 1.96.1. */
const VERSION = '1.0.0'
const BUILD_MS_MAX = 3_600_000
const PROJECT = fileURLToPath(new URL('./carbon', import.meta.url))
const TAG = 'e445a52e51cb9a1d'
/**
 * Carbon reads an event only if it has every field of the newest layout. Behind a shorter one we write zeros: it then reads the older
 * event's fields, and zeros that the comparison leaves out, as no such bytes are in the event.
 */
const PADDING = '00'.repeat(512)

const EVENTS = {
  pump: `AdminSetCreatorEvent AdminSetIdlAuthorityEvent AdminUpdateTokenIncentivesEvent ClaimCashbackEvent ClaimTokenIncentivesEvent
    CloseUserVolumeAccumulatorEvent CollectCreatorFeeEvent CompleteEvent CompletePumpAmmMigrationEvent CreateEvent
    DistributeCreatorFeesEvent ExtendAccountEvent InitUserVolumeAccumulatorEvent MigrateBondingCurveCreatorEvent
    MinimumDistributableFeeEvent ReservedFeeRecipientsEvent SetCreatorEvent SetMetaplexCreatorEvent SetParamsEvent
    SyncUserVolumeAccumulatorEvent TradeEvent UpdateGlobalAuthorityEvent UpdateMayhemVirtualParamsEvent`,
  pump_amm: `AdminSetCoinCreatorEvent AdminUpdateTokenIncentivesEvent BuyEvent ClaimCashbackEvent ClaimTokenIncentivesEvent
    CloseUserVolumeAccumulatorEvent CollectCoinCreatorFeeEvent CreateConfigEvent CreatePoolEvent DepositEvent DisableEvent
    ExtendAccountEvent InitUserVolumeAccumulatorEvent MigratePoolCoinCreatorEvent ReservedFeeRecipientsEvent SellEvent
    SetBondingCurveCoinCreatorEvent SetMetaplexCoinCreatorEvent SyncUserVolumeAccumulatorEvent UpdateAdminEvent UpdateFeeConfigEvent
    WithdrawEvent`,
} as const

/** A call of a launchpad's program to itself that may log an event. */
interface TaggedCall extends Pick<Reading, 'program' | 'outer' | 'inner'> {
  readonly hex: string
}

const taggedCalls = ({ keys, inner }: SourceTransaction): TaggedCall[] => {
  const counts = new Map<number, number>()
  return (inner ?? []).flatMap(({ outer, program: index, data }) => {
    const place = (counts.get(outer) ?? 0) + 1
    counts.set(outer, place)
    const program = programName(keys[index])
    if (program === undefined) return []
    const hex = (typeof data === 'string' ? Buffer.from(bs58.decode(data)) : asBuffer(data)).toString('hex')
    return hex.startsWith(TAG) ? [{ program, outer, inner: place, hex }] : []
  })
}

const isKey = (value: unknown): value is number[] => Array.isArray(value) && value.length === 32 && value.every(Number.isInteger)

/** Keys in base58, at any depth. */
const plain = (value: unknown): unknown => {
  if (isKey(value)) return bs58.encode(Uint8Array.from(value))
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]))
}
const toText = (value: unknown): string => {
  const made = plain(value)
  return typeof made === 'object' ? JSON.stringify(made) : String(made)
}

/** A line of the program; undefined for null. */
const readingOf = (line: string, { program, outer, inner }: TaggedCall): Reading | undefined => {
  const json = parseExact(line) as Readonly<Record<string, object>> | null
  const [named] = Object.entries(json ?? {})
  if (named === undefined) return undefined
  const [event, fields] = named
  return { program, event, outer, inner, fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, toText(value)])) }
}

const linesOf = async (program: string, input: string): Promise<readonly string[]> => {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  return (await text(child.stdout)).trim().split('\n')
}

const built = async (): Promise<string> => {
  const sources = await Promise.all(['Cargo.toml', 'Cargo.lock', 'src/main.rs'].map((name) => readFile(join(PROJECT, name))))
  const digest = hash('sha256', Buffer.concat(sources)).slice(0, 8)
  const home = await filled(`carbon-${VERSION}-${digest}`, async (folder) => {
    const target = join(folder, 'target')
    const asked = ['build', '--release', '--locked', '--quiet', '--manifest-path', join(PROJECT, 'Cargo.toml'), '--target-dir', target]
    await run('cargo', asked, { timeout: BUILD_MS_MAX }).catch((cause: NodeJS.ErrnoException) => {
      throw cause.code === 'ENOENT' ? new Error('cargo is not installed; it comes with Rust (rustup.rs)') : cause
    })
    await copyFile(join(target, 'release', 'carbon-lines'), join(folder, 'carbon-lines'))
    await rm(target, { recursive: true })
  })
  return join(home, 'carbon-lines')
}

const namesOf = (program: keyof typeof EVENTS): string[] => EVENTS[program].split(/\s+/).map((event) => `${program}.${event}`)

/** Rejects where cargo is missing, or where it cannot reach its registry. The first build takes some minutes. */
export const openCarbon = async (): Promise<OtherDecoder> => {
  const program = await built()
  return {
    name: `carbon ${VERSION}`,
    events: new Set([...namesOf('pump'), ...namesOf('pump_amm')]),
    read: async (transactions) => {
      const calls = transactions.map(({ tx }) => taggedCalls(tx))
      const input = calls.flat().map((call) => `${call.program} ${call.hex}${PADDING}\n`)
      const lines = await linesOf(program, input.join(''))
      let next = 0
      return calls.map((own) => own.flatMap((call) => readingOf(lines[next++] ?? 'null', call) ?? []))
    },
  }
}
