// Fills a log that has another number of partitions with everything that tasks, views and capture need to continue there.

import { deadLetterCodec } from '../../../schemas/codecs.ts'
import { EngineError } from '../../../schemas/errors.ts'
import { numberIn } from '../../../schemas/position.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { baseTurnName } from '../../engine/changelog/bases.ts'
import type { EngineLimits } from '../../engine/limits.ts'
import type { PageStore } from '../../ports/keyed-pages.ts'
import type { Log } from '../../ports/log.ts'
import { historyOwner } from '../../ports/source-owners.ts'
import { recordsOf } from '../../records/records-of.ts'
import { type Topology, topicsOf, writtenBy } from '../../topology.ts'
import { pause } from '../../waiting/waiting.ts'
import { Chunks } from '../chunks.ts'
import { CorrectedTape, tapeOffset } from '../decoding/corrected-tape.ts'
import { offsetAfter } from '../decoding/raw-range.ts'
import { FoldPasses } from '../folding/fold-again.ts'
import type { FoldThreads } from '../folding/making.ts'
import { deadLetterEffects, livePublications } from '../live-records.ts'
import type { StagingStores } from '../rebuild/staging-stores.ts'
import { type DecoderState, decoderState } from './decoder-state.ts'
import { type FinalFrame, newestFinalFrame } from './final-frame.ts'
import { capturedTopics } from './mirror.ts'
import { splitConclusions } from './split-conclusions.ts'
import { splitExchange } from './split-exchange.ts'
import { ownPageOf, ownStateOf, splitRows } from './split-rows.ts'
import { splitTape, type Target } from './split-tape.ts'

/** How long running tasks may take to fold the frames that are copied. */
const FOLDED_MS_MAX = 60_000
const LOOK_MS = 50

/** The steps of a build; `folding` has shares, the others have not. */
interface BuildProgress {
  readonly phase: 'copying raw frames' | 'copying the tape' | 'folding' | 'copying rows'
  readonly share: number | null
}

export interface BuildOptions {
  readonly from: Log
  readonly topology: Topology
  readonly limits: EngineLimits
  readonly staging: StagingStores
  readonly pages?: PageStore
  readonly foldThreads?: FoldThreads | undefined
  readonly committed: (id: string) => Promise<ReadonlyMap<string, number>>
  readonly stop: AbortSignal
  readonly progress: (progress: BuildProgress) => void
}

/** Where the copies are cut: the newest decoded frame, and the newest final one, from which the folds continue. */
interface Cut {
  readonly decoder: DecoderState
  /** Offset after the raw records that were decoded. */
  readonly rawEnd: number
  readonly tape: CorrectedTape
  readonly final: FinalFrame
}

/** Returns false if it was stopped. The tasks of `from` may run meanwhile. @throws EngineError `repartition_refused` */
export const buildPartitions = async (options: BuildOptions, target: Target): Promise<boolean> => {
  const { topology, progress } = options
  await copyModels(options, target)
  if (isUnused(options)) return true
  const cut = await cutOf(options)
  progress({ phase: 'copying raw frames', share: null })
  const rawNext = await copyRaw(options, target, cut)
  progress({ phase: 'copying the tape', share: null })
  const tapeStarts = await splitTape(cut.tape, target, topology.operations.rebuild.reads.tape, cut.final.sequence)
  const bounded = await cut.tape.upTo(cut.final.sequence)
  const made = await foldTo(options, cut, bounded)
  if (made === undefined || !(await haveFolded(options, cut, bounded))) return false
  progress({ phase: 'copying rows', share: null })
  await installFolds(options, target, made, { cut, tapeStarts })
  await installDecoder(options, target, cut, rawNext)
  return true
}

/** Chains without a source have no frames. */
const isUnused = ({ from, topology }: BuildOptions): boolean => {
  const { raw, tape } = topology.operations.rebuild.reads
  return from.end(raw, 0) === 0 && from.end(tape, 0) === 0
}

const cutOf = async ({ from, topology, stop }: BuildOptions): Promise<Cut> => {
  const { rebuild } = topology.operations
  const decoder = await decoderState(from, topology, stop)
  const rawEnd = decoder && (await offsetAfter(from, rebuild.reads.raw, decoder.sequence))
  if (decoder === undefined || rawEnd === undefined || rawEnd === from.start(rebuild.reads.raw, 0))
    throw refused(topology, 'no raw frame was decoded yet')
  const tape = await (await CorrectedTape.open(from, rebuild.reads, topology.chain.tape)).upTo(decoder.sequence)
  const final = await newestFinalFrame(tape)
  if (final === undefined) throw refused(topology, 'no frame is known to be final yet')
  return { decoder, rawEnd, tape, final }
}

/** Copies the raw records that were decoded; returns the offset after them. */
const copyRaw = async ({ from, topology }: BuildOptions, { log, owner }: Target, { rawEnd }: Cut): Promise<number> => {
  const topic = topology.operations.rebuild.reads.raw
  const chunks = new Chunks(owner)
  for await (const { key, value } of recordsOf(from, topic, 0, { to: rawEnd })) await chunks.push({ topic, partition: 0, key, value })
  await chunks.end()
  return log.end(topic, 0)
}

