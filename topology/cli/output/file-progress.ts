// Progress over files that are read one after another, by bytes.
import { stat } from 'node:fs/promises'
import type { Io } from '../command.ts'
import { showProgress, type Work } from './progress.ts'

export interface FileProgress {
  /** Call it when a file is opened; the returned function takes the number of its bytes read so far. */
  file(path: string): (bytes: number) => void
  /** Counts one more unit. */
  one(): void
  /** As `Progress.hide`. */
  hide(): void
}

/** A file whose size cannot be read counts as empty: opening it reports the error. */
export const showFileProgress = async (
  io: Pick<Io, 'printNotice' | 'terminal'>,
  work: Work,
  paths: readonly string[],
): Promise<FileProgress> => {
  const sizeOf = (path: string): Promise<number> =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  const sizes = new Map(await Promise.all(paths.map(async (path) => [path, await sizeOf(path)] as const)))
  const all = paths.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0)
  const progress = showProgress(io, work)
  let before = 0
  let within = 0
  let open = 0
  let done = 0
  return {
    file: (path) => {
      before += open
      open = sizes.get(path) ?? 0
      within = 0
      return (bytes) => {
        within = bytes
      }
    },
    one: () => progress.at(++done, all > 0 ? (before + within) / all : undefined),
    hide: () => progress.hide(),
  }
}
