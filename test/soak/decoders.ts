// Every real event of the tests' data as mintfold reads it, and as two decoders read it that nobody of this project wrote.
import { messageOf } from '../../schemas/errors.ts'
import { realTransactions } from '../fixtures/real-transactions.ts'
import { openCarbon } from '../tools/decoders/carbon.ts'
import { openDexParser } from '../tools/decoders/dex-parser.ts'
import { type Comparison, compareReadings, type Difference } from '../tools/decoders/differences.ts'
import { EXPLANATIONS, explanationOf } from '../tools/decoders/explained.ts'
import { ourEvents } from '../tools/decoders/our-events.ts'
import type { OtherDecoder } from '../tools/decoders/reading.ts'

const DECODERS: Readonly<Record<string, () => Promise<OtherDecoder>>> = {
  'solana-dex-parser of npm': openDexParser,
  'the Carbon decoders of crates': openCarbon,
}

type Counts = Readonly<Record<string, number>>

export interface DecodersReport {
  /** Transactions and events: of the chain, of a local bank, and events without their transaction. */
  readonly transactions: Counts
  readonly events: Counts
  readonly decoders: readonly Omit<Comparison, 'differences'>[]
  /** Decoders that could not be had, with the reason. */
  readonly missing: readonly string[]
  readonly differences: number
  readonly explained: Counts
  readonly unexplained: readonly string[]
}

/** With no difference unexplained; the Carbon decoders may be missing, the other may not. */
export const areDecodersEqual = ({ decoders, unexplained }: DecodersReport): boolean =>
  unexplained.length === 0 && decoders.some(({ decoder }) => decoder.startsWith('solana-dex-parser'))

const sentenceOf = ({ decoder, transaction, event, outer, inner, field, ours, theirs }: Difference): string =>
  `${decoder}, ${event} at ${outer}.${inner} of ${transaction.id}: ${field} is ${theirs}, mintfold reads ${ours}`

const countBy = <Item>(items: readonly Item[], nameOf: (item: Item) => string): Counts => {
  const counts: Record<string, number> = {}
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1
  return counts
}

export const runDecoders = async (print: (line: string) => void): Promise<DecodersReport> => {
  const transactions = realTransactions()
  const compared: Comparison[] = []
  const missing: string[] = []
  for (const [name, open] of Object.entries(DECODERS)) {
    print(`${name}: installed or built in the cache if it is not there yet, which takes some minutes`)
    const decoder = await open().catch((cause: unknown) => {
      missing.push(`${name}: ${messageOf(cause)}`)
      print(`NOT COMPARED with ${name}: ${messageOf(cause)}`)
      return undefined
    })
    if (decoder !== undefined) compared.push(compareReadings(decoder, transactions, await decoder.read(transactions)))
  }
  const differences = compared.flatMap((one) => one.differences)
  const explained = differences.flatMap((difference) => explanationOf(difference) ?? [])
  for (const { name, why } of EXPLANATIONS) print(`${explained.filter((one) => one === name).length} explained, ${name}: ${why}`)
  return {
    transactions: countBy(transactions, ({ origin }) => origin),
    events: countBy(
      transactions.flatMap((one) => ourEvents(one).map(() => one.origin)),
      (origin) => origin,
    ),
    decoders: compared.map(({ differences: _listed, ...counts }) => counts),
    missing,
    differences: differences.length,
    explained: countBy(explained, (name) => name),
    unexplained: differences.filter((difference) => explanationOf(difference) === undefined).map(sentenceOf),
  }
}
