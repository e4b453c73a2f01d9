// Training rows of a log and of a history; and a history of launches whose odds are known.
import { Pairing } from '../../processors/odds/train/pairing.ts'
import type { TrainingRow } from '../../processors/odds/train/rows.ts'
import { conclusionCodec } from '../../schemas/codecs.ts'
import { keyText } from '../../schemas/keys.ts'
import { outputId } from '../../schemas/position.ts'
import type { Conclusion } from '../../schemas/types.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import type { Log } from '../../topology/ports/log.ts'
import { readHistoryRows } from '../../topology/training/history-rows.ts'
import { type KnownRow, knownMarket } from '../fixtures/odds-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { standingConclusionsOn } from '../live.ts'

/** The same text for the same row, whatever the order of its fields. */
const textOf = ({ judgement, outcome: { creator, rugged, rugDtS, graduated, censored }, knownAtS }: TrainingRow): string =>
  JSON.stringify([Object.entries(judgement).sort(), creator, rugged, rugDtS, graduated, censored, knownAtS])

interface Rows {
  readonly rows: readonly string[]
  readonly left: Pairing['left']
}

export const rowsOnLog = async (log: Log): Promise<Rows> => {
  const rows: string[] = []
  const pairing = new Pairing((row) => rows.push(textOf(row)))
  for (const topic of [TOPICS.judgements, TOPICS.outcomes])
    for (const text of await standingConclusionsOn(log, topic, conclusionCodec)) pairing.take(JSON.parse(text) as Conclusion)
  return { rows: rows.sort(), left: pairing.left }
}

export const rowsInSql = async (client: HistoryClient): Promise<Rows & { readonly untilS: number }> => {
  const rows: string[] = []
  const read = await readHistoryRows(client, {
    ...{ untilS: 2 ** 32 - 1, rowsMax: 1_000_000, stop: new AbortController().signal, progress: () => {} },
    add: (row) => void rows.push(textOf(row)),
  })
  if (read === null) throw new Error('the history has no judgement')
  return { rows: rows.sort(), ...read }
}

/** Fills an empty history with launches of `knownMarket`. */
export const fillKnownMarket = async (client: HistoryClient, ...market: Parameters<typeof knownMarket>): Promise<void> => {
  const batch = new RowBatch(MINT_TABLES)
  let n = 0
  for (const row of knownMarket(...market)) for (const conclusion of conclusionsOf(row)) batch.conclusion(conclusion, n++)
  for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
}

function* conclusionsOf({ judgement, outcome, knownAtS }: KnownRow): Generator<Conclusion> {
  const position = { chain: 'solana' as const, number: judgement.slot0, tx: 4_294_967_295, outer: 4_294_967_295, inner: 4_294_967_295 }
  const of = (ageS: number, n: number) => {
    const moved = { ...position, number: position.number + ageS }
    return { id: outputId(moved, 'aaaaaaaa', 'mint', keyText(judgement.mint), n), ...moved, hash8: 'aaaaaaaa' }
  }
  yield { ...of(judgement.ageS, 4), at: judgement.t0 + judgement.ageS, body: judgement }
  if (judgement.ageS !== 10) return
  const { mint, t0, slot0, mayhem, devBuyQuoteUnits, buys: trades, uniqueBuyers: buyers, peakQuoteUnits } = judgement
  yield {
    ...of(1_000, 0),
    at: knownAtS,
    body: {
      ...{ type: 'outcome', mint, t0, slot0, mayhem, devBuyQuoteUnits, trades, buyers, peakQuoteUnits, terminalQuoteUnits: 0 },
      ...{ ...outcome, rugKind: outcome.rugged === true ? 'drain' : null, quoteMint: null, devFirstSellDtS: null, selfGraduated: false },
    },
  }
}
