// Generates a synthetic market of today's load as SQL, one day at a time: what the sink would write without forks. Days are counted back
// from the newest, 0, so that a history grows into the past and its newest rows, which are measured, stay the same.

const LAUNCHES = 36_000
const TRADES = 3_000_000
const POOL_TRADES = 300_000
const SLOTS = 216_000
const FUNDINGS = 300_000
const DAY_MS = 86_400_000
/** Columns of wallet_spans_log, without those that have a default. */
export const SPAN_COLUMNS =
  'wallet, mint, span, trades, bought_units, sold_units, paid_lamports, got_lamports, is_sniped, has_role, first_place, last_place, ' +
  'as_of, refreshed_at, is_deleted'
/** A trade is of one of the last 720 launches (half an hour), mostly of the last minutes. */
const LIFE_LAUNCHES = 720

export interface Load {
  /** End of the newest day, unix seconds, a midnight. */
  readonly endS: number
  /** Rows per insert: a ClickHouse with less memory needs fewer. */
  readonly chunk: number
  /** Keeps one row in this many: 1 is today's load. */
  readonly oneOf: number
}

const key = (seed: string): string => `base58Encode(concat(sipHash128(${seed}, 'a'), sipHash128(${seed}, 'b')))`
const signature = (seed: string): string =>
  `base58Encode(concat(sipHash128(${seed}, 'a'), sipHash128(${seed}, 'b'), sipHash128(${seed}, 'c'), sipHash128(${seed}, 'd')))`
const mint = (launch: string): string => key(`${launch}, 'mint'`)
const creator = (launch: string): string => key(`${launch} % 9000, 'creator'`)
const hash8 = (slot: string): string => `substring(base58Encode(toString(cityHash64(${slot}))), 1, 8)`

const chunks = (rows: number, size: number): readonly (readonly [from: number, n: number])[] =>
  Array.from({ length: Math.ceil(rows / size) }, (_, i) => [i * size, Math.min(size, rows - i * size)] as const)

/** Parts of the statements of one day. */
const partsOf = (day: number, { endS, chunk, oneOf }: Load) => {
  const startMs = endS * 1_000 - (day + 1) * DAY_MS
  /** Number of the day's first launch. Launches are numbered over all days; the newest is -1. */
  const base = -(day + 1) * LAUNCHES
  const at = (index: string, rows: number): string =>
    `toDateTime64(toDateTime(${Math.floor(startMs / 1_000)} + intDiv(${index} * 86400, ${rows}), 'UTC'), 3, 'UTC')`
  const slotOf = (index: string, rows: number): string => `${600_000_000 - (day + 1) * SLOTS} + intDiv(${index} * ${SLOTS}, ${rows})`
  const common = (index: string, rows: number): string =>
    `${slotOf(index, rows)} AS slot, ${index} % 1000 AS tx_index, 2 AS outer_ix, 1 + ${index} % 8 AS inner_ix,
       ${hash8('slot')} AS hash8,
     slot * 1024 AS version, 0 AS is_deleted, ${at(index, rows)} AS tick_at`
  const PLACE = 'slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted, tick_at'
  const insert = (table: string, columns: string, rows: number, select: (index: string) => string): readonly string[] =>
    chunks(Math.floor(rows / oneOf), chunk).map(
      ([from, n]) =>
        `INSERT INTO mintfold.${table}_log (${columns})
         SELECT ${select('n')} FROM (SELECT (number + ${from}) * ${oneOf} AS n FROM numbers(${n}))`,
    )
  const launchOf = (n: string): string => `(${base} + ${n})`
  return { startMs, base, at, slotOf, common, PLACE, insert, launchOf }
}
type Parts = ReturnType<typeof partsOf>

/** Statements that fill one day. */
export const dayOf = (day: number, load: Load): readonly string[] => {
  const parts = partsOf(day, load)
  return [...tradesOf(day, parts), ...chainOf(day, parts), ...settled(load.endS, parts.startMs)]
}

