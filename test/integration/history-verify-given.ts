// A tape of launches and trades with the curve's own arithmetic, and the result of verifying its history.
import { fileURLToPath } from 'node:url'
import type { RawFrame, TapeBatch } from '../../schemas/types.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { LAUNCH_RISK, type TOPOLOGIES } from '../../topology/launch-risk.ts'
import type { TableFinding } from '../../topology/operations/verify/differences.ts'
import { type HistoryFinding, type HistoryReport, verifyHistory } from '../../topology/operations/verify/verify-history.ts'
import type { Log } from '../../topology/ports/log.ts'
import { sinkOwnerOf } from '../../topology/sinks/history-id.ts'
import { readRecording } from '../../topology/sources/recording/recording-file.ts'
import { syntheticTape } from '../bench/synthetic-tape.ts'

export const EVENTS = 3_000
export const TAPE: readonly TapeBatch[] = [...syntheticTape({ events: EVENTS, eventsPerFrame: 15, eventsPerMint: 31, seed: 5 })]

export interface Verified {
  readonly findings: readonly HistoryFinding[]
  readonly report: HistoryReport
}

/** The sink of the history must have ended: its producer is fenced. */
export const verify = async (log: Log, client: HistoryClient, topology: (typeof TOPOLOGIES)[number] = LAUNCH_RISK): Promise<Verified> => {
  const findings: HistoryFinding[] = []
  const settled = (await log.own(await sinkOwnerOf(client, topology.sinks.clickhouse.tables))).committed()
  const stop = new AbortController().signal
  const report = await verifyHistory({
    topology,
    log,
    settled,
    client,
    found: async (one) => void findings.push(one),
    progress: () => {},
    stop,
  })
  return { findings, report }
}
/** Findings about tables. */
export const tablesOf = ({ findings }: Verified): readonly TableFinding[] => findings.filter((one): one is TableFinding => 'table' in one)

/** Frames of a shipped recording. */
export const recorded = async (name: string): Promise<readonly RawFrame[]> => {
  const frames: RawFrame[] = []
  for await (const frame of readRecording(fileURLToPath(new URL(`../recordings/${name}.avro`, import.meta.url)))) frames.push(frame)
  return frames
}
