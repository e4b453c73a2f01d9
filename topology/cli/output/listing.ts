// Options and text handling of commands that print lists.
import type { Command } from 'commander'
import { UsageError } from '../command.ts'

const LIST_MAX = 50
const LIMIT_MAX = 1_000_000

export interface ListOptions {
  readonly limit: number
  readonly format: string
}

export const withListOptions = (command: Command): Command =>
  command
    .option('--limit <n>', 'at most this many', limitOf, LIST_MAX)
    .option('--format <format>', 'text, or json (one document per line)', 'text')

const limitOf = (text: string): number => {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    throw new UsageError(`--limit is a whole number from 1 to ${LIMIT_MAX}, not ${text}`)
  return limit
}

/** @throws UsageError for an unknown format */
export const isJson = ({ format }: ListOptions): boolean => {
  if (format !== 'text' && format !== 'json') throw new UsageError(`--format is text or json, not ${format}`)
  return format === 'json'
}

/** Foreign text, for a terminal: only printable ASCII characters are kept. */
export const plain = (text: string): string => text.replace(/[^\x20-\x7e]+/g, ' ')