const tradesOf = (day: number, { base, common, PLACE, insert, launchOf }: Parts): readonly string[] => [
  ...insert(
    'launches',
    `${PLACE}, at, signature, mint, user, creator, is_creator_wallet, bonding_curve, name, symbol, uri, is_mayhem, is_cashback,
       layout, received_at`,
    LAUNCHES,
    (n) => `${common(n, LAUNCHES)}, tick_at, ${signature(`${n}, ${day}, 'l'`)}, ${mint(launchOf(n))}, ${creator(launchOf(n))} AS who,
       who,
      true, ${key(`${launchOf(n)}, 'curve'`)}, concat('coin ', toString(${n})), 'COIN', 'https://example.com/a.json', ${n} % 20 = 0,
       false, 'v2', tick_at`,
  ),
  ...insert(
    'trades',
    `${PLACE}, at, signature, mint, user, is_buy, is_agent, is_mayhem, token_units, quote_units, fee_units, creator_fee_units,
     virtual_quote_units, virtual_token_units, real_quote_units, real_token_units, creator, layout, received_at`,
    TRADES,
    (n) => `${common(n, TRADES)}, tick_at, ${signature(`${n}, ${day}, 't'`)},
      ${mint(`(${base} + intDiv(${n} * ${LAUNCHES}, ${TRADES}) - toInt64(${LIFE_LAUNCHES} * pow((cityHash64(${n},
       ${day}) % 10000) / 10000, 3)) AS launch)`)},
      if(cityHash64(${n}, 9) % 10 < 6, ${key(`cityHash64(${n}, ${day}, 1) % 150000, ${day}, 'fresh'`)}, ${key(`cityHash64(${n},
       2) % 20000, 'old'`)}),
      cityHash64(${n}, 3) % 2 = 0, false, false, 1 + cityHash64(${n}, 4) % 20000000000000, 1 + cityHash64(${n},
       5) % 3000000000 AS quote,
      intDiv(quote, 105), intDiv(quote, 333), 30000000000 + cityHash64(${n}, 6) % 80000000000 AS reserve,
       intDiv(toInt128(32190000000) * 1000000000000000, reserve),
      reserve - 30000000000, 793100000000000 - cityHash64(${n}, 7) % 79310000000000, ${creator('launch')}, 'v2', tick_at`,
  ),
  ...insert(
    'pool_trades',
    `${PLACE}, at, signature, mint, pool, user, is_buy, is_agent, is_coin_base, token_units, quote_units, user_quote_units,
     pool_token_units, pool_quote_units, pool_fee_units, received_at`,
    POOL_TRADES,
    (n) => `${common(n, POOL_TRADES)}, tick_at, ${signature(`${n}, ${day}, 'p'`)}, ${mint(`(${base} + intDiv(${n} * 360,
       ${POOL_TRADES}) * 100) AS launch`)}, ${key(`launch, 'pool'`)},
      ${key(`cityHash64(${n}, 2) % 20000, 'old'`)}, cityHash64(${n}, 3) % 2 = 0, false, true, 1 + cityHash64(${n}, 4) % 20000000000000,
      1 + cityHash64(${n}, 5) % 3000000000 AS quote, quote + 1000, 206900000000000, 84000000000 + ${n} % 1000000000, 0, tick_at`,
  ),
]

