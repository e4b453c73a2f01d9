// Joins the tapes of several directories into one: consecutive days, each once.
import { join } from 'node:path'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import { numberIn } from '../../../schemas/position.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { CheckedDirectory } from './check.ts'
import { dayText, momentOf, nextDay } from './days.ts'
import type { FileEntry, Manifest } from './manifest.ts'
import { TAPE } from './tape/tape-day.ts'

/** A day of a tape, and its path. */
interface TapeDayFile extends FileEntry {
  readonly file: string
}

/** Chains whose tape is in one of the directories. */
export const tapeChains = (directories: readonly CheckedDirectory[]): readonly Chain[] => [
  ...new Set(directories.flatMap(({ manifest }) => manifest.files.filter(({ table }) => table === TAPE).map(({ chain }) => chain))),
]

/** The chain's day files, oldest first. Bad data if a day occurs twice, is missing in between, or is incomplete and not the last. */
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

const isTapeOf = ({ table, chain }: Pick<FileEntry, 'table' | 'chain'>, of: Chain): boolean => table === TAPE && chain === of

/** True if the directory covers the day and has nothing of it: days without a frame have no file. */
const hasNothingOf = ({ range, files, chains }: Manifest, chain: Chain, day: string): boolean => {
  const [first = '9999'] = files.flatMap((file) => (isTapeOf(file, chain) ? [file.day] : [])).sort()
  const upTo = chains.find((one) => one.chain === chain)?.up_to ?? ''
  return (range.from ?? first) <= day && day <= (range.to ?? day) && `${day}T24` <= upTo
}

const faultBetween = (before: TapeDayFile, day: TapeDayFile, directories: readonly CheckedDirectory[]): string | undefined => {
  if (before.day === day.day) {
    const how = before.sha256 === day.sha256 ? 'both are the same' : 'they differ'
    return `${before.file} and ${day.file} are of the same day, and ${how}: name only one of the two directories`
  }
  if (before.up_to !== null) return `${before.file} ends at ${before.up_to}, before ${day.file} begins: export that whole day again`
  for (let dayS = nextDay(momentOf(before.day) ?? 0); dayText(dayS) < day.day; dayS = nextDay(dayS)) {
    const between = dayText(dayS)
    const listed = directories.flatMap(({ manifest }) => manifest.missing.filter((one) => isTapeOf(one, day.chain) && one.day === between))
    if (listed.length === 0 && directories.some(({ manifest }) => hasNothingOf(manifest, day.chain, between))) continue
    const why = listed[0] === undefined ? '' : ` (${listed[0].reason})`
    return `no tape of ${between}, between ${before.file} and ${day.file}${why}: name a directory that has it`
  }
  const [last, first] = [numberIn(before.last ?? ''), numberIn(day.first ?? '')]
  if (last === undefined || first === undefined || first > last) return undefined
  return `${day.file} begins at ${day.first}, which is not after ${before.last}, the end of ${before.file}: they are of different chains or branches`
}
