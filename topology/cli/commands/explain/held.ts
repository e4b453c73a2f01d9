// Stored findings and events: from the log that the settings name, the history, or a file of earlier findings.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { EngineError, hasCode } from '../../../../schemas/errors.ts'
import type { Key } from '../../../../schemas/keys.ts'
import { createHistoryClient, type HistoryClient } from '../../../history/client.ts'
import { WRITER } from '../../../history/engine/access.ts'
import { historyDirOf } from '../../../history/engine/where.ts'
import { type EventLookup, readEvents } from '../../../history/event-rows.ts'
import { readFinding } from '../../../history/findings.ts'
import type { HistoryTarget } from '../../../history/target.ts'
import type { Wanted } from '../../../operations/explain/recompute.ts'
import { findingOnLog } from '../../../operations/explain/stored.ts'
import type { KeptFinding } from '../../../ports/history.ts'
import type { LogReader } from '../../../ports/log.ts'
import { unreadable } from '../../../sources/recording/unreadable.ts'
import { type Io, UsageError } from '../../command.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Closing } from '../../start/closing.ts'
import { hasLogIn, openReader } from '../../wiring/open-reader.ts'
import { reachHistory } from '../../wiring/reach-history.ts'
import type { CardName } from './card-fields.ts'
import { type OnChain, partitionOf, type SubjectChain } from './subject-chains.ts'

type ChainSubject = OnChain<Wanted>

export interface Held {
  /** Null if there is no log. */
  readonly log: LogReader | null
  partitionOf(chain: SubjectChain, key: Key): number
  /** The finding as first concluded: from the file, else the log, else the history. */
  stored(one: ChainSubject): Promise<KeptFinding | undefined>
  /** Rows of events kept in the history, by id. */
  events(one: ChainSubject, ids: readonly string[]): Promise<ReadonlyMap<string, object>>
}

interface HeldOptions {
  /** A file of earlier findings (`--said`). */
  readonly said: string | undefined
  /** False if `--in` files have the tape: the history is then queried only if there is a log. */
  readonly needsTape: boolean
}

const LOOKUPS: Readonly<Record<CardName, EventLookup>> = {
  mint: { view: 'event', number: 'slot' },
  curve: { view: 'alt_event', number: 'block' },
}

/** @throws UsageError for a file that has no findings; EngineError if the log cannot be read */
export const openHeld = async (settings: Settings, closing: Closing, io: Io, { said, needsTape }: HeldOptions): Promise<Held> => {
  const lines = said === undefined ? undefined : await saidIn(said)
  const hasLog = hasLogIn(settings)
  const hasHistory = needsTape || hasLog
  const log = hasLog ? await openReader(settings, closing, io) : null
  const partition = ({ topology }: SubjectChain, key: Key): number =>
    partitionOf(topology.chain, log?.partitions(topology.operations.explain.reads.tape) ?? 1, key)
  const asking = <T>(ask: (client: HistoryClient) => Promise<T>): Promise<T | undefined> =>
    lines === undefined && hasHistory ? askHistory(settings, ask, io) : Promise.resolve(undefined)
  return {
    log,
    partitionOf: partition,
    stored: async ({ chain, asked }) => {
      if (lines !== undefined) return lines.get(asked.id)
      const { operations, chain: definition } = chain.topology
      const { flags } = operations.explain.reads
      const onLog = log && (await findingOnLog(log, flags, partition(chain, asked.key), definition.conclusions, asked.id))
      return (
        onLog ?? (await asking((client) => readFinding(client, { id: asked.id, mint: asked.key, number: asked.at.number }))) ?? undefined
      )
    },
    events: async ({ chain }, ids) => (await asking((client) => readEvents(client, LOOKUPS[chain.cardName], ids))) ?? new Map(),
  }
}

/** Undefined if there is no history, or if it does not respond (prints a notice). */
const askHistory = async <T>(settings: Settings, ask: (client: HistoryClient) => Promise<T>, io: Io): Promise<T | undefined> => {
  try {
    return await reachHistory(settings, WRITER, (target) => askOnce(target, ask))
  } catch (failure) {
    if (!(failure instanceof EngineError)) throw failure
    if (!hasCode(failure, 'history_down') || existsSync(historyDirOf(settings.dataDir)))
      io.printNotice(`the history was not queried: ${failure.message}`)
    return undefined
  }
}

const askOnce = async <T>(target: HistoryTarget, ask: (client: HistoryClient) => Promise<T>): Promise<T> => {
  const client = createHistoryClient(target)
  try {
    return await ask(client)
  } finally {
    await client.close()
  }
}

interface SaidLine {
  readonly id?: unknown
  readonly evidence?: unknown
  readonly events?: unknown
}
type Line = SaidLine & Omit<KeptFinding, 'evidence' | 'events' | 'isRetracted'>

/** Lines of `replay --print flags`, by id. @throws UsageError */
const saidIn = async (path: string): Promise<ReadonlyMap<string, KeptFinding>> => {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadable(path, cause)
  })
  const said = new Map<string, KeptFinding>()
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const read = lineIn(line)
    if (read === undefined) throw new UsageError(`${path}:${n + 1} is not a line of mintfold replay --print flags`)
    said.set(...read)
  }
  return said
}

const lineIn = (text: string): readonly [string, KeptFinding] | undefined => {
  try {
    const { id, evidence, events, flag, detector, detectorVersion, detectorHash = null, at, mintAgeS } = JSON.parse(text) as Line
    if (typeof id !== 'string' || typeof evidence !== 'object' || !Array.isArray(events) || typeof flag !== 'string') return undefined
    return [
      id,
      { flag, detector, detectorVersion, detectorHash, at, mintAgeS, evidence: JSON.stringify(evidence), events, isRetracted: false },
    ]
  } catch {
    return undefined
  }
}
