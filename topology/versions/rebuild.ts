// Stores and outputs of a chain made anew beside what is there, then put in its place. Nobody else may work on the chain meanwhile.
import { TOPICS, type Topic } from '../../schemas/topics.ts'
import { rowsToMove } from '../engine/former-rows.ts'
import { isOfTask } from '../engine/own-rows.ts'
import type { Log, TaskOwner } from '../ports/log.ts'
import { Chunks } from './chunks.ts'
import { correctTape, deadFramesOf } from './correct.ts'
import { CorrectedTape, correctionsOf, nextTapeOffset } from './corrected-tape.ts'
import { type Decoded, decodeAgain, isDecodedIn, rejectedAt } from './decode-again.ts'
import { type Folded, foldAgain, type Making } from './fold-again.ts'
import { installRows } from './install.ts'
import { installExchange, oldestNeededIn } from './install-exchange.ts'
import { reviseConclusions, reviseLetters } from './revise.ts'

/** What a rebuild did. */
export interface Report {
  /** Frames of the tape that say otherwise now, counted in each partition. */
  readonly corrected: number
  /** Dead letters that could be read, and new ones. */
  readonly lettersRead: number
  readonly lettersDead: number
}

/** What a rebuild is doing, and how much of that is done, 0 to 1. */
export interface RebuildProgress {
  readonly phase: 'decoding' | 'folding' | 'installing'
  readonly share: number
}

export interface Rebuild extends Omit<Making, 'progress'> {
  readonly log: Log
  /** Numbers what it says anew. */
  readonly revision: number
  readonly progress: (progress: RebuildProgress) => void
}

/** Who may write as the tasks of the chain: everybody who was one is fenced. */
export interface Owners {
  readonly decoder: TaskOwner
  readonly folds: readonly TaskOwner[]
}

/** What a rebuild reads to its end: a record that it missed would stay beside what it makes. */
const READ_WHOLE: readonly Topic[] = [
  ...[TOPICS.tapeSolana, TOPICS.tapeCorrections, TOPICS.exchange, TOPICS.flags, TOPICS.outcomes, TOPICS.deadLetters, TOPICS.progress],
  ...[TOPICS.decodeChangelog, TOPICS.decodeTaskChangelog],
  ...[TOPICS.mintChangelog, TOPICS.creatorChangelog, TOPICS.walletChangelog, TOPICS.taskChangelog],
]

export const ownAll = async ({ log, wiring }: Pick<Rebuild, 'log' | 'wiring'>): Promise<Owners> => {
  const partitions = log.partitions(TOPICS.tapeSolana)
  const decoding = wiring.decode(partitions)
  const id = `${decoding.name}-0`
  const decoder = await log.own(id)
  const moved = await rowsToMove(log, { ...decoding, id, partition: 0 })
  if (moved !== undefined) await decoder.commit(moved)
  const folds: TaskOwner[] = []
  for (let partition = 0; partition < partitions; partition++) folds.push(await log.own(`${wiring.folds(partitions).name}-${partition}`))
  await log.refresh()
  for (const topic of READ_WHOLE)
    await Promise.all(Array.from({ length: log.partitions(topic) }, (_, partition) => log.decidedEnd(topic, partition)))
  return { decoder, folds }
}

/** What was made beside; nothing that anybody reads has changed, apart from corrections of the tape. */
export interface Made {
  readonly folded: Folded
  readonly decoded: Decoded | undefined
  readonly corrected: number
}

/** Undefined when it was stopped. `isDecoded`: from the raw frames on, else from the tape on. */
export const make = async (rebuild: Rebuild, { decoder }: Owners, isDecoded: boolean): Promise<Made | undefined> => {
  const { log, progress, stop } = rebuild
  let decoded: Decoded | undefined
  let corrected = 0
  if (isDecoded) {
    const tape = await CorrectedTape.open(log)
    decoded = await decodeAgain(log, tape, decoder, { ...rebuild, progress: (share) => progress({ phase: 'decoding', share }) })
    if (decoded !== undefined) corrected = await correctAll(rebuild, tape, decoded, decoder)
  }
  if (stop.aborted) return undefined
  const tape = await CorrectedTape.open(log)
  const folded = await foldAgain(tape, { ...rebuild, progress: (share) => progress({ phase: 'folding', share }) })
  return folded && { folded, decoded, corrected }
}

