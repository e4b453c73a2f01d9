// Exports the tape and the tables of every chain as day files, from a log and its history. Each file is built from scratch and appears
// only when complete: an export that was killed resumes with the next file.
import type { Codec } from '../../../schemas/codecs.ts'
import { hasCode } from '../../../schemas/errors.ts'
import type { HistoryClient } from '../../history/client.ts'
import type { LogReader } from '../../ports/log.ts'
import { verifiedChain } from '../verify/log-rows.ts'
import { dayOf, dayText, nextDay, timeText } from './days.ts'
import type { ExportedTopology } from './exported-topology.ts'
import { type Cut, type HistoryTimes, historyTimes, viewPrefix } from './history-times.ts'
import type { FileEntry } from './manifest.ts'
import type { OutDirectory } from './out-directory.ts'
import { schemaPath } from './schema-files.ts'
import { type ExportedTable, exportedTable } from './table/table-columns.ts'
import { writeTableDay } from './table/table-day.ts'
import { type Batch, TornTape } from './tape/canonical-tape.ts'
import { HistoryTape } from './tape/history-tape.ts'
import { LogTape } from './tape/log-tape.ts'
import { TAPE, tapePath, writeTapeDay } from './tape/tape-day.ts'

/** Tables that every chain has, without the chain's prefix. */
const TABLES = ['launches', 'trades', 'flags', 'outcomes'] as const

interface ExportedChain {
  readonly topology: ExportedTopology
  /** Codec of the tape files. */
  readonly codec: Codec<Batch>
}

export interface DaysOptions extends ExportedChain {
  readonly client: HistoryClient
  /** Null without a log. */
  readonly log: LogReader | null
  readonly out: OutDirectory
  readonly cut: Cut
  /** Midnights of the first and the last requested day; null for the first or the last available one. */
  readonly range: { readonly from: number | null; readonly to: number | null }
  /** Called with the number of frames and rows written, and the share of the days that is finished. */
  readonly progress: (done: number, share: number) => void
  readonly stop: AbortSignal
}

/** Exports one chain; `isDone` is false if it was stopped early. @throws EngineError */
export const exportDays = async (options: DaysOptions): Promise<{ readonly isDone: boolean; readonly tables: readonly ExportedTable[] }> =>
  new ChainDays(options, await knownOf(options)).run()

interface Known {
  readonly times: HistoryTimes
  readonly coverage: ReadonlyMap<string, number>
  readonly logTape: LogTape | null
  /** The first frame of the log; undefined if the log has none that can be read. */
  readonly logFirst: { readonly number: number; readonly time: number } | undefined
  readonly historyTape: HistoryTape
  readonly tables: readonly ExportedTable[]
  /** Midnights of the days with any data, ascending. */
  readonly days: readonly number[]
  /** Unix seconds: the earliest time with captured data. */
  readonly coveredFrom: number
}

const knownOf = async ({ topology, client, log, cut }: DaysOptions): Promise<Known> => {
  const chain = verifiedChain(topology)
  const times = historyTimes(client, chain.tables)
  const coverage = await times.coverage()
  const logTape = log === null ? null : await LogTape.open(log, topology.operations.export.reads, topology.chain)
  const logFirst = await readable(logTape?.first())
  const prefix = viewPrefix(chain.tables)
  const tables: ExportedTable[] = []
  for (const name of TABLES) tables.push(await exportedTable(client, prefix + name, chain.tables.number))
  const oldest = Math.min((await times.oldest()) ?? Number.POSITIVE_INFINITY, logFirst?.time ?? Number.POSITIVE_INFINITY)
  const days = new Set([...((await readable(logTape?.days(cut))) ?? []), ...(await times.days(chain.tables.ticks.name, 'tick_at'))])
  // Trades occur only on days with ticks.
  for (const table of tables)
    if (!table.table.endsWith('trades')) for (const day of await times.days(table.table, table.time)) days.add(day)
  const began = Math.min(oldest, ...[...days].filter((day) => day < dayOf(oldest)))
  const coveredFrom = Math.max(began, coverage.get(`${prefix}launches`) ?? 0)
  return {
    times,
    coverage,
    logTape,
    logFirst,
    historyTape: new HistoryTape(client, chain),
    tables,
    days: [...days].sort((a, b) => a - b),
    coveredFrom,
  }
}

/** Undefined if the tape is torn or is being trimmed: each day that needs it then reports that itself. */
const readable = async <T>(work: Promise<T> | undefined): Promise<T | undefined> => {
  try {
    return await work
  } catch (failure) {
    if (failure instanceof TornTape || hasCode(failure, 'offset_expired')) return undefined
    throw failure
  }
}

class ChainDays {
  readonly #options: DaysOptions
  readonly #known: Known
  readonly #chain: ExportedChain['topology']['chain']['name']
  #done = 0