const chainOf = (day: number, { at, slotOf, common, PLACE, insert, launchOf }: Parts): readonly string[] => [
  ...insert(
    'ticks',
    'slot, hash8, version, is_deleted, tick_at, is_vouched, is_final, is_placed, launchpad_transactions, launchpad_failed, received_at',
    SLOTS,
    (n) => `${slotOf(n, SLOTS)} AS slot, ${hash8('slot')}, slot * 1024, 0, ${at(n, SLOTS)} AS tick_at, false, true, true, 16, 3,
       tick_at`,
  ),
  ...insert(
    'raw_frames',
    `slot, hash8, version, is_deleted, block_at, hash, is_hash_synthetic, parent_slot, parent_hash, status, is_whole,
       launchpad_transactions,
     launchpad_failed, transfers, failed_others, transactions_total, received_at`,
    SLOTS,
    (n) => `${slotOf(n, SLOTS)} AS slot, ${hash8('slot')}, slot * 1024, 0, ${at(n, SLOTS)} AS block_at, ${key('slot')}, false,
       slot - 1, ${key('slot - 1')},
      'confirmed', true, 16, 3, 2, 100, 1200, block_at`,
  ),
  ...insert(
    'funding',
    `${PLACE}, at, signature, funder, wallet, amount_lamports, received_at`,
    FUNDINGS,
    (n) => `${common(n, FUNDINGS)}, tick_at, ${signature(`${n}, ${day}, 'f'`)}, ${key(`cityHash64(${n}, 8) % 5000, 'funder'`)},
      ${key(`cityHash64(${n}, ${day}, 1) % 150000, ${day}, 'fresh'`)}, 100000000 + cityHash64(${n}) % 5000000000, tick_at`,
  ),
  ...insert(
    'wallet_roles',
    'slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted, at, id, mint, wallet, role, counterpart, t0, slot0, received_at',
    LAUNCHES * 5,
    (n) => `${slotOf(n, LAUNCHES * 5)} AS slot, 5 + ${n} % 5, 2, 1, ${hash8('slot')} AS hash8, slot * 1024, 0, ${at(n, LAUNCHES * 5)} AS at,
      concat('solana:', toString(slot), '@', hash8, ':', toString(${n})), ${mint(launchOf(`intDiv(${n}, 5)`))},
      if(${n} % 5 = 0, ${creator(launchOf(`intDiv(${n}, 5)`))}, ${key(`cityHash64(${n}, ${day}, 1) % 150000, ${day}, 'fresh'`)}),
       if(${n} % 5 = 0, 'dev', 'bundle'), NULL, at, slot, at`,
  ),
]

