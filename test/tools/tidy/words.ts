// Words that must not be in the project. This file assembles them from parts, so that it does not contain them.
import { type Source, walk } from './source.ts'

const NOTES = ['TO', 'FIX', 'HA', 'XX'].map((start, index) => start + ['DO', 'ME', 'CK', 'X'][index])
const SILENCERS = ['ignore', 'expect-error', 'nocheck']
  .map((word) => `@ts-${word}`)
  .concat(['biome', 'eslint'].flatMap((tool) => [`${tool}-ignore`, `${tool}-disable`]))
const BANNED = new RegExp(`\\b(?:${NOTES.join('|')})\\b|${SILENCERS.join('|')}`)
/** A folder of one machine, at the start of a path. */
const MACHINE_PATH = new RegExp(`(?:^|[\\s'"\`(=:,])(/(?:${['work', 'tmp', 'root', 'home'].join('|')})/)`, 'm')

/** Marks of unfinished work and of silenced checks. */
export const wordFaults = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] => {
  const word = BANNED.exec(text)?.[0]
  return word === undefined ? [] : [`${path} has ${word}`]
}

/** Paths of the machine on which a file was written. */
export const machineFaults = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] => {
  const found = MACHINE_PATH.exec(text)?.[1]
  return found === undefined ? [] : [`${path} names ${found}`]
}

/** The type that switches checking off. */
export const anyFaults = (source: Source): string[] => {
  const faults: string[] = []
  walk(source.tree, (node) => {
    if (node.type === 'TsKeywordType' && node.kind === 'any')
      faults.push(`${source.path}:${source.lineAt(node.span?.start ?? 0)} has the type any`)
  })
  return faults
}

/** Packages of a lock file that are bound to one registry's address. */
export const lockFaults = (lock: { readonly packages: Readonly<Record<string, { readonly resolved?: string }>> }): string[] =>
  Object.entries(lock.packages).flatMap(([name, { resolved }]) =>
    /^https?:/.test(resolved ?? '') ? [`${name} is resolved from a host`] : [],
  )

/** The project's old dialect, and what to write instead: a reader must understand each sentence at the first reading. */
const DIALECT: readonly (readonly [pattern: RegExp, better: string])[] = [
  [/\ball the same\b/i, 'anyway'],
  [/(?<!\/)\banew\b/i, 'again'],
  [/\bheirs?\b/i, 'the new owner'],
  [/\bwhoever\b/i, 'the actor by its name'],
  [/\btrying on\b/i, 'retrying'],
  [/\bthrown by dice\b/i, 'random, seeded'],
  [/\bat the door\b/i, 'while a client is connected'],
  [/\bin the midst\b/i, 'during, or within'],
  [/\bliving branch/i, 'the canonical branch'],
  [/\bdead branch/i, 'an orphaned branch'],
  [/\b(?:is|are|be|was|were) had from\b/i, 'fetched from'],
  [/\bthose that are there\b/i, 'the existing ones'],
  [/\b(?:is|are) done with\b/i, 'the action, in the active voice'],
  [/\b(?:goes|gone|go) on with\b/i, 'continues'],
  [/\bmend(?:s|ed|ing)?\b/i, 'repair'],
  [/\bis no news\b/i, 'changes nothing'],
  [/\bas it stands\b/i, 'unchanged'],
  [/\bwhat was said\b/i, 'the value, message or record'],
  [/\b(?:is|are) told of\b/i, 'is notified of, or receives'],
  [/\blets? go of\b/i, 'release, or delete'],
]

const ANY_DIALECT = new RegExp(DIALECT.map(([{ source }]) => source).join('|'), 'i')

/** Sentences in the old dialect. */
export const dialectFaults = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] => {
  // Most files have none: one search of the whole text is cheaper than twenty of each line.
  if (!ANY_DIALECT.test(text)) return []
  return text.split('\n').flatMap((line, index) =>
    DIALECT.flatMap(([pattern, better]) => {
      const found = pattern.exec(line)?.[0]
      return found === undefined ? [] : [`${path}:${index + 1} says "${found}": write ${better}`]
    }),
  )
}
