import { observedGate } from '../../../query-api/http/observed-gate.ts'
import type { PaymentGate, Refusal, Sale, SaleOutcome } from '../../../query-api/payment/gate.ts'

const sale = {} as Sale
const answer = { status: 200, type: 'application/json', bodyBase64: '' }
const receipt = { success: true, transaction: 't', network: 'solana:test' as const }
const body = { x402Version: 2, error: '', resource: { url: '' }, accepts: [], extensions: {} }
const refused = (status: Refusal['status'], charged: false | null): Refusal => ({
  ...{ kind: 'refused', error: 'payment_busy', hint: '' },
  ...{ status, charged },
})
const gateOf = (outcome: SaleOutcome): PaymentGate => ({
  ...{ mode: 'sandbox', sell: async () => outcome, quote: async () => ({ kind: 'asked', body }) },
  ...{ knows: () => false, close: async () => undefined },
})

test.each<[string, SaleOutcome]>([
  ['settled', { kind: 'sold', answer, receipt, isReplayed: false, madeAtMs: 0 }],
  ['replayed', { kind: 'sold', answer, receipt, isReplayed: true, madeAtMs: 0 }],
  ['given', { kind: 'given', answer: { status: 200, body: '{}' } }],
  ['asked', { kind: 'asked', body }],
  ['failed', { kind: 'asked', body, failed: receipt }],
  ['uncertain', refused(409, null)],
  ['conflict', refused(409, false)],
  ['unreadable', refused(400, false)],
  ['unavailable', refused(503, false)],
])('a sale with this outcome is counted as %s', async (name, outcome) => {
  const outcomes: string[] = []
  const gate = observedGate(gateOf(outcome), {
    request: () => {},
    limited: () => {},
    streams: () => {},
    sale: (counted) => outcomes.push(counted),
  })
  expect(await gate.sell(sale)).toBe(outcome)
  expect(outcomes).toEqual([name])
})