const correctAll = async (
  { revision }: Rebuild,
  tape: CorrectedTape,
  { scratch, range: { sequence } }: Decoded,
  decoder: TaskOwner,
): Promise<number> => {
  const chunks = new Chunks(decoder)
  const isDead = await deadFramesOf(scratch)
  let corrected = 0
  for (let partition = 0; partition < tape.partitions; partition++)
    corrected += await correctTape(tape, scratch, { partition, sequence, revision, isDead }, chunks)
  await chunks.end()
  return corrected
}

/** Puts it in place of what is there. Cut short, it is of two makes, until a rebuild was installed whole. */
export const install = async (rebuild: Rebuild, owners: Owners, { folded, decoded, corrected }: Made): Promise<Report> => {
  const { progress } = rebuild
  const letters = await installDecoded(rebuild, owners.decoder, decoded)
  const oldestNeeded = await oldestNeededIn(folded.scratch, rebuild)
  for (const [partition, owner] of owners.folds.entries()) {
    progress({ phase: 'installing', share: partition / owners.folds.length })
    await installFolds(rebuild, owner, { folded, oldestNeeded }, partition)
  }
  return { corrected, lettersRead: letters.read, lettersDead: letters.dead }
}

const installDecoded = async (
  { log, revision, wiring }: Rebuild,
  owner: TaskOwner,
  decoded: Decoded | undefined,
): Promise<{ readonly read: number; readonly dead: number }> => {
  if (decoded === undefined) return { read: 0, dead: 0 }
  const { scratch, range } = decoded
  const partitions = log.partitions(TOPICS.tapeSolana)
  const { name, folds, changelog: ownRows } = wiring.decode(partitions)
  const corrections = await Promise.all(Array.from({ length: partitions }, (_, partition) => correctionsOf(log, partition)))
  const chunks = new Chunks(owner)
  for (const { changelog } of folds) await installRows(log, scratch, { topic: changelog, partition: 0, isWanted: () => true }, chunks)
  await installRows(log, scratch, { topic: ownRows, partition: 0, isWanted: isOfTask(`${name}-0`) }, chunks)
  const isDecoded = isDecodedIn(name, range)
  const foldsName = wiring.folds(partitions).name
  const letters = await reviseLetters(
    { log, made: scratch, topic: TOPICS.deadLetters, partition: 0, revision },
    (letter) => {
      const at = rejectedAt(foldsName, letter.position)
      return at === undefined ? isDecoded(letter) : corrections.some((of) => of.has(at))
    },
    chunks,
  )
  await chunks.end()
  return letters
}

const installFolds = async (
  { log, revision, wiring }: Rebuild,
  owner: TaskOwner,
  { folded, oldestNeeded }: { readonly folded: Folded; readonly oldestNeeded: number },
  partition: number,
): Promise<void> => {
  const { scratch, first, starts } = folded
  const { folds, name } = wiring.folds(log.partitions(TOPICS.tapeSolana))
  const id = `${name}-${partition}`
  const chunks = new Chunks(owner)
  for (const { changelog } of folds) await installRows(log, scratch, { topic: changelog, partition, isWanted: () => true }, chunks)
  await installRows(log, scratch, { topic: TOPICS.taskChangelog, partition, isWanted: isOfTask(id) }, chunks)
  await installRows(log, scratch, { topic: TOPICS.progress, partition, isWanted: isProgressOf(id) }, chunks)
  for (const topic of [TOPICS.flags, TOPICS.outcomes])
    await reviseConclusions({ log, made: scratch, topic, partition, revision }, first, chunks)
  await chunks.end()
  const exchange = `${TOPICS.exchange.name}/${partition}`
  const tape = `${TOPICS.tapeSolana.name}/${partition}`
  const made = (await scratch.own(id)).committed()
  const inputs = new Map([
    [exchange, log.end(TOPICS.exchange, partition)],
    [tape, nextTapeOffset(made.get(tape) ?? (starts[partition] as number))],
  ])
  await installExchange(scratch, partition, oldestNeeded, chunks)
  await chunks.end(inputs)
}

const isProgressOf =
  (id: string) =>
  (key: Uint8Array): boolean =>
    Buffer.from(key).toString() === id
