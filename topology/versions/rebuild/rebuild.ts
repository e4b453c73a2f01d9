// Rebuilds stores and outputs of a chain in a staging log, in passes: each catches up with the tasks' progress. For the last pass, and for
// the install, the tasks are fenced.
import type { Topic } from '../../../schemas/topics.ts'
import { rowsToMove } from '../../engine/rows/former-rows.ts'
import type { TaskOwner } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { type Topology, writtenBy } from '../../topology.ts'
import { CorrectedTape } from '../decoding/corrected-tape.ts'
import { type Decoded, DecodePasses } from '../decoding/decode-again.ts'
import { type Folded, FoldPasses } from '../folding/fold-again.ts'
import type { Making } from '../folding/making.ts'

/** Phase of a rebuild (waiting: another process runs it), and the share of the phase that is done, 0 to 1. */
export interface RebuildProgress {
  readonly phase: 'waiting' | 'decoding' | 'folding' | 'installing'
  readonly share: number
}

export interface Rebuild extends Omit<Making, 'progress'> {
  /** Number of the rebuild, which the revisions that it writes contain. */
  readonly revision: number
  /** True: starts from the raw frames; false: from the tape. */
  readonly isDecoded: boolean
  readonly progress: (progress: RebuildProgress) => void
  readonly notice?: Notice
}

/** Owners of all tasks of the chain: every former owner is fenced. */
export interface Owners {
  readonly decoder: TaskOwner
  readonly folds: readonly TaskOwner[]
}

/** Topics that a rebuild must read to their end: a record that it missed would survive the install. */
const readWhole = ({ decode, folds, operations }: Topology): ReadonlySet<Topic> =>
  new Set([...writtenBy(decode(1)), ...writtenBy(folds(1)), operations.rebuild.reads.corrections])

/** Takes over the decoder, and moves its rows to their current topic. */
const ownDecoder = async ({ log, topology }: Pick<Rebuild, 'log' | 'topology'>): Promise<TaskOwner> => {
  const decoding = topology.decode(log.partitions(topology.operations.rebuild.reads.tape))
  const id = `${decoding.name}-0`
  const decoder = await log.own(id)
  const moved = await rowsToMove(log, { ...decoding, id, partition: 0 })
  if (moved !== undefined) await decoder.commit(moved)
  return decoder
}

export const ownAll = async ({ log, topology }: Pick<Rebuild, 'log' | 'topology'>): Promise<Owners> => {
  const partitions = log.partitions(topology.operations.rebuild.reads.tape)
  const decoder = await ownDecoder({ log, topology })
  const folds: TaskOwner[] = []
  for (let partition = 0; partition < partitions; partition++) folds.push(await log.own(`${topology.folds(partitions).name}-${partition}`))
  await log.refresh()
  for (const topic of readWhole(topology))
    await Promise.all(Array.from({ length: log.partitions(topic) }, (_, partition) => log.decidedEnd(topic, partition)))
  return { decoder, folds }
}

/** Results in the staging log; the real log is unchanged. */
export interface Made {
  readonly folded: Folded
  readonly decoded: Decoded | undefined
}

/** The passes of one rebuild. Call `end` after the last, and before the staging stores are closed. */
export class Passes {
  readonly #rebuild: Rebuild
  readonly #decode: DecodePasses
  readonly #fold: FoldPasses
  /** Ends of the tape at the newest pass. */
  #ends: readonly number[] = []

  constructor(rebuild: Rebuild) {
    const { progress } = rebuild
    this.#rebuild = rebuild
    this.#decode = new DecodePasses({ ...rebuild, progress: (share) => progress({ phase: 'decoding', share }) })
    this.#fold = new FoldPasses({ ...rebuild, progress: (share) => progress({ phase: 'folding', share }) })
  }
  /** Continues to the current end. With `owners` the tasks are paused, and this pass is the last. Undefined if it was stopped. */
  async next(owners?: Owners): Promise<Made | undefined> {
    const { log, topology, stop, isDecoded } = this.#rebuild
    await log.refresh()
    const upTo = { own: async () => owners?.decoder ?? ownDecoder(this.#rebuild), decoder: owners?.decoder }
    const decoded = isDecoded ? await this.#decode.next(upTo) : undefined
    if (stop.aborted) return undefined
    const tape = await CorrectedTape.open(log, topology.operations.rebuild.reads, topology.chain.tape)
    this.#ends = this.#endsNow()
    const again = decoded && { scratch: decoded.scratch, sequence: decoded.range.sequence }
    const folded = await this.#fold.next(tape, again)
    return folded && { folded, decoded }
  }
  /** Records of the tape since the newest pass began to fold. */
  get behind(): number {
    return this.#endsNow().reduce((sum, end, partition) => sum + end - (this.#ends[partition] ?? 0), 0)
  }
  /** True if the next pass costs only what is new; false if it restores rows first. */
  get isOpen(): boolean {
    return this.#fold.isOpen
  }
  /** Ends the tasks, with everything committed that they have made. */
  async end(): Promise<void> {
    await Promise.all([this.#decode.end(), this.#fold.end()])
  }
  #endsNow(): number[] {
    const { log, topology } = this.#rebuild
    const { tape } = topology.operations.rebuild.reads
    return Array.from({ length: log.partitions(tape) }, (_, partition) => log.end(tape, partition))
  }
}
