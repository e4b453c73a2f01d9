// A gate that reports its sales to the observer, for all transports.
import { unreachable } from '../../schemas/errors.ts'
import type { ApiObserver, SaleWord } from '../../topology/ports/observer.ts'
import type { PaymentGate, Refusal, SaleOutcome } from '../payment/gate.ts'

export const observedGate = (gate: PaymentGate, observer: ApiObserver): PaymentGate => ({
  mode: gate.mode,
  quote: (inquiry) => gate.quote(inquiry),
  knows: (payment) => gate.knows(payment),
  close: (withinMs) => gate.close(withinMs),
  sell: async (sale) => {
    const startedMs = performance.now()
    const outcome = await gate.sell(sale)
    observer.sale(wordOf(outcome), performance.now() - startedMs)
    return outcome
  },
})

const wordOf = (outcome: SaleOutcome): SaleWord => {
  switch (outcome.kind) {
    case 'sold':
      return outcome.isReplayed ? 'replayed' : 'settled'
    case 'given':
      return 'given'
    case 'asked':
      return outcome.failed === undefined ? 'asked' : 'failed'
    case 'refused':
      return refusedWord(outcome)
    default:
      return unreachable(outcome)
  }
}

const refusedWord = ({ status, charged }: Refusal): SaleWord => {
  if (charged === null) return 'uncertain'
  return status === 400 ? 'unreadable' : status === 409 ? 'conflict' : 'unavailable'
}
