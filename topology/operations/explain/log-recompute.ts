// Findings computed once more for the API, off the log: one at a time, and only where few frames lie between launch and finding.
import type { ChainDefinition } from '../../../processors/chains/chain.ts'
import { BriefMap } from '../../../schemas/brief-map.ts'
import { type Signature, signatureText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { ChainEvent, TapeForm } from '../../../schemas/record-forms.ts'
import type { LogReader } from '../../ports/log.ts'
import type { ProvenEvent, RecomputedFinding, Recomputer, StoredFinding } from '../../ports/recompute.ts'
import { verdictOf } from './compare.ts'
import { type LogTapeOptions, logTape } from './log-tape.ts'
import { type Batch, type KeyFolds, Recompute, type Recomputed, type Wanted } from './recompute.ts'
import type { Subject } from './subjects.ts'
import type { Witness } from './witness.ts'

/** What a request may cost. */
const LIMITS = { framesMax: 3_000, msMax: 1_000, correctionsMax: 1_000, answersMax: 2_048 }
export type RecomputeLimits = typeof LIMITS

/** A finding and how its chain folds. */
export interface RecomputeSubject {
  readonly wanted: Wanted
  readonly chain: Pick<ChainDefinition, 'tape' | 'forkNumbersMax'>
  readonly subject: Subject
  readonly topics: LogTapeOptions['topics']
  readonly partition: number
  folds(witness: Witness<ChainEvent>): KeyFolds
}

const unknown = (recomputed_reason: string): RecomputedFinding => ({ verdict: { recomputed: null, recomputed_reason }, events: null })
const AT_TERMINAL = 'mintfold explain computes it'

export class LogRecompute implements Recomputer {
  readonly #log: LogReader
  readonly #find: (id: string) => RecomputeSubject | undefined
  readonly #nowMs: () => number
  readonly #limits: RecomputeLimits
  /** What was answered for good: findings do not change. */
  readonly #answers = new BriefMap<string, { readonly key: string; readonly answer: RecomputedFinding }>()
  #isBusy = false

  /** `find`: undefined for an id of no chain here. */
  constructor(
    log: LogReader,
    find: (id: string) => RecomputeSubject | undefined,
    nowMs: () => number,
    limits: Partial<RecomputeLimits> = {},
  ) {
    this.#log = log
    this.#find = find
    this.#nowMs = nowMs
    this.#limits = { ...LIMITS, ...limits }
  }
  async recompute(id: string, stored: StoredFinding): Promise<RecomputedFinding> {
    const key = `${id} ${stored.isRetracted}`
    const known = this.#answers.get(key)
    if (known !== undefined) return known.answer
    if (this.#isBusy) return unknown('another finding is computed just now: try again in a second')
    this.#isBusy = true
    try {
      const answer = await this.#compute(id, stored)
      if (answer.verdict.recomputed !== null) this.#remember(key, answer)
      return answer
    } catch (failure) {
      return unknown(`the tape could not be read: ${(failure as Error).message}`)
    } finally {
      this.#isBusy = false
    }
  }
  async #compute(id: string, stored: StoredFinding): Promise<RecomputedFinding> {
    const found = this.#find(id)
    if (found === undefined) return unknown('no detector of this process finds it')
    if (stored.mintAgeS === null) return unknown('no launch of it is held')
    if (this.#corrections(found) > this.#limits.correctionsMax) return unknown(`the tape has many corrections: ${AT_TERMINAL}`)
    const work = new Recompute(found.chain, found.subject, (witness) => found.folds(witness), [found.wanted])
    const cut = await this.#run(work, found, stored.at - stored.mintAgeS)
    if (cut !== undefined) return unknown(cut)
    const recomputed = work.of(found.wanted)
    return {
      verdict: verdictOf(found.wanted, stored, recomputed),
      events: eventsOf(stored.events ?? recomputed.found?.body.events, recomputed),
    }
  }
  /** Why it was given up; undefined once it is done. */
  async #run(work: Recompute, found: RecomputeSubject, launchedAt: number): Promise<string | undefined> {
    const { framesMax, msMax } = this.#limits
    const endMs = this.#nowMs() + msMax
    let frames = 0
    for await (const batch of this.#tape(found, launchedAt)) {
      work.take(batch)
      if (work.isDone || batch.number > found.wanted.at.number) return undefined
      if (++frames >= framesMax) return `more than ${framesMax} frames lie between launch and finding: ${AT_TERMINAL}`
      if (this.#nowMs() > endMs) return `it takes more than ${msMax} ms: ${AT_TERMINAL}`
    }
    return undefined
  }
  #tape({ chain, topics, partition }: RecomputeSubject, launchedAt: number): AsyncIterable<Batch> {
    const form = chain.tape as TapeForm<ChainEvent>
    return logTape({ log: this.#log, topics, form, partition, forkNumbersMax: chain.forkNumbersMax }, launchedAt)
  }
  #corrections({ topics: { corrections } }: RecomputeSubject): number {
    let count = 0
    for (let partition = 0; partition < this.#log.partitions(corrections); partition++)
      count += this.#log.end(corrections, partition) - this.#log.start(corrections, partition)
    return count
  }
  #remember(key: string, answer: RecomputedFinding): void {
    this.#answers.set(key, { key, answer })
    const [oldest] = this.#answers.values()
    if (oldest !== undefined && this.#answers.size > this.#limits.answersMax) this.#answers.delete(oldest.key)
  }
}

/** Null where one of them is not on the tape. */
const eventsOf = (ids: readonly string[] | undefined, { events }: Recomputed): readonly ProvenEvent[] | null => {
  const found = (ids ?? []).flatMap((id) => {
    const one = events.get(id)
    if (one === undefined) return []
    const { frame, event } = one
    const { tx, outer, inner, type, signature } = event as ChainEvent & { readonly signature: Signature }
    return [{ event_id: id, position: formatPosition({ ...frame, tx, outer, inner }), type, signature: signatureText(signature) }]
  })
  return ids === undefined || found.length < ids.length ? null : found
}
