// Tables of judgements and of the odds that models gave them; both are stored like other conclusions.
import { bool, exactOf, type HistoryTable, lowCardinality, number, seconds, text, time, uint32, units } from './columns.ts'
import { type Body, type ConclusionRow, common } from './conclusion-tables.ts'

export type JudgementRow = ConclusionRow<Body<'judgement'>>
export type OddsRow = ConclusionRow<Body<'odds'>>

/** Columns of the amounts of a judgement. */
export const JUDGED_AMOUNTS = {
  realQuoteUnits: 'real_quote_units',
  peakQuoteUnits: 'peak_quote_units',
  net60QuoteUnits: 'net_60s_quote_units',
  top1Units: 'top1_units',
  top5Units: 'top5_units',
  devUnits: 'dev_units',
  bundleUnits: 'bundle_units',
  insiderUnits: 'insider_units',
  circulatingUnits: 'circulating_units',
  supplyUnits: 'supply_units',
  devBuyQuoteUnits: 'dev_buy_quote_units',
  devBoughtUnits: 'dev_bought_units',
  devSoldUnits: 'dev_sold_units',
  bundleBoughtUnits: 'bundle_bought_units',
  bundleSoldUnits: 'bundle_sold_units',
  warmQuoteUnits: 'warm_quote_units',
} as const satisfies Partial<Record<keyof Body<'judgement'>, string>>

export const JUDGEMENTS: HistoryTable<JudgementRow> = {
  name: 'judgements_log',
  columns: [
    ...common<Body<'judgement'>>(),
    time.of('t0', ({ body }) => body.t0),
    number.of('slot0', ({ body }) => body.slot0),
    seconds.of('age_s', ({ body }) => body.ageS),
    units.of('real_quote_units', ({ body }) => body.realQuoteUnits),
    units.of('peak_quote_units', ({ body }) => body.peakQuoteUnits),
    number.of('n_buys', ({ body }) => body.buys),
    number.of('n_sells', ({ body }) => body.sells),
    number.of('n_buyers', ({ body }) => body.uniqueBuyers),
    number.of('buys_60s', ({ body }) => body.buys60),
    number.of('sells_60s', ({ body }) => body.sells60),
    units.of('net_60s_quote_units', ({ body }) => body.net60QuoteUnits),
    number.of('buyers_60s', ({ body }) => body.uniqueBuyers60),
    seconds.orNull('last_buy_age_s', ({ body }) => body.lastBuyAgeS),
    seconds.orNull('last_new_buyer_age_s', ({ body }) => body.lastNewBuyerAgeS),
    number.of('n_holders', ({ body }) => body.holders),
    units.of('top1_units', ({ body }) => body.top1Units),
    units.of('top5_units', ({ body }) => body.top5Units),
    number.of('hhi_ppm', ({ body }) => body.hhiPpm),
    units.of('dev_units', ({ body }) => body.devUnits),
    units.of('bundle_units', ({ body }) => body.bundleUnits),
    units.of('insider_units', ({ body }) => body.insiderUnits),
    units.of('circulating_units', ({ body }) => body.circulatingUnits),
    units.of('supply_units', ({ body }) => body.supplyUnits),
    units.of('dev_buy_quote_units', ({ body }) => body.devBuyQuoteUnits),
    units.of('dev_bought_units', ({ body }) => body.devBoughtUnits),
    units.of('dev_sold_units', ({ body }) => body.devSoldUnits),
    number.of('n_bundle_wallets', ({ body }) => body.bundleWallets),
    units.of('bundle_bought_units', ({ body }) => body.bundleBoughtUnits),
    units.of('bundle_sold_units', ({ body }) => body.bundleSoldUnits),
    number.of('flag_bits', ({ body }) => body.flagBits),
    bool.of('is_mayhem', ({ body }) => body.mayhem),
    number.orNull('prior_n_launches', ({ body }) => body.priorLaunches),
    number.orNull('prior_n_resolved', ({ body }) => body.priorResolved),
    number.orNull('prior_n_graduated', ({ body }) => body.priorGraduated),
    number.orNull('prior_n_rugged', ({ body }) => body.priorRugged),
    units.orNull('warm_quote_units', ({ body }) => body.warmQuoteUnits),
    seconds.orNull('warm_before_s', ({ body }) => body.warmBeforeS),
    number.orNull('funder_n_launches', ({ body }) => body.funderLaunches),
    number.orNull('funder_n_resolved', ({ body }) => body.funderResolved),
    number.orNull('funder_n_rugged', ({ body }) => body.funderRugged),
    exactOf(({ body }: JudgementRow) => body, JUDGED_AMOUNTS),
  ],
}

/** Keyed by time and id: one value per judgement, head and model. */
export const ODDS: HistoryTable<OddsRow> = {
  name: 'odds_log',
  columns: [
    ...common<Body<'odds'>>(),
    time.of('t0', ({ body }) => body.t0),
    seconds.of('age_s', ({ body }) => body.ageS),
    lowCardinality.of('head', ({ body }) => body.head),
    uint32.of('ppm', ({ body }) => body.ppm),
    lowCardinality.of('model', ({ body }) => body.model),
    text.of('judgement', ({ body }) => body.judgement),
    text.of('inputs_hash', ({ body }) => body.inputsHash),
    bool.of('is_shadow', ({ body }) => body.shadow),
  ],
}