  constructor(options: DaysOptions, known: Known) {
    this.#options = options
    this.#known = known
    this.#chain = options.topology.chain.name
  }
  async run(): Promise<{ readonly isDone: boolean; readonly tables: readonly ExportedTable[] }> {
    const { cut, range, stop } = this.#options
    const [first, last] = [range.from ?? 0, Math.min(range.to ?? Number.POSITIVE_INFINITY, dayOf(cut.time))]
    const days = this.#known.days.filter((dayS) => dayS >= first && dayS <= last)
    const all = [null, ...this.#known.tables]
    for (const [n, dayS] of days.entries())
      for (const [at, table] of all.entries()) {
        if (stop.aborted) return { isDone: false, tables: this.#known.tables }
        const share = (n + at / all.length) / days.length
        const seen = (rows: number): void => this.#options.progress(this.#done + rows, share)
        const name = table?.table ?? TAPE
        if (this.#options.out.isDone({ chain: this.#chain, table: name, day: dayText(dayS) })) continue
        this.#done += await (table === null ? this.#tapeDay(dayS, seen) : this.#tableDay(dayS, table, seen))
      }
    return { isDone: !stop.aborted, tables: this.#known.tables }
  }

  async #tapeDay(dayS: number, seen: (rows: number) => void): Promise<number> {
    const reasons: string[] = []
    for (const source of ['log', 'history'] as const) {
      const frames = await this.#framesOf(source, dayS)
      const written = typeof frames === 'string' ? frames : await this.#writeTape(source, dayS, frames, seen)
      if (typeof written === 'number') return written
      reasons.push(written)
    }
    await this.#options.out.lacks({ chain: this.#chain, table: TAPE, day: dayText(dayS), reason: reasons.join('; ') })
    return 0
  }
  /** Frames of a whole day, or the reason why the source does not have them. */
  async #framesOf(source: 'log' | 'history', dayS: number): Promise<AsyncIterable<Batch> | string> {
    const { cut } = this.#options
    const { logTape, historyTape, times } = this.#known
    const ticks = await times.dayOfTicks(dayS, cut.number)
    if (source === 'log') return this.#reasonAgainstLog(dayS, ticks) ?? (logTape as LogTape).frames(dayS, nextDay(dayS), cut)
    const since = Math.max(...historyTape.tables.map((table) => this.#since(table)))
    if (since > Math.max(dayS, this.#known.coveredFrom)) return `the history has every event from ${timeText(since)} on`
    return ticks === null ? NONE : historyTape.frames(ticks.first, ticks.last)
  }
  #reasonAgainstLog(dayS: number, ticks: { readonly first: number } | null): string | undefined {
    const { logTape, logFirst } = this.#known
    if (logTape === null) return 'there is no log'
    if (logFirst === undefined) return 'the log has no frame'
    if (dayS > dayOf(logFirst.time)) return undefined
    const hasStart = dayS === dayOf(logFirst.time) && (ticks === null ? !logTape.isTrimmed : ticks.first >= logFirst.number)
    return hasStart ? undefined : `the log has the tape from ${timeText(logFirst.time)} on`
  }
  /** The number of frames written (0 if the export was stopped), or the reason why the frames turned out to be incomplete. */
  async #writeTape(
    source: 'log' | 'history',
    dayS: number,
    frames: AsyncIterable<Batch>,
    seen: (rows: number) => void,
  ): Promise<number | string> {
    const { out, codec, stop } = this.#options
    const path = tapePath(this.#chain, dayText(dayS))
    try {
      const written = await writeTapeDay(await out.create(path), { chain: this.#chain, frames, codec, seen, stop })
      if (written === undefined) return 0
      await this.#entry({ path, table: TAPE, source, schema: schemaPath(this.#chain, TAPE), ...written }, dayS)
      return written.rows
    } catch (failure) {
      if (failure instanceof TornTape || (source === 'log' && hasCode(failure, 'offset_expired'))) return failure.message
      throw failure
    }
  }
  async #tableDay(dayS: number, table: ExportedTable, seen: (rows: number) => void): Promise<number> {
    const { client, out, cut, stop } = this.#options
    const chain = this.#chain
    const since = this.#since(table.table)
    if (since > Math.max(dayS, this.#known.coveredFrom)) {
      await out.lacks({ chain, table: table.table, day: dayText(dayS), reason: `the history has every row from ${timeText(since)} on` })
      return 0
    }
    const path = `${chain}/${table.table}/${dayText(dayS)}.parquet`
    const written = await writeTableDay(await out.create(path), { client, table, dayS, to: cut.number, seen, stop })
    if (written === undefined) return 0
    await this.#entry({ path, table: table.table, source: 'history', schema: schemaPath(chain, table.table), ...written }, dayS)
    return written.rows
  }
  #since(table: string): number {
    return this.#known.coverage.get(table) ?? Number.POSITIVE_INFINITY
  }
  async #entry(entry: Omit<FileEntry, 'chain' | 'day' | 'up_to'>, dayS: number): Promise<void> {
    const { cut, out } = this.#options
    const isPartial = dayOf(cut.time) === dayS
    await out.done({ chain: this.#chain, day: dayText(dayS), up_to: isPartial ? timeText(cut.time) : null, ...entry })
  }
}

const NONE: AsyncIterable<Batch> = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) }
