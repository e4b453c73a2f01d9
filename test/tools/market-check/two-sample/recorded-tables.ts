// Recorded tables of other people: read where they are (../shared/data/solana), never copied.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'

const FOLDER = fileURLToPath(new URL('../../../../../shared/data/solana/', import.meta.url))

export type TableRow = Readonly<Record<string, string>>

/** Undefined if this machine does not have the table. */
export const readTable = (path: string): readonly TableRow[] | undefined => {
  const full = `${FOLDER}${path}`
  return existsSync(full) ? (parse(gunzipSync(readFileSync(full)), { columns: true }) as TableRow[]) : undefined
}

export const numberIn = (row: TableRow, column: string): number => {
  const value = Number(row[column])
  if (row[column] === undefined || Number.isNaN(value)) throw new Error(`the table has no number in column ${column}`)
  return value
}

export const byMint = (rows: readonly TableRow[], column = 'mint'): Map<string, TableRow[]> => {
  const groups = new Map<string, TableRow[]>()
  for (const row of rows) {
    const mint = row[column] ?? ''
    const group = groups.get(mint)
    if (group === undefined) groups.set(mint, [row])
    else group.push(row)
  }
  return groups
}
