// The views that readers may see: those of the shipped files, but no storage tables.
import { readViews, type ViewFile } from './migrate.ts'
import { createdIn } from './statements.ts'

/** Views that only write to storage. */
const REFRESH = /_refresh$/

export const publicViews = (files: readonly ViewFile[] = readViews()): readonly string[] =>
  files.flatMap(({ sql }) => createdIn(sql)).filter((name) => !REFRESH.test(name))
