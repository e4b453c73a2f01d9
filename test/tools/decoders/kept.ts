// What the other decoders read of every real transaction, kept in test/data/solana/readings; see PROVENANCE.md there.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { RealTransaction } from '../../fixtures/real-transactions.ts'
import type { OtherDecoder, Reading } from './reading.ts'

const FOLDER = join(process.cwd(), 'test/data/solana/readings')

/** First line of a file. */
interface Head {
  readonly decoder: string
  readonly events: readonly string[]
}
/** Each other line: a transaction, by the id that `realTransactions` gives it. */
interface Line {
  readonly id: string
  readonly readings: readonly Reading[]
}

export const keepReadings = (
  { name, events }: OtherDecoder,
  transactions: readonly RealTransaction[],
  readings: readonly (readonly Reading[])[],
): void => {
  const head: Head = { decoder: name, events: [...events] }
  const lines = transactions.map(({ id }, at): Line => ({ id, readings: readings[at] ?? [] }))
  const text = [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${name.split(' ')[0]}.jsonl.gz`), gzipSync(text, { level: 9 }))
}

/** The decoders as they have read; a transaction that they have not read is a fault. */
export const keptDecoders = (): readonly OtherDecoder[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .sort()
    .map((name) => {
      const [first = '', ...others] = gunzipSync(readFileSync(join(FOLDER, name)))
        .toString()
        .trim()
        .split('\n')
      const { decoder, events }: Head = JSON.parse(first)
      const read = new Map(others.map((line): [string, readonly Reading[]] => [JSON.parse(line).id, JSON.parse(line).readings]))
      const readingsOf = ({ id }: RealTransaction): readonly Reading[] => {
        const readings = read.get(id)
        if (readings === undefined) throw new Error(`${name} lacks ${id}: make it again with npm run soak -- decoders keep`)
        return readings
      }
      return { name: decoder, events: new Set(events), read: async (transactions) => transactions.map(readingsOf) }
    })
