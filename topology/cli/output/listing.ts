// Lists that commands print: how many, in which format, and what strangers wrote made plain.
import type { Command } from 'commander'
import { UsageError } from '../command.ts'

const LIST_MAX = 50
const LIMIT_MAX = 1_000_000

export interface ListOptions {
  readonly limit: number
  readonly format: string
}

export const withListOptions = (command: Command): Command =>
  command.option('--limit <n>', 'at most so many', limitOf, LIST_MAX).option('--format <format>', 'text or json (a line each)', 'text')

const limitOf = (text: string): number => {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX)
    throw new UsageError(`--limit is a whole number from 1 to ${LIMIT_MAX}, not ${text}`)
  return limit
}

/** @throws UsageError for a format that is none */
export const isJson = ({ format }: ListOptions): boolean => {
  if (format !== 'text' && format !== 'json') throw new UsageError(`--format is text or json, not ${format}`)
  return format === 'json'
}

/** What quotes strangers, for a terminal: anything but plain characters is left out. */
export const plain = (text: string): string => text.replace(/[^\x20-\x7e]+/g, ' ')
