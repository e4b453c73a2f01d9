// The port of a sandbox: kept over restarts, because wallet files that clients have copied contain it.
import { EngineError } from '../../schemas/errors.ts'
import { claimPort } from '../history/engine/port.ts'
import type { JsonServer } from './http.ts'
import { readWallet } from './wallet.ts'

/**
 * Listens on the port that `walletFile` names, or else on a free one.
 * @param moved receives a sentence if the port of the wallet file cannot be used.
 */
export const onKeptPort = async (
  walletFile: string,
  listen: (port: number) => Promise<JsonServer>,
  moved: (sentence: string) => void,
): Promise<JsonServer> => {
  const kept = await readWallet(walletFile).then(
    ({ rpcUrl }) => Number(new URL(rpcUrl).port),
    () => 0,
  )
  const server = kept === 0 ? undefined : await listen(kept).catch(unlessInUse)
  if (server !== undefined) return server
  const other = await listen(await claimPort(0))
  if (kept !== 0)
    moved(
      `another program uses port ${kept}, on which the sandbox was: it is now on ${other.origin}, and copies of ${walletFile} need the new rpcUrl`,
    )
  return other
}

const unlessInUse = (error: unknown): undefined => {
  if (error instanceof EngineError && error.code === 'port_in_use') return undefined
  throw error
}
