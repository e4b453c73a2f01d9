// `mintfold export` of a log and its history: day files of every chain.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createHistoryClient, type HistoryClient } from '../../../history/client.ts'
import { WRITER } from '../../../history/engine/access.ts'
import { TOPOLOGIES } from '../../../launch-risk.ts'
import { watchLmdbLog } from '../../../logs/lmdb/lmdb-reader.ts'
import { cutOf } from '../../../operations/export/cut.ts'
import { exportDays } from '../../../operations/export/export.ts'
import { chainEntry, finishExport } from '../../../operations/export/finish.ts'
import type { Cut } from '../../../operations/export/history-times.ts'
import type { ChainEntry, Manifest } from '../../../operations/export/manifest.ts'
import { type SchemaFile, tableSchema, tapeSchema } from '../../../operations/export/schema-files.ts'
import type { LogReader } from '../../../ports/log.ts'
import { LOG_ID_OWNER, logIdIn, refuseHistoryOfAnother, sinkOwnerOf } from '../../../sinks/history-id.ts'
import type { Settings } from '../../settings/settings.ts'
import { Closing } from '../../start/closing.ts'
import { openReader } from '../../wiring/open-reader.ts'
import { reachHistory } from '../../wiring/reach-history.ts'
import { replayOf } from '../recordings/replay-file.ts'
import { type ExportRun, nothingToExport } from './export-run.ts'

type Topology = (typeof TOPOLOGIES)[number]

/** A log, and the committed offsets of its owners, which only the embedded log has. */
interface GivenLog {
  readonly log: LogReader
  readonly inputsOf: ((owner: string) => ReadonlyMap<string, number>) | null
}

/** Undefined if it was stopped. @throws EngineError, UsageError */
export const exportHistory = (settings: Settings, run: ExportRun): Promise<Manifest | undefined> =>
  new Closing(run.io.printNotice).after((closing) =>
    reachHistory(settings, WRITER, async (target) => {
      const client = createHistoryClient(target)
      closing.add('history', () => client.close())
      return exportAll(client, await openLog(settings, closing, run), run)
    }),
  )

/** Null if only the history exists. */
const openLog = async (settings: Settings, closing: Closing, { io }: ExportRun): Promise<GivenLog | null> => {
  if (settings.kafka !== null) return { log: await openReader(settings, closing, io), inputsOf: null }
  const dir = join(settings.dataDir, 'log')
  if (!existsSync(dir)) return null
  const log = await watchLmdbLog(dir)
  closing.add('log', () => log.close())
  return { log, inputsOf: (owner) => log.inputsOf(owner) }
}

const exportAll = async (client: HistoryClient, given: GivenLog | null, run: ExportRun): Promise<Manifest | undefined> => {
  const owners = new Map<Topology, string>()
  for (const topology of TOPOLOGIES) {
    const { tables } = topology.sinks.clickhouse
    owners.set(topology, await sinkOwnerOf(client, tables))
    if (given !== null && given.inputsOf !== null) await refuseHistoryOfAnother(client, tables, logIdIn(given.inputsOf(LOG_ID_OWNER)))
  }
  const cuts = async (): Promise<Record<string, Cut | null>> => {
    const found: Record<string, Cut | null> = {}
    for (const topology of TOPOLOGIES) {
      const settled = given?.inputsOf?.(owners.get(topology) ?? '') ?? null
      found[topology.chain.name] = await cutOf({ topology, client, log: given?.log ?? null, committed: settled })
    }
    if (Object.values(found).every((cut) => cut === null))
      nothingToExport('the history has no complete data yet: let mintfold up run until its sink has written')
    return found
  }
  const out = await run.open([...owners.values()].join(' '), cuts)
  const chains: ChainEntry[] = []
  const schemas: SchemaFile[] = []
  let before = 0
  for (const [index, topology] of TOPOLOGIES.entries()) {
    const cut = out.cuts[topology.chain.name] ?? null
    if (cut === null) continue
    let rows = 0
    const { codec } = replayOf(topology.chain.name)
    const { isDone, tables } = await exportDays({
      ...{ topology, codec, client, out, cut },
      log: given?.log ?? null,
      range: run.days,
      progress: (done, share) => {
        rows = done
        run.progress(before + done, (index + share) / TOPOLOGIES.length)
      },
      stop: run.io.stop,
    })
    if (!isDone) return undefined
    before += rows
    chains.push(chainEntry(topology, cut))
    const { name, tape } = topology.chain
    schemas.push(tapeSchema(name, tape.schema), ...tables.map((table) => tableSchema(name, table)))
  }
  return finishExport({ out, version: run.version, range: run.range, chains, schemas })
}
