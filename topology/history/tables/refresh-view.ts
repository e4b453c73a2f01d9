// A view that ClickHouse computes by itself, computed now.
import type { HistoryClient } from '../client.ts'

/** Resolves when it is computed. @throws EngineError also where the user may not ask for that */
export const refreshView = async ({ database, command }: Pick<HistoryClient, 'database' | 'command'>, view: string): Promise<void> => {
  await command(`SYSTEM REFRESH VIEW ${database}.${view}`)
  await command(`SYSTEM WAIT VIEW ${database}.${view}`)
}
