import { clusterStatements } from '../../../topology/history/tables/cluster.ts'
import { readSchema } from '../../../topology/history/tables/migrate.ts'
import { statementsOf } from '../../../topology/history/tables/statements.ts'

const ENGINES: Readonly<Record<string, string>> = {
  flags_log: "Distributed('c', 'mintfold', 'flags_log_local', cityHash64(mint))",
  flags_log_local:
    "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/mintfold/flags_log', '{replica}', version, is_deleted) PARTITION BY toMonday(at) ORDER BY (mint, slot)",
}
const rewritten = (sql: string, engines = ENGINES): Promise<readonly string[]> =>
  clusterStatements(sql, { cluster: 'c', database: 'mintfold', engineOf: async (table) => engines[table] })

describe('statements for a cluster', () => {
  test('store rows in a replicated table, behind a distributed one of the same name split by mint', async () => {
    const sql = `-- A comment.
CREATE TABLE IF NOT EXISTS mintfold.odds_log (
  at DateTime64(3, 'UTC'),
  mint String DEFAULT base58Encode(mint_bytes)
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (at, id)`
    const [local, distributed, ...others] = await rewritten(sql)
    expect(local).toContain('CREATE TABLE IF NOT EXISTS mintfold.odds_log_local ON CLUSTER c (')
    expect(local).toContain(
      "ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/mintfold/odds_log', '{replica}', version, is_deleted)\nORDER BY (at, id)",
    )
    expect(distributed).toBe(
      "CREATE TABLE IF NOT EXISTS mintfold.odds_log ON CLUSTER c AS mintfold.odds_log_local ENGINE = Distributed('c', 'mintfold', 'odds_log_local', cityHash64(mint))",
    )
    expect(others).toEqual([])
  })
  test('split a table without mints by its first key column', async () => {
    const [local, distributed] = await rewritten(
      'CREATE TABLE IF NOT EXISTS mintfold.kept_days_log (\n  days UInt16\n)\nENGINE = MergeTree\nORDER BY set_at',
    )
    expect(local).toContain("ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/mintfold/kept_days_log', '{replica}')")
    expect(distributed).toContain('cityHash64(set_at)')
  })
  test('give a table made like another one a path of its own', async () => {
    const [local, distributed] = await rewritten('CREATE TABLE IF NOT EXISTS mintfold.shadow_flags_log AS mintfold.flags_log')
    expect(local).toBe(
      'CREATE TABLE IF NOT EXISTS mintfold.shadow_flags_log_local ON CLUSTER c AS mintfold.flags_log_local ENGINE = ' +
        "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/mintfold/shadow_flags_log', '{replica}', version, is_deleted) PARTITION BY toMonday(at) ORDER BY (mint, slot)",
    )
    expect(distributed).toContain("'shadow_flags_log_local', cityHash64(mint)")
  })
  test('change the stored table, and replace the distributed one where columns change', async () => {
    expect(await rewritten('ALTER TABLE mintfold.flags_log MODIFY SETTING fsync_after_insert = 1')).toEqual([
      'ALTER TABLE mintfold.flags_log_local ON CLUSTER c MODIFY SETTING fsync_after_insert = 1',
    ])
    expect(await rewritten('ALTER TABLE mintfold.flags_log ADD COLUMN IF NOT EXISTS a UInt8')).toEqual([
      'ALTER TABLE mintfold.flags_log_local ON CLUSTER c ADD COLUMN IF NOT EXISTS a UInt8',
      `CREATE OR REPLACE TABLE mintfold.flags_log ON CLUSTER c AS mintfold.flags_log_local ENGINE = ${ENGINES.flags_log}`,
    ])
    expect(await rewritten('TRUNCATE TABLE mintfold.flags_log')).toEqual(['TRUNCATE TABLE mintfold.flags_log_local ON CLUSTER c'])
    expect(await rewritten('ALTER TABLE mintfold.flags_log_local MODIFY TTL at')).toEqual([
      'ALTER TABLE mintfold.flags_log_local ON CLUSTER c MODIFY TTL at',
    ])
  })
  test('name the table that is missing', async () => {
    await expect(rewritten('ALTER TABLE mintfold.other_log ADD COLUMN a UInt8')).rejects.toMatchObject({
      code: 'history_query',
      message: expect.stringContaining('has no table other_log'),
    })
  })
  test('create views on every server, which read and write all shards', async () => {
    const [view] = await rewritten("CREATE OR REPLACE VIEW mintfold.v (\n  a UInt8\n) AS SELECT 1 AS a\nCOMMENT 'It''s one.'")
    expect(view).toMatch(/^CREATE OR REPLACE VIEW mintfold\.v ON CLUSTER c \(/)
    expect(view).toMatch(/\nSETTINGS distributed_product_mode = 'allow', .*insert_quorum = 'auto'\nCOMMENT 'It''s one\.'$/)
    const [refresh] = await rewritten(
      'CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold.r\nREFRESH EVERY 1 MINUTE APPEND TO mintfold.r_log\nAS SELECT 1\nSETTINGS max_threads = 1',
    )
    expect(refresh).toMatch(/^CREATE MATERIALIZED VIEW IF NOT EXISTS mintfold\.r ON CLUSTER c\n/)
    expect(refresh).toMatch(/\nSETTINGS distributed_product_mode = 'allow', .*, max_threads = 1$/)
    expect(await rewritten('DROP VIEW IF EXISTS mintfold.v')).toEqual(['DROP VIEW IF EXISTS mintfold.v ON CLUSTER c'])
  })
  test('leave inserts, refreshes and queries as they are', async () => {
    for (const sql of ['INSERT INTO mintfold.kept_days_log (days) VALUES (1)', 'SYSTEM REFRESH VIEW mintfold.v'])
      expect(await rewritten(sql)).toEqual([sql])
  })
  test('reach every server for each shipped file, except conditional steps of older histories', async () => {
    const { migrations, views } = readSchema()
    const shipped = [...migrations, ...views].flatMap(({ sql }) => statementsOf(sql)).filter((sql) => !/^-- while: /m.test(sql))
    const engineOf = async (table: string): Promise<string> =>
      /_local$/.test(table) ? (ENGINES.flags_log_local as string) : "Distributed('c', '', '', cityHash64(mint))"
    expect(shipped.length).toBeGreaterThan(100)
    for (const statement of shipped)
      for (const sql of await clusterStatements(statement, { cluster: 'c', database: 'mintfold', engineOf })) {
        expect(sql).toMatch(/^[A-Z ]+ mintfold\.\w+ ON CLUSTER c\b/)
        if (/^CREATE (?:OR REPLACE )?TABLE/.test(sql))
          expect(sql).toMatch(/ENGINE = (?:Replicated\w*MergeTree\('\/clickhouse\/tables\/\{shard\}\/|Distributed\('c', )/)
      }
  })
})
