// What a source tells, entry by entry, with what of it lives in the end.
import type { Topic } from '../../schemas/topics.ts'
import type { EngineLimits } from '../../topology/engine/limits.ts'
import type { OutRecord } from '../../topology/ports/log.ts'
import type { ReadOutput } from './invariants.ts'
import type { Job } from './job.ts'

/** What happens to a chain at one entry. */
export type Happening =
  | { readonly type: 'frame'; readonly number: number; readonly hash8: string }
  | { readonly type: 'revert'; readonly number: number; readonly hash8: string }
  | { readonly type: 'finality' }
export interface Entry {
  readonly happening: Happening
  readonly records: readonly OutRecord[]
}

/** Outputs that stand and rows, sorted. */
export interface Expected {
  readonly lines: readonly string[]
  readonly rows: readonly string[]
}

/** A graph of tasks with something to fold. */
export interface Domain {
  readonly partitions: number
  readonly entries: readonly Entry[]
  readonly outputs: readonly Topic[]
  readonly readOutput: ReadOutput
  tasks(limits: EngineLimits): readonly Job[]
  /** What a model says of so many entries that shares nothing with the engine; where there is none, a clean run of the engine says it. */
  model?(entries: number): Expected
}

/** A fork of so many frames or more is a deep one. */
const DEEP_FRAMES = 8

/** Kinds of what a source does to a chain. */
export const STORY_KINDS = ['fork', 'deep fork', 'branch comes back', 'numbers are skipped', 'finality advances'] as const

/** Indexes of entries whose frames live after the last. */
export const livingEntries = (entries: readonly Entry[]): number[] => walk(entries).living
/** Kinds of what happens, once for each time. */
export const happenings = (entries: readonly Entry[]): string[] => walk(entries).kinds

const walk = (entries: readonly Entry[]): { readonly living: number[]; readonly kinds: string[] } => {
  const living: number[] = []
  const kinds: string[] = []
  const dead = new Set<string>()
  const nameOf = (i: number | undefined): string => {
    const happening = entries[i ?? -1]?.happening
    return happening === undefined || happening.type === 'finality' ? '' : `${happening.number}@${happening.hash8}`
  }
  for (const [i, { happening }] of entries.entries()) {
    if (happening.type === 'finality') kinds.push('finality advances')
    else if (happening.type === 'frame') {
      const parent = entries[living.at(-1) ?? -1]?.happening
      if (parent?.type === 'frame' && happening.number > parent.number + 1) kinds.push('numbers are skipped')
      if (dead.has(nameOf(i))) kinds.push('branch comes back')
      living.push(i)
    } else {
      let depth = 0
      for (; living.length > 0 && nameOf(living.at(-1)) !== nameOf(i); depth++) dead.add(nameOf(living.pop()))
      if (depth > 0) kinds.push('fork')
      if (depth >= DEEP_FRAMES) kinds.push('deep fork')
    }
  }
  return { living, kinds }
}
