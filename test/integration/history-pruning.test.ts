// A query over a window of time reads only the partitions of that window, in each view of VIEWS: else it would read the whole history.
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

interface Partitioned {
  readonly name: string
  /** Its CREATE statement. */
  readonly made: string
  /** The time column of its partitions. */
  readonly clock: string
}

/** Views by the partitioned table that they read, with the column that a window filters. */
const VIEWS: Readonly<Record<string, readonly (readonly [view: string, clock: string])[]>> = {
  launches_log: [['launches', 'tick_at']],
  trades_log: [
    ['trades', 'tick_at'],
    ['launch_minutes', 'minute'],
  ],
  pool_trades_log: [['pool_trades', 'tick_at']],
  pool_liquidity_log: [['pool_liquidity', 'tick_at']],
  mayhem_reserves_log: [['mayhem_reserves', 'tick_at']],
  transfers_log: [['transfers', 'tick_at']],
  funding_log: [['funding', 'tick_at']],
  wallet_roles_log: [['wallet_roles', 'at']],
  launch_shapes_log: [['launch_shapes', 'at']],
  judgements_log: [['judgements', 'at']],
  odds_log: [['odds', 'at']],
  flags_log: [
    ['flags', 'at'],
    ['retracted_flags', 'at'],
  ],
  shadow_flags_log: [['shadow_flags', 'at']],
  outcomes_log: [['outcomes', 'at']],
  ticks_log: [['frames', 'tick_at']],
  alt_launches_log: [['alt_launches', 'tick_at']],
  alt_trades_log: [['alt_trades', 'tick_at']],
  alt_transfers_log: [['alt_transfers', 'tick_at']],
  alt_curve_events_log: [['alt_curve_events', 'tick_at']],
  alt_flags_log: [['alt_flags', 'at']],
  alt_shadow_flags_log: [['alt_shadow_flags', 'at']],
  alt_outcomes_log: [['alt_outcomes', 'at']],
  alt_ticks_log: [['alt_frames', 'tick_at']],
}
/**
 * Partitioned tables that no view reads by a window of the query: raw frames are read by slot or block, wallet spans by windows fixed in
 * their views, odds leaves by hour without a view.
 */
const OTHERS = ['raw_frames_log', 'alt_raw_frames_log', 'wallet_spans_log', 'odds_leaves_log']
const MOMENTS = ['2026-10-01 12:00:00', '2026-10-08 12:00:00', '2026-10-15 12:00:00']
const SLOTS = [1_000, 2_000, 3_000]

const rowOf = (name: string, clock: string, moment: string, slot: number): string => {
  if (name === 'wallet_spans_log') return `(span, refreshed_at) VALUES ('${moment}', now())`
  if (name === 'odds_leaves_log') return `(hour) VALUES ('${moment}')`
  return `(${name.startsWith('alt_') ? 'block' : 'slot'}, ${clock}) VALUES (${slot}, '${moment}')`
}

describeEngine('windows of time', () => {
  let given: GivenHistories
  let tables: readonly Partitioned[]
  let explained: (sql: string) => Promise<readonly string[]>
  beforeAll(async () => {
    given = await givenHistories({ views: false })
    const { database, rows, command } = await given.lent()
    const found = await rows<{ name: string; key: string; made: string }>(
      "SELECT name, partition_key AS key, create_table_query AS made FROM system.tables WHERE database = {database:String} AND partition_key != '' ORDER BY name",
      { database },
    )
    tables = found.map(({ name, key, made }) => ({ name, made, clock: /(tick_at|block_at|at|span)\b/.exec(key)?.[1] ?? '' }))
    for (const { name, clock } of tables)
      for (const [i, moment] of MOMENTS.entries())
        await command(`INSERT INTO ${database}.${name} ${rowOf(name, clock, moment, SLOTS[i] as number)}`)
    explained = async (where) =>
      (await rows<{ explain: string }>(`SELECT explain FROM (EXPLAIN indexes = 1 SELECT * FROM ${database}.${where})`)).map(
        ({ explain }) => explain,
      )
  })
  afterAll(() => given.remove())

  /** By table: how many of its parts the query reads, as `1 of 3`. */
  const partsIn = (plan: readonly string[]): ReadonlyMap<string, string> => {
    const parts = new Map<string, string>()
    let table = ''
    for (const line of plan) {
      table = /ReadFromMergeTree \(\w+\.(\w+)\)/.exec(line)?.[1] ?? table
      const [, read, all] = /Parts: (\d+)\/(\d+)/.exec(line) ?? []
      if (read !== undefined) parts.set(table, `${read} of ${parts.get(table)?.split(' of ')[1] ?? all}`)
    }
    return parts
  }

  test('every table with partitions is listed here', () => {
    expect(tables.map(({ name }) => name)).toEqual([...Object.keys(VIEWS), ...OTHERS].sort())
  })
  test('each table with partitions merges a closed partition into one part', () => {
    const isMerged = (made: string): boolean =>
      made.includes('min_age_to_force_merge_seconds = 3600') && made.includes('min_age_to_force_merge_on_partition_only = 1')
    expect(tables.filter(({ made }) => !isMerged(made))).toEqual([])
  })
  test.each(Object.entries(VIEWS).flatMap(([table, views]) => views.map(([view, clock]) => [view, clock, table] as const)))(
    '%s by %s reads one part of three of %s',
    async (view, clock, table) => {
      const plan = await explained(`${view} WHERE ${clock} >= toDateTime('2026-10-15 00:00:00', 'UTC')`)
      expect([...partsIn(plan)]).toContainEqual([table, '1 of 3'])
    },
  )
  test('a query of `frames` by slot reads one part of three of both tables of the view', async () => {
    const parts = partsIn(await explained('frames WHERE slot = 2000'))
    expect([parts.get('ticks_log'), parts.get('raw_frames_log')]).toEqual(['1 of 3', '1 of 3'])
  })
  test.each(['user', 'signature', 'event_id', 'slot'])('trades by %s use an index', async (column) => {
    const plan = await explained(`trades WHERE ${column} = ${column === 'slot' ? '5' : "'x'"}`)
    expect(plan.some((line) => /Name: by_(user|signature|event|slot)$/.test(line.trim()))).toBe(true)
    expect(partsIn(plan).get('trades_log')).toBe('0 of 3')
  })
})
