// What of the database readers see: the views that the shipped files make for them, and no storage.
import { readViews, type ViewFile } from './migrate.ts'
import { createdIn } from './statements.ts'

/** Views that only write into storage. */
const REFRESH = /_refresh$/

export const publicViews = (files: readonly ViewFile[] = readViews()): readonly string[] =>
  files.flatMap(({ sql }) => createdIn(sql)).filter((name) => !REFRESH.test(name))
