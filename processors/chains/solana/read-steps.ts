// Parses the transactions of a block a few at a time: a block takes 100 ms, and the caller can yield between steps.
import type { Parsed } from '../../../schemas/errors.ts'
import type { SourceBlock, SourceError, SourceTransaction } from './source-transaction.ts'

/** One step takes below 2 ms. */
const TRANSACTIONS_A_STEP = 8

/** All transactions in block order; those that cannot be parsed are in `errors`. */
export const readSteps = function* <Given>(
  all: readonly Given[],
  read: (given: Given, index: number) => Parsed<SourceTransaction>,
): Generator<void, Pick<SourceBlock, 'transactions' | 'errors'>, void> {
  const transactions: SourceTransaction[] = []
  const errors: SourceError[] = []
  for (const [index, given] of all.entries()) {
    const parsed = read(given, index)
    if (parsed.ok) transactions.push(parsed.value)
    else errors.push({ index, code: 'bad_transaction', reason: parsed.reason })
    if (index % TRANSACTIONS_A_STEP === TRANSACTIONS_A_STEP - 1) yield
  }
  return { transactions, errors }
}

export const atOnce = <Result>(steps: Generator<void, Result, void>): Result => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
