// How far a recomputation reads the tape.
import { solana } from '../../../processors/chains/solana/chain.ts'
import type { FindingId } from '../../../schemas/position.ts'
import type { TapeEvent } from '../../../schemas/types.ts'
import { type Batch, type FindingConclusion, Recompute } from '../../../topology/operations/explain/recompute.ts'
import { key } from '../query-api/given-mint.ts'

const AT = { chain: 'solana', number: 10, tx: 0, outer: 0, inner: 0 } as const
const MINT = key(1)
const subject = { processor: 'mint', see: () => ({}), kindOf: (name: string) => name, unitsOf: () => ({ quote: null, tokenDecimals: 6 }) }

/** Number of the frame after which the recomputation is done; null if it reads to the end. The mint trades in every frame. */
const doneAfter = (firesAt: number | null): number | null => {
  const wanted = { id: 'x' as FindingId, at: AT, detector: 'd', mint: 'm', key: MINT }
  const finding = { body: { type: 'finding', mint: MINT, detector: 'd' } } as FindingConclusion
  const folds = { batch: (tape: Batch) => ({ tape, conclusions: tape.number === firesAt ? [finding] : [] }) }
  const work = new Recompute(solana, subject, () => folds, [wanted])
  for (let number = 1; number <= 5_000; number += 1) {
    const event = { type: 'trade', mint: MINT, tx: 0, outer: 0, inner: 0 } as TapeEvent
    work.take({ chain: 'solana', number, hash8: 'a', events: [event] } as unknown as Batch)
    if (work.isDone) return number
  }
  return null
}

test.each([
  ['fires at the position', 10, 10],
  ['fires before it', 3, 10],
  ['fires later', 400, 400],
  ['never fires', null, 1_010],
])('reads to the finding, and further only while the detector has not fired, up to 1,000 slots: it %s', (_, firesAt, last) => {
  expect(doneAfter(firesAt)).toBe(last)
})