/** Folds with the former number of partitions, in staging stores, up to the final frame. */
const foldTo = async (options: BuildOptions, { final }: Cut, bounded: CorrectedTape): Promise<Log | undefined> => {
  const { from, topology, limits, stop, staging, pages, foldThreads, progress } = options
  const making = {
    ...{ log: from, topology, limits, stop, staging, foldThreads },
    ...(pages && { pages }),
    identity: JSON.stringify(['repartition', final]),
    progress: (share: number) => progress({ phase: 'folding', share }),
  }
  const passes = new FoldPasses(making)
  const folded = await passes.next(bounded, undefined).finally(() => passes.end())
  if (folded === undefined) return undefined
  if (folded.isCut || folded.starts.some(({ sequence }) => sequence > final.sequence))
    throw refused(topology, 'the log has no copy of its rows from which they can be folded again')
  return folded.scratch
}

/**
 * Resolves to true once the running tasks have folded the frames whose conclusions are copied: they may lag behind the tape. False if it
 * was stopped. @throws EngineError `repartition_refused` if they do not get there
 */
const haveFolded = async ({ from, topology, committed, stop }: BuildOptions, { final }: Cut, bounded: CorrectedTape): Promise<boolean> => {
  const { tape } = topology.operations.rebuild.reads
  const { name } = topology.folds(bounded.partitions)
  const until = performance.now() + FOLDED_MS_MAX
  for (let partition = 0; partition < bounded.partitions && !stop.aborted; ) {
    const inputs = await committed(`${name}-${partition}`)
    if ((inputs.get(`${tape.name}/${partition}`) ?? 0) >= tapeOffset(bounded.end(partition))) partition++
    else if (performance.now() < until) await pause(LOOK_MS, stop)
    else throw refused(topology, `${name}-${partition} has not folded frame ${final.number} yet: check that mintfold process runs`)
  }
  await from.refresh()
  return !stop.aborted
}

interface Installed {
  readonly cut: Cut
  readonly tapeStarts: readonly number[]
}
const installFolds = async (
  { from, topology }: BuildOptions,
  { log, owner }: Target,
  made: Log,
  { cut, tapeStarts }: Installed,
): Promise<void> => {
  const former = topology.folds(made.partitions(topology.operations.rebuild.reads.tape))
  const folds = topology.folds(tapeStarts.length)
  const { tape, exchange, bases } = topology.operations.rebuild.reads
  const chunks = new Chunks(owner)
  const exchangeStarts = tapeStarts.map((_, partition) => log.end(exchange, partition))
  for (const { changelog } of folds.folds) await splitRows(made, changelog, folds, chunks)
  const state = await ownStateOf(made, former)
  for (const partition of tapeStarts.keys()) await chunks.push({ topic: folds.changelog, partition, ...ownPageOf(state, folds, partition) })
  await splitExchange(made, state, { former, folds }, chunks)
  await splitConclusions(from, topology, { folds, upTo: cut.final.number }, chunks)
  await chunks.end()
  for (const [partition, tapeStart] of tapeStarts.entries()) {
    const inputs = new Map([
      [`${tape.name}/${partition}`, tapeStart],
      [`${exchange.name}/${partition}`, exchangeStarts[partition] as number],
      // The task copies its rows as soon as it runs.
      [baseTurnName(bases, partition), 0],
    ])
    await (await log.own(`${folds.name}-${partition}`)).commit({ outputs: [], inputs })
  }
}

const installDecoder = async (
  { from, topology, committed }: BuildOptions,
  { log, owner }: Target,
  { decoder }: Cut,
  rawNext: number,
): Promise<void> => {
  const { reads, writes } = topology.operations.rebuild
  const chunks = new Chunks(owner)
  for (const record of decoder.records) await chunks.push(record)
  await copyDeadLetters(from, writes.deadLetters, decoder.number, chunks)
  await chunks.end()
  await (await log.own(`${topology.decode(1).name}-0`)).commit({ outputs: [], inputs: new Map([[`${reads.raw.name}/0`, rawNext]]) })
  const history = await committed(historyOwner(topology.chain.name))
  if (history.size > 0) await (await log.own(historyOwner(topology.chain.name))).commit({ outputs: [], inputs: history })
}

/** Dead letters of decoded frames. Those about records of the log name offsets of that log, and stay there. */
const copyDeadLetters = async (from: Log, topic: Topic, upTo: number, into: Chunks): Promise<void> => {
  for await (const { key, bytes } of livePublications(from, topic, 0, deadLetterEffects)) {
    const read = deadLetterCodec.decode(bytes)
    const number = read.ok ? numberIn(read.value.position) : undefined
    if (number !== undefined && number <= upTo) await into.push({ topic, partition: 0, key, value: bytes })
  }
}

/** Compacted topics of one partition that no task and no capture writes, such as the odds models. */
const copyModels = async ({ from, topology }: BuildOptions, { owner }: Target): Promise<void> => {
  const { stores, rebuilds } = topology.operations.rebuild.writes
  const others = [stores, rebuilds, ...writtenBy(topology.decode(1)), ...capturedTopics(topology)].map(({ name }) => name)
  const chunks = new Chunks(owner)
  for (const topic of topicsOf(topology)) {
    if (topic.cleanup !== 'compact' || topic.partitions !== 'one' || others.includes(topic.name)) continue
    for await (const { key, value } of recordsOf(from, topic, 0)) await chunks.push({ topic, partition: 0, key, value })
  }
  await chunks.end()
}

const refused = ({ chain: { name } }: Topology, why: string): EngineError =>
  new EngineError('repartition_refused', `${name}: ${why}; retry later`, { retriable: true, facts: { chain: name } })
