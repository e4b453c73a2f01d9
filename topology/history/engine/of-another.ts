// Recognizes that a ClickHouse which refuses writes is `mintfold history` of another data directory.
import { EngineError } from '../../../schemas/errors.ts'
import { createHistoryClient } from '../client.ts'
import type { HistoryTarget } from '../target.ts'

const ANSWER_MS_MAX = 5_000
/** Every engine on a data directory has its tables below this. */
const OF_DATA_DIR = /^(.+)\/history\/data\//

/**
 * The data directory of a mintfold engine, which every reader may query; undefined for other servers and for servers that do not
 * disclose it.
 */
export const dataDirOf = async (target: HistoryTarget): Promise<string | undefined> => {
  const client = createHistoryClient(target, ANSWER_MS_MAX)
  try {
    const disks = await client.rows<{ readonly path: string }>("SELECT path FROM system.disks WHERE name = 'default'")
    return OF_DATA_DIR.exec(disks[0]?.path ?? '')?.[1]
  } catch (failure) {
    if (failure instanceof EngineError) return undefined
    throw failure
  } finally {
    await client.close()
  }
}

/** The failure, replaced by one that names the other data directory and the fix if it applies. */
export const explained = async (failure: unknown, target: HistoryTarget): Promise<unknown> => {
  if (!(failure instanceof EngineError) || failure.code !== 'history_refused') return failure
  const dir = await dataDirOf(target)
  return dir === undefined ? failure : ofAnother(dir, target, failure)
}

export const ofAnother = (dir: string, { url }: HistoryTarget, cause?: unknown): EngineError => {
  const words =
    `${url} is \`mintfold history\` of another data directory (${dir}), whose password is needed to write rows: set ` +
    `MINTFOLD_HISTORY_ACCESS=${dir}/history/access.json and unset CLICKHOUSE_URL, or give both the same MINTFOLD_DATA_DIR.`
  return new EngineError('history_refused', words, { facts: { url, dir }, cause })
}
