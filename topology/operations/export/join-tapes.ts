// Tapes of several directories as one: days that follow one another, each once.
import { join } from 'node:path'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { numberIn } from '../../../schemas/position.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { CheckedDirectory } from './check.ts'
import { momentOf, nextDay } from './days.ts'
import type { FileEntry, Missing } from './manifest.ts'
import { TAPE } from './tape/tape-day.ts'

/** A day of a tape, and where it is. */
interface TapeDayFile extends FileEntry {
  readonly file: string
}

/** Chains of which a directory has the tape. */
export const tapeChains = (directories: readonly CheckedDirectory[]): readonly Chain[] => [
  ...new Set(directories.flatMap(({ manifest }) => manifest.files.filter(({ table }) => table === TAPE).map(({ chain }) => chain))),
]

/** The chain's day files, oldest first. Bad data where a day is there twice, is missing in between, or ends before the next begins. */
export const joinTapes = (directories: readonly CheckedDirectory[], chain: Chain): Parsed<readonly TapeDayFile[]> => {
  const days = directories
    .flatMap(({ dir, manifest }) =>
      manifest.files.filter((file) => file.chain === chain && file.table === TAPE).map((file) => ({ ...file, file: join(dir, file.path) })),
    )
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
  for (const [index, day] of days.entries()) {
    const before = days[index - 1]
    const reason = before === undefined ? undefined : faultBetween(before, day, directories)
    if (reason !== undefined) return bad('bad_encoding', reason)
  }
  return good(days)
}

const faultBetween = (before: TapeDayFile, day: TapeDayFile, directories: readonly CheckedDirectory[]): string | undefined => {
  if (before.day === day.day) {
    const how = before.sha256 === day.sha256 ? 'both are the same' : 'they differ'
    return `${before.file} and ${day.file} are the same day, and ${how}: leave one of the directories out`
  }
  if (before.up_to !== null) return `${before.file} ends at ${before.up_to}, before ${day.file} begins: export that day again, whole`
  if (nextDay(momentOf(before.day) ?? 0) !== momentOf(day.day)) {
    const isBetween = (one: Missing): boolean => one.table === TAPE && one.chain === day.chain && one.day > before.day && one.day < day.day
    const told = directories.flatMap(({ manifest }) => manifest.missing).find(isBetween)
    const why = told === undefined ? '' : ` (${told.day}: ${told.reason})`
    return `no tape of the days between ${before.file} and ${day.file}${why}: name a directory that has them`
  }
  const [last, first] = [numberIn(before.last ?? ''), numberIn(day.first ?? '')]
  if (last === undefined || first === undefined || first > last) return undefined
  return `${day.file} begins at ${day.first}, which is not after ${before.last} where ${before.file} ends: they are of different chains or branches`
}
