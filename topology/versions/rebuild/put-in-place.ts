// Installs the results of a rebuild. No task of the chain may run meanwhile.
import { baseCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import { baseTurnName } from '../../engine/changelog/bases.ts'
import { uncounted } from '../../engine/changelog/record-counts.ts'
import { isOfTask } from '../../engine/rows/own-rows.ts'
import type { TaskOwner } from '../../ports/log.ts'
import { offsetAt } from '../../records/records.ts'
import { conclusionsOf } from '../../topology.ts'
import { Chunks } from '../chunks.ts'
import { correctTape, deadFramesOf } from '../decoding/correct.ts'
import { CorrectedTape, type Corrections, correctionsOf, nextTapeOffset } from '../decoding/corrected-tape.ts'
import { type Decoded, formerOffsetAt, isDecodedIn } from '../decoding/decode-again.ts'
import { installExchange, oldestNeededFrom } from '../folding/exchange-state.ts'
import type { Folded } from '../folding/fold-again.ts'
import { keepOlder, keepSince } from '../folding/keep-older.ts'
import { conclusionEffects } from '../live-records.ts'
import { type BothSides, installRows } from './install.ts'
import { type CompactedReader, ReadOn } from './read-on.ts'
import type { Made, Owners, Rebuild } from './rebuild.ts'
import { reviseConclusions, reviseDeadLetters } from './revise.ts'

/** Results of a rebuild. */
export interface Report {
  /** Corrected offsets of the tape, over all partitions. */
  readonly corrected: number
  /** Dead letters that became readable, and new ones. */
  readonly lettersRead: number
  readonly lettersDead: number
}

/** The version that wrote the rows of a processor. */
export interface RowWriter {
  readonly version: number
  /** Their Avro schema, JSON; undefined if the log does not record it: they are read with the current one. */
  readonly schema: string | undefined
}

/** What was read of the log while the tasks were running, and of the staging log of the folds. */
export class Prepared {
  readonly #log: CompactedReader
  readonly #there: ReadOn
  readonly #made = new WeakMap<CompactedReader, ReadOn>()

  constructor(log: CompactedReader) {
    this.#log = log
    this.#there = new ReadOn(log)
  }
  sides(staging: CompactedReader): BothSides {
    const made = this.#made.get(staging) ?? new ReadOn(staging)
    this.#made.set(staging, made)
    return { log: this.#there, made, staging }
  }
  /** Reads what a swap of the folds would compare now. */
  async readOn({ topology }: Pick<Rebuild, 'topology'>, { folded: { scratch } }: Made): Promise<void> {
    const { log, made } = this.sides(scratch)
    const partitions = this.#log.partitions(topology.operations.rebuild.reads.tape)
    const { folds, changelog } = topology.folds(partitions)
    const rows = [...new Set([...folds.map((fold) => fold.changelog), changelog, topology.operations.rebuild.writes.progress])]
    for (let partition = 0; partition < partitions; partition++)
      for (const side of [log, made]) {
        for (const topic of rows) await side.rows(topic, partition)
        for (const topic of conclusionsOf(topology)) await side.live(topic, partition, conclusionEffects(topology.chain.conclusions))
      }
  }
}

/** If this is interrupted, the stores hold rows of two versions until a rebuild is installed completely. */
export const putInPlace = async (
  rebuild: Rebuild,
  owners: Owners,
  { folded, decoded }: Made,
  writerOf: (processor: string) => RowWriter,
  prepared: Prepared,
): Promise<Report> => {
  const { log, progress, topology } = rebuild
  const corrected = decoded === undefined ? 0 : await correctAll(rebuild, decoded, owners.decoder)
  const deadLetters = await installDecoded(rebuild, owners.decoder, decoded)
  const oldestNeeded = await oldestNeededIn(rebuild, folded.scratch)
  let installed = 0
  progress({ phase: 'installing', share: 0 })
  const install = async (owner: TaskOwner, partition: number): Promise<void> => {
    if (folded.isCut) await keepAll(rebuild, folded, partition, writerOf)
    const tapeEnd = decoded === undefined ? undefined : log.end(topology.operations.rebuild.reads.tape, partition)
    await installFolds(rebuild, owner, folded, { partition, tapeEnd, oldestNeeded, sides: prepared.sides(folded.scratch) })
    progress({ phase: 'installing', share: ++installed / owners.folds.length })
  }
  await Promise.all(owners.folds.map(install))
  return { corrected, lettersRead: deadLetters.read, lettersDead: deadLetters.dead }
}

const correctAll = async (
  { log, revision, topology }: Rebuild,
  { scratch, range: { sequence } }: Decoded,
  decoder: TaskOwner,
): Promise<number> => {
  const topics = topology.operations.rebuild.reads
  const tape = await CorrectedTape.open(log, topics, topology.chain.tape)
  const chunks = new Chunks(decoder)
  const isDead = await deadFramesOf(scratch, topics.tape, topology.chain.tape)
  let corrected = 0
  for (let partition = 0; partition < tape.partitions; partition++)
    corrected += await correctTape(tape, scratch, { chain: topology.chain.name, topics, partition, sequence, revision, isDead }, chunks)
  await chunks.end()
  return corrected
}

const installDecoded = async (
  { log, revision, topology }: Rebuild,
  owner: TaskOwner,
  decoded: Decoded | undefined,
): Promise<{ readonly read: number; readonly dead: number }> => {
  if (decoded === undefined) return { read: 0, dead: 0 }
  const { scratch, range } = decoded
  const topics = topology.operations.rebuild.reads
  const partitions = log.partitions(topics.tape)
  const { name, folds, changelog } = topology.decode(partitions)
  const corrections = await Promise.all(
    Array.from({ length: partitions }, (_, partition) => correctionsOf(log, topics.corrections, partition)),
  )
  const chunks = new Chunks(owner)
  const decoding = new Prepared(log).sides(scratch)
  for (const fold of folds) await installRows(decoding, { topic: fold.changelog, partition: 0, isWanted: () => true }, chunks)
  await installRows(decoding, { topic: changelog, partition: 0, isWanted: isOfTask(`${name}-0`) }, chunks)
  const isDecoded = isDecodedIn(name, topics.raw, range)
  const foldsName = topology.folds(partitions).name
  const deadLetters = await reviseDeadLetters(
    { log, sides: decoding, topic: topology.operations.rebuild.writes.deadLetters, partition: 0, revision },
    (deadLetter) =>
      isDecoded(deadLetter) ||
      (deadLetter.processor === foldsName && isCorrected(foldsName, topics.tape, corrections, deadLetter.position)),
    chunks,
  )
  await chunks.end(new Map(uncounted([changelog, ...folds.map((fold) => fold.changelog)], 0)))
  return deadLetters
}

/** True if `position` is that of a tape record that was corrected. */
export const isCorrected = (folds: string, topic: Topics['tape'], corrections: readonly Corrections[], position: string): boolean => {
  const former = formerOffsetAt(folds, position)
  if (former !== undefined) return corrections.some((of) => of.has(former))
  return corrections.some((of, partition) => of.has(offsetAt({ topic, partition }, position) ?? -1))
}

const keepAll = async (
  { log, topology, notice }: Rebuild,
  { scratch, first }: Folded,
  partition: number,
  writerOf: (processor: string) => RowWriter,
): Promise<void> => {
  const { name, changelog, folds } = topology.folds(log.partitions(topology.operations.rebuild.reads.tape))
  for (const fold of folds) {
    const { name: processor } = fold.processor
    const { version, schema } = writerOf(processor)
    const writer = { version, schema: schema ?? fold.state.schema }
    const notKept = await keepOlder(log, scratch, partition, { ...fold, writer }, first)
    if (notKept === undefined) continue
    const shape = schema === undefined ? 'a shape that was not recorded' : 'another shape than the recorded one'
    const reason = `version ${version} of ${processor} wrote them, in ${shape}: ${notKept.reason}`
    notice?.('rows_not_kept', { processor, partition, keys: notKept.keys, reason })
  }
  await keepSince(log, scratch, partition, { id: `${name}-${partition}`, topic: changelog, first })
}

/** Oldest closing frame whose facts a task of the rebuild may still need. */
const oldestNeededIn = async ({ log, topology }: Rebuild, scratch: Folded['scratch']): Promise<number> => {
  const { exchange } = topology.operations.rebuild.reads
  const partitions = log.partitions(exchange)
  const { name } = topology.folds(partitions)
  const from: (number | undefined)[] = []
  for (let partition = 0; partition < partitions; partition++)
    from.push((await scratch.own(`${name}-${partition}`)).committed().get(`${exchange.name}/${partition}`))
  return oldestNeededFrom(scratch, exchange, from)
}

interface Installing {
  readonly partition: number
  /** End of the tape, if all of it was decoded again. */
  readonly tapeEnd: number | undefined
  /** Over all partitions. */
  readonly oldestNeeded: number
  readonly sides: BothSides
}

const installFolds = async (
  { log, revision, topology }: Rebuild,
  owner: TaskOwner,
  folded: Folded,
  { partition, tapeEnd, oldestNeeded, sides }: Installing,
): Promise<void> => {
  const { scratch, starts } = folded
  const start = starts[partition] as Folded['starts'][number]
  const { name: chain } = topology.chain
  const { progress, bases, exchange } = topology.operations.rebuild.writes
  const { tape } = topology.operations.rebuild.reads
  const { folds, name, changelog } = topology.folds(log.partitions(topology.operations.rebuild.reads.tape))
  const id = `${name}-${partition}`
  const chunks = new Chunks(owner)
  for (const fold of folds) await installRows(sides, { topic: fold.changelog, partition, isWanted: () => true }, chunks)
  await installRows(sides, { topic: changelog, partition, isWanted: isOfTask(id) }, chunks)
  await installRows(sides, { topic: progress, partition, isWanted: isProgressOf(id) }, chunks)
  for (const topic of conclusionsOf(topology))
    await reviseConclusions(
      { log, sides, topic, partition, revision },
      topology.chain.conclusions,
      isJudgedBy(folded, start.number),
      chunks,
    )
  // Tells readers to skip copies that end after `start` and were made before this record: their rows are of the older versions.
  const cut = baseCodec.encode({ time: folded.first.time, begins: false, pages: [], mark: null, cut: start.sequence })
  await chunks.push({ topic: bases, partition, key: Buffer.from(id), value: cut })
  await chunks.end()
  const made = (await scratch.own(id)).committed()
  const tapePlace = `${tape.name}/${partition}`
  const nextBatch = await installExchange(log, scratch, { chain, topic: exchange, partition, oldestNeeded }, (record) =>
    chunks.push(record),
  )
  await chunks.end(
    new Map([
      [`${exchange.name}/${partition}`, nextBatch],
      [tapePlace, tapeEnd ?? nextTapeOffset(made.get(tapePlace) ?? start.place)],
      // The task copies its rows as soon as it runs.
      [baseTurnName(bases, partition), 0],
      ...uncounted([changelog, ...folds.map((fold) => fold.changelog)], partition),
    ]),
  )
}

const isProgressOf =
  (id: string) =>
  (key: Uint8Array): boolean =>
    Buffer.from(key).toString() === id

/** True if the rebuild folded everything that a conclusion rests on: it follows the copy or, without a copy, its launch is on the tape. */
export const isJudgedBy =
  ({ isCut, first }: Pick<Folded, 'isCut' | 'first'>, copied: number) =>
  ({ number, at, body }: Conclusion): boolean => {
    if (!isCut) return number > copied
    if ('slot0' in body) return body.slot0 >= first.number
    return (body.type === 'finding' || body.type === 'shadowFinding') && body.mintAgeS !== null && at - body.mintAgeS > first.time
  }