/** Conclusions about the launches of a day, their migrations, and the regime of the day's minutes. */
const settled = (endS: number, startMs: number): readonly string[] => {
  const fromS = Math.floor(startMs / 1_000)
  const own = `FROM mintfold.launches_log WHERE tick_at >= toDateTime64('${fromS}', 3,
       'UTC') AND tick_at < toDateTime64('${fromS + 86_400}', 3, 'UTC')`
  const END = `toDateTime64('${endS}', 3, 'UTC')`
  return [
    `INSERT INTO mintfold.outcomes_log (slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted, at, id, mint, creator, t0,
       slot0, graduated, rugged,
       rug_kind, rug_dt_s, peak_quote_units, terminal_quote_units, dev_first_sell_dt_s, dev_buy_quote_units, n_trades, n_buyers,
       is_mayhem, self_graduated, received_at)
     SELECT slot + 9000, 4294967295, 4294967295, 4294967295, hash8, version, 0, tick_at + INTERVAL 1 HOUR AS settled_at,
       concat('solana:', toString(slot + 9000), '.~@', hash8, ':', mint), mint, creator, tick_at, slot,
       cityHash64(mint) % 70 = 0 AS is_graduate, NOT is_graduate AND cityHash64(mint, 1) % 5 < 3 AS is_rug, if(is_rug, 'drain',
       NULL), if(is_rug, 20 + cityHash64(mint, 2) % 600, NULL),
       if(is_graduate, 84, cityHash64(mint, 3) % 20) * 1000000000, 1000000, if(cityHash64(mint, 4) % 3 = 0, 60, NULL),
       cityHash64(mint, 5) % 4 * 500000000, 83, 60, is_mayhem, false, settled_at
     ${own} AND tick_at + INTERVAL 1 HOUR < ${END}`,
    `INSERT INTO mintfold.flags_log (slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted, at, id, mint, creator, flag,
       detector, detector_version, mint_age_s, evidence, events, received_at)
     SELECT slot + 150, 7, 2, 1, hash8, version, 0, tick_at + INTERVAL 60 SECOND AS flagged_at, concat('solana:',
       toString(slot + 150), '.7.2.1@', hash8, ':creator-sold:', mint), mint, creator,
       'creator_sold', 'creator-sold', 3, 60, '{"sold_pct":0.5,"sold_units":"1000000"}', [concat('solana:', toString(slot + 150),
       '.7.2.1@', hash8)], flagged_at
     ${own} AND cityHash64(mint, 6) % 5 < 4 AND tick_at + INTERVAL 60 SECOND < ${END}`,
    `INSERT INTO mintfold.migrations_log (slot, tx_index, outer_ix, inner_ix, hash8, version, is_deleted, tick_at, at, signature,
       mint, user, bonding_curve, pool, token_units, quote_units, fee_units, received_at)
     SELECT slot + 600, 3, 2, 1, hash8, version, 0, tick_at + INTERVAL 240 SECOND AS moved_at, moved_at, signature, mint, user,
       bonding_curve, ${key("mint, 'pool'")}, 206900000000000, 84000000000, 15000000, moved_at
     ${own} AND cityHash64(mint) % 70 = 0 AND tick_at + INTERVAL 240 SECOND < ${END}`,
    `INSERT INTO mintfold.regime_minutes_log (minute, launches, mayhem, buys, sells, buy_lamports, sell_lamports, failed, total,
       migrations, true_graduations, rug_flags, frames, is_complete, rule, refreshed_at)
     SELECT toDateTime(${fromS} + number * 60, 'UTC') AS minute, 25, 1, 1040, 1040, 1560000000000, 1560000000000, 450, 2400, 0, 0,
       map('creator_sold', 20), 150, true, 1, minute + INTERVAL 61 SECOND
     FROM numbers(1440)`,
  ]
}

/** Rows written once, after the newest day: the history's position, and the sums of wallets of the last three days. */
export const closingOf = ({ endS }: Pick<Load, 'endS'>): readonly string[] => {
  const END = `toDateTime64('${endS}', 3, 'UTC')`
  const spans = Array.from({ length: 72 }, (_, hour) => {
    const from = `${END} - INTERVAL ${hour + 1} HOUR`
    return `INSERT INTO mintfold.wallet_spans_log (${SPAN_COLUMNS}) 
      SELECT user AS wallet, mint, toStartOfInterval(tick_at, INTERVAL 10 MINUTE, 'UTC') AS span, count() AS trades,
      sumIf(toInt128(token_units), is_buy) AS bought_units, sumIf(toInt128(token_units), NOT is_buy) AS sold_units,
      sumIf(quote_units, is_buy) AS paid_lamports, sumIf(quote_units, NOT is_buy) AS got_lamports, false AS is_sniped,
       false AS has_role,
      min((slot, tx_index, outer_ix, inner_ix, toDateTime(tick_at, 'UTC'), hash8)) AS first_place, max((slot, tx_index, outer_ix,
       inner_ix, toDateTime(tick_at, 'UTC'), hash8)) AS last_place,
      toDateTime64(span + INTERVAL 10 MINUTE, 3, 'UTC') - INTERVAL 1 MILLISECOND AS as_of, span + INTERVAL 11 MINUTE AS refreshed_at,
       0 AS is_deleted
      FROM mintfold.trades_log WHERE tick_at >= ${from} AND tick_at < ${from} + INTERVAL 1 HOUR GROUP BY wallet, mint, span`
  })
  return [...spans, `INSERT INTO mintfold.progress_log (sink, version, up_to) SELECT 'clickhouse', ${endS}, ${END}`]
}
