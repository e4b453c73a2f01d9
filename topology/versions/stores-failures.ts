// Why the stores of a chain cannot be rebuilt, or not now.
import { EngineError } from '../../schemas/errors.ts'

/** Two processes with different addresses would rebuild each other's stores endlessly. */
export const otherMake = (): EngineError =>
  new EngineError(
    'stores_of_other_addresses',
    'another process has rebuilt the stores with other launchpad addresses: set ALT_FACTORIES and ALT_ROUTERS to the same values in all processes, and restart this one',
  )

export const storesBusy = (): EngineError =>
  new EngineError('stores_busy', 'the stores are being rebuilt: retry when the rebuild is done', { retriable: true })

export const rebuiltInVain = (reason: string): EngineError =>
  new EngineError(
    'rebuilt_in_vain',
    `the stores were rebuilt, but the failure recurred: ${reason}; see 'When something is wrong' in deploy/README.md: the remaining option is mintfold dead-letters redrive`,
    { facts: { reason } },
  )
