// Recomputes findings from the log for the API: one at a time, and only if few frames lie between launch and finding.
import type { ChainDefinition } from '../../../processors/chains/chain.ts'
import { type Signature, signatureText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { ChainEvent, TapeForm } from '../../../schemas/record-forms.ts'
import { ShortLivedMap } from '../../../schemas/short-lived-map.ts'
import type { LogReader } from '../../ports/log.ts'
import type { Prover } from '../../ports/proof.ts'
import type { BundleAnswer, ProvenEvent, RecomputedFinding, Recomputer, StoredFinding } from '../../ports/recompute.ts'
import { bundleText } from '../bundle/bundle.ts'
import { claimOf } from '../bundle/claims.ts'
import { verdictOf } from './compare.ts'
import { type LogTapeOptions, logTape } from './log-tape.ts'
import { type Batch, type KeyFolds, Recompute, type Recomputed, type Wanted } from './recompute.ts'
import { keptOf } from './stored.ts'
import type { Subject } from './subjects.ts'
import type { Witness } from './witness.ts'

/** Limits of one request, and of the caches. */
const LIMITS = { framesMax: 3_000, msMax: 1_000, correctionsMax: 1_000, answersMax: 2_048, bundlesMax: 64, eventsMax: 8 }
export type RecomputeLimits = typeof LIMITS

/** A finding, and the folds of its chain. */
export interface RecomputeSubject {
  readonly wanted: Wanted
  readonly chain: Pick<ChainDefinition, 'name' | 'tape' | 'forkNumbersMax'>
  readonly subject: Subject
  readonly topics: LogTapeOptions['topics']
  readonly partition: number
  folds(witness: Witness<ChainEvent>): KeyFolds
  /** Null without a node. */
  prover(): Promise<Prover | null>
}

const unknown = (recomputed_reason: string): RecomputedFinding => ({ verdict: { recomputed: null, recomputed_reason }, events: null })
const without = (reason: string): BundleAnswer => ({ ok: false, reason })
const AT_TERMINAL = 'use mintfold explain'

export class LogRecompute implements Recomputer {
  readonly #log: LogReader
  readonly #find: (id: string) => RecomputeSubject | undefined
  readonly #nowMs: () => number
  readonly #limits: RecomputeLimits
  /** Never out of date: findings do not change. */
  readonly #answers: Newest<RecomputedFinding>
  readonly #bundles: Newest<string>
  #isBusy = false

  /** `find`: undefined for an id that belongs to no chain of this process. */
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
    this.#answers = new Newest(this.#limits.answersMax)
    this.#bundles = new Newest(this.#limits.bundlesMax)
  }
  async recompute(id: string, stored: StoredFinding): Promise<RecomputedFinding> {
    const key = `${id} ${stored.isRetracted}`
    const known = this.#answers.get(key)
    if (known !== undefined) return known
    return this.#alone(async () => {
      const recomputed = await this.#compute(id, stored)
      if (typeof recomputed === 'string') return unknown(recomputed)
      const { wanted } = this.#find(id) as RecomputeSubject
      const verdict = verdictOf(wanted, stored, recomputed)
      const answer = { verdict, events: eventsOf(stored.events ?? recomputed.found?.body.events, recomputed) }
      if (verdict.recomputed !== null) this.#answers.put(key, answer)
      return answer
    }, unknown)
  }
  async bundle(id: string, stored: StoredFinding): Promise<BundleAnswer> {
    const known = this.#bundles.get(id)
    if (known !== undefined) return { ok: true, text: known }
    return this.#alone(async () => {
      const recomputed = await this.#compute(id, stored)
      if (typeof recomputed === 'string') return without(recomputed)
      const text = await this.#bundleOf(this.#find(id) as RecomputeSubject, recomputed)
      if (text === undefined) return without('recomputing the tape does not give this finding')
      // A node may have the missing proof later.
      if (!text.includes('"proof_reason"')) this.#bundles.put(id, text)
      return { ok: true, text }
    }, without)
  }
  /** Refuses when another computation is running. */
  async #alone<T>(work: () => Promise<T>, refused: (reason: string) => T): Promise<T> {
    if (this.#isBusy) return refused('another finding is being computed: try again in a second')
    this.#isBusy = true
    try {
      return await work()
    } catch (failure) {
      return refused(`the tape could not be read: ${(failure as Error).message}`)
    } finally {
      this.#isBusy = false
    }
  }
  /** The result, or the reason why it was not computed. */
  async #compute(id: string, stored: StoredFinding): Promise<Recomputed | string> {
    const found = this.#find(id)
    if (found === undefined) return 'this process has no detector for it'
    if (stored.mintAgeS === null) return 'its launch is not stored'
    if (this.#corrections(found) > this.#limits.correctionsMax) return `the tape has many corrections: ${AT_TERMINAL}`
    const work = new Recompute(found.chain, found.subject, (witness) => found.folds(witness), [found.wanted])
    return (await this.#run(work, found, stored.at - stored.mintAgeS)) ?? work.of(found.wanted)
  }
  async #bundleOf({ chain, wanted, prover }: RecomputeSubject, { found, events }: Recomputed): Promise<string | undefined> {
    const stored = found?.id === wanted.id ? keptOf(found) : undefined
    if (stored === undefined) return undefined
    const claims = stored.events.flatMap((one) => {
      const event = events.get(one)
      return event === undefined ? [] : [claimOf(one, event)]
    })
    return bundleText({ id: wanted.id, chain: chain.name, stored, claims }, await prover(), this.#limits.eventsMax)
  }
  /** Returns the reason if it gave up; undefined when finished. */
  async #run(work: Recompute, found: RecomputeSubject, launchedAt: number): Promise<string | undefined> {
    const { framesMax, msMax } = this.#limits
    const endMs = this.#nowMs() + msMax
    let frames = 0
    for await (const batch of this.#tape(found, launchedAt)) {
      work.take(batch)
      if (work.isDone || batch.number > found.wanted.at.number) return undefined
      if (++frames >= framesMax) return `more than ${framesMax} frames lie between launch and finding: ${AT_TERMINAL}`
      if (this.#nowMs() > endMs) return `the computation takes more than ${msMax} ms: ${AT_TERMINAL}`
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
}

/** A map of limited size; evicts the oldest entry. */
class Newest<Value> {
  readonly #max: number
  readonly #values = new ShortLivedMap<string, { readonly key: string; readonly value: Value }>()

  constructor(max: number) {
    this.#max = max
  }
  get(key: string): Value | undefined {
    return this.#values.get(key)?.value
  }
  put(key: string, value: Value): void {
    this.#values.set(key, { key, value })
    const [oldest] = this.#values.values()
    if (oldest !== undefined && this.#values.size > this.#max) this.#values.delete(oldest.key)
  }
}

/** Null if `ids` is absent, or one of the events is not on the tape. */
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
