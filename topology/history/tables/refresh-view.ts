// Refreshes a refreshable view now.
import type { HistoryClient } from '../client.ts'

/** Resolves when the refresh is done. @throws EngineError, also if the user may not refresh views */
export const refreshView = async ({ database, command }: Pick<HistoryClient, 'database' | 'command'>, view: string): Promise<void> => {
  await command(`SYSTEM REFRESH VIEW ${database}.${view}`)
  await command(`SYSTEM WAIT VIEW ${database}.${view}`)
}
