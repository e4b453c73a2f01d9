// What a source and payments need beside themselves, and which of it is not set.
import { UsageError } from '../command.ts'
import { LIVE, LIVE_ALT } from './source-options.ts'

interface Given {
  readonly SOLANA_RPC_URL?: string | undefined
  readonly SOLANA_GRPC_URL?: string | undefined
  readonly ALT_RPC_URL?: string | undefined
  readonly X402_FACILITATOR_URL?: string | undefined
  readonly X402_PAY_TO?: string | undefined
}

/** All at once: who tries the live chain first lacks most of it. @throws UsageError */
export const refuseLacking = (given: Given, source: string, isPaid: boolean): void => {
  const { SOLANA_RPC_URL, SOLANA_GRPC_URL, ALT_RPC_URL, X402_FACILITATOR_URL, X402_PAY_TO } = given
  const lacking: string[] = []
  if (source === LIVE && SOLANA_RPC_URL === undefined && SOLANA_GRPC_URL === undefined)
    lacking.push('--source live needs a node of the chain: set SOLANA_GRPC_URL (preferred), SOLANA_RPC_URL, or both')
  if (source === LIVE_ALT && ALT_RPC_URL === undefined) lacking.push(`--source ${LIVE_ALT} needs a node of the chain: set ALT_RPC_URL`)
  const missing = Object.entries({ X402_FACILITATOR_URL, X402_PAY_TO }).flatMap(([name, value]) => (value === undefined ? [name] : []))
  if (isPaid && missing.length > 0) {
    const are = missing.length === 1 ? 'which is not set: set it' : 'which are not set: set them'
    lacking.push(`payments by facilitator need ${missing.join(' and ')}, ${are}, or MINTFOLD_PAYMENTS=sandbox or off`)
  }
  if (lacking.length > 0) throw new UsageError(lacking.join('; '))
}
