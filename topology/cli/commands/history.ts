// `mintfold history`: runs the embedded ClickHouse as a separate server, for roles on one machine.
import { resolve } from 'node:path'
import { openDataDir } from '../../data-dir/directory.ts'
import { ACCESS_FILE } from '../../history/engine/access.ts'
import { ClickHouseServer } from '../../history/engine/clickhouse-server.ts'
import { historyDirOf } from '../../history/engine/where.ts'
import { migrateAt } from '../../history/tables/upkeep.ts'
import { stopped } from '../../waiting/waiting.ts'
import { type Io, type Register, UsageError } from '../command.ts'
import { settingsWithoutApi } from '../settings/settings.ts'
import { portOf } from '../settings/settings-values.ts'
import { Closing } from '../start/closing.ts'

export const register: Register = (command, io) => {
  command
    .description(
      'Starts the embedded ClickHouse on the data directory, on loopback, with the tables of this version, until it is stopped. ' +
        '`mintfold sql --access` prints how other clients read it. Other mintfold processes of the same data directory write to it if CLICKHOUSE_URL is its address; those of another data directory if ' +
        'MINTFOLD_HISTORY_ACCESS is the path of its access file.',
    )
    .option('--port <port>', 'port on 127.0.0.1; 0 picks a free one (default: MINTFOLD_CLICKHOUSE_PORT)', portOf)
    .action((options: { port?: number }) => history(options, io))
}

const history = async ({ port }: { port?: number }, io: Io): Promise<void> => {
  const { dataDir, clickhouse } = settingsWithoutApi(io.env)
  if (clickhouse.url !== null) throw new UsageError('CLICKHOUSE_URL is set, but this command starts a server itself: unset it')
  if (clickhouse.access !== null) throw new UsageError('MINTFOLD_HISTORY_ACCESS is set, but this command starts a history itself: unset it')
  openDataDir(dataDir)
  const dir = historyDirOf(dataDir)
  const server = new ClickHouseServer({
    dir,
    port: port ?? clickhouse.port,
    database: clickhouse.database,
    hosts: clickhouse.hosts,
    notice: (_code, { reason }) => {
      if (reason !== undefined) io.printNotice(String(reason))
    },
  })
  const closing = new Closing(io.printNotice)
  closing.add('server', () => server.stop())
  try {
    await server.start()
    await migrateAt(server.target())
    const { url } = server.target()
    io.printNotice(
      `ClickHouse answers on ${url} (data: ${dir}); for mintfold processes of this data directory: CLICKHOUSE_URL=${url}; for others: ` +
        `MINTFOLD_HISTORY_ACCESS=${resolve(dir, ACCESS_FILE)}`,
    )
    await stopped(io.stop)
  } finally {
    await closing.run()
  }
}
