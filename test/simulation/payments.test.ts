// Faults at every point of a payment. `npm run soak -- payments 2000 SEED` runs more; PAYMENTS_SEED repeats one.
import { memoryStore, runPayments } from '../soak/payments.ts'

const SEEDS = 100
const from = Number(process.env.PAYMENTS_SEED ?? 1)

test(`no payment is charged twice, no paid answer is free, and every payment ends, in ${SEEDS} seeds from ${from}`, async () => {
  const report = await runPayments({
    seeds: SEEDS,
    from,
    openStore: memoryStore,
    shops: 1,
    print: (line) => process.stderr.write(`${line}\n`),
  })
  process.stderr.write(`payments: ${JSON.stringify(report)}\n`)
  expect(report.failures).toEqual([])
  expect(report.never).toEqual([])
})
