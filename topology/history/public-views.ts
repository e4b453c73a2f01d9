// What of the database readers see: the views that the shipped files make for them, and no storage.
import { readViews, type ViewFile } from './migrate.ts'
import { statementsOf } from './statements.ts'

const VIEW = /^CREATE (?:OR REPLACE )?(?:MATERIALIZED )?VIEW (?:IF NOT EXISTS )?mintfold\.(\w+)/m
/** Views that only write into storage. */
const REFRESH = /_refresh$/

export const publicViews = (files: readonly ViewFile[] = readViews()): readonly string[] =>
  files
    .flatMap(({ sql }) => statementsOf(sql))
    .flatMap((statement) => VIEW.exec(statement)?.[1] ?? [])
    .filter((name) => !REFRESH.test(name))
