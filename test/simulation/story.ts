// The entries that a source emits, and which of them end on the canonical branch.
import type { Topic } from '../../schemas/topics.ts'
import type { EngineLimits } from '../../topology/engine/limits.ts'
import type { OutRecord } from '../../topology/ports/log.ts'
import type { ReadOutput } from './invariants.ts'
import type { Job } from './job.ts'

/** The effect of one entry on the chain. */
export type ChainEffect =
  | { readonly type: 'frame'; readonly number: number; readonly hash8: string }
  | { readonly type: 'revert'; readonly number: number; readonly hash8: string }
  | { readonly type: 'finality' }
export interface Entry {
  readonly effect: ChainEffect
  readonly records: readonly OutRecord[]
}

/** Valid outputs, and rows, sorted. */
export interface Expected {
  readonly lines: readonly string[]
  readonly rows: readonly string[]
}

/** A graph of tasks with its input. */
export interface Domain {
  readonly partitions: number
  readonly entries: readonly Entry[]
  readonly outputs: readonly Topic[]
  readonly readOutput: ReadOutput
  tasks(limits: EngineLimits): readonly Job[]
  /**
   * Expected result after this many entries by a model independent of the engine; without a model, a clean run of the engine supplies it.
   */
  model?(entries: number): Expected
}

/** A fork of at least this many frames is deep. */
const DEEP_FRAMES = 8

/** Kinds of events that a source causes on a chain. */
export const STORY_KINDS = ['fork', 'deep fork', 'branch comes back', 'numbers are skipped', 'finality advances'] as const

/** Indexes of entries whose frames are on the final branch. */
export const canonicalEntries = (entries: readonly Entry[]): number[] => walk(entries).canonical
/** Kinds of events, one entry per occurrence. */
export const storyKinds = (entries: readonly Entry[]): string[] => walk(entries).kinds

const walk = (entries: readonly Entry[]): { readonly canonical: number[]; readonly kinds: string[] } => {
  const canonical: number[] = []
  const kinds: string[] = []
  const dead = new Set<string>()
  const nameOf = (i: number | undefined): string => {
    const effect = entries[i ?? -1]?.effect
    return effect === undefined || effect.type === 'finality' ? '' : `${effect.number}@${effect.hash8}`
  }
  for (const [i, { effect }] of entries.entries()) {
    if (effect.type === 'finality') kinds.push('finality advances')
    else if (effect.type === 'frame') {
      const parent = entries[canonical.at(-1) ?? -1]?.effect
      if (parent?.type === 'frame' && effect.number > parent.number + 1) kinds.push('numbers are skipped')
      if (dead.has(nameOf(i))) kinds.push('branch comes back')
      canonical.push(i)
    } else {
      let depth = 0
      for (; canonical.length > 0 && nameOf(canonical.at(-1)) !== nameOf(i); depth++) dead.add(nameOf(canonical.pop()))
      if (depth > 0) kinds.push('fork')
      if (depth >= DEEP_FRAMES) kinds.push('deep fork')
    }
  }
  return { canonical, kinds }
}
