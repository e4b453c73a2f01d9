// `mintfold sql --access`: how other clients read the history of the running mintfold.
import { EngineError } from '../../../schemas/errors.ts'
import { OWNER, READER } from '../../history/engine/access.ts'
import { readerOf } from '../../history/engine/where.ts'
import type { HistoryTarget } from '../../history/target.ts'
import type { Io } from '../command.ts'
import type { Settings } from '../settings/settings.ts'

/** @throws EngineError `history_down` if no process has the history open */
export const printAccess = async ({ dataDir, clickhouse }: Settings, io: Io): Promise<void> => {
  const reader = await readerOf(dataDir, clickhouse, READER)
  if (reader === null) {
    const words = `the history of ${dataDir} is not open: start mintfold up or mintfold history, or set MINTFOLD_DATA_DIR to the directory of one that runs`
    throw new EngineError('history_down', words)
  }
  const owner = reader.isReader === true ? await readerOf(dataDir, clickhouse, OWNER) : null
  await io.out(linesOf(reader, owner).join('\n'))
}

/** Passwords are never part of a URL, which the embedded engine refuses; the driver of JDBC takes them out of it. */
const linesOf = (reader: HistoryTarget, owner: HistoryTarget | null): readonly string[] => {
  const { url, username, password, database } = reader
  const { hostname, port, protocol } = new URL(url)
  const query = `SELECT * FROM ${database}.launches LIMIT 10`
  // DuckDB takes an asterisk in a path for a pattern.
  const encoded = encodeURIComponent(`${query} FORMAT CSVWithNames`).replaceAll('*', '%2A')
  const headers = `{'X-ClickHouse-User': '${username}', 'X-ClickHouse-Key': '${password}'}`
  const python = protocol === 'https:' ? ', secure=True' : ''
  const place = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  return [
    `address             ${url} (HTTP), database ${database}`,
    `user                ${username}`,
    `password            ${password}`,
    ...(owner === null ? [] : [`without limits      user ${owner.username}, password ${owner.password}`]),
    '',
    `curl                curl -u '${username}:${password}' ${url} --data-binary "${query}"`,
    `clickhouse-connect  clickhouse_connect.get_client(host='${hostname}', port=${place.split(':').at(-1)}, username='${username}', password='${password}', database='${database}'${python})`,
    `DuckDB              CREATE SECRET history (TYPE http, SCOPE '${url}', EXTRA_HTTP_HEADERS MAP ${headers}); FROM read_csv('${url}/?query=${encoded}');`,
    `pandas              pd.read_csv('${url}/?query=${encoded}', storage_options=${headers}, na_values='\\\\N')`,
    `JDBC                jdbc:clickhouse:${protocol}//${place}/${database}?user=${username}&password=${password}`,
    '',
  ]
}
