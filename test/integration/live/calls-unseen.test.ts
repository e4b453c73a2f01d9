// A node that records logs but no inner calls: the market is the same, without what only inner calls tell.
import { frameOfBlock } from '../../../processors/chains/solana/make-frames.ts'
import type { SourceTransaction } from '../../../processors/chains/solana/source-transaction.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { Replay } from '../../../topology/runtime/replay.ts'
import { CoinBook } from '../../../topology/simulator/solana/bytes/coins.ts'
import { ANY_MINT } from '../../../topology/simulator/solana/bytes/tape-moves.ts'
import { blockOf } from '../../fixtures/chain-blocks.ts'
import { demoSlots } from '../../fixtures/demo-tape.ts'
import { logOf } from '../../fixtures/losses/kinds.ts'

const BOOK = new CoinBook()
const BLOCKS = [...demoSlots({ seed: 2, rate: 2, seconds: 240 })].map((slot) => blockOf(slot, BOOK))

const cardsOf = (change: (tx: SourceTransaction) => SourceTransaction) => {
  const folds = new Replay(LAUNCH_RISK)
  for (const block of BLOCKS) {
    const { parentSlot: parentNumber, parentHash } = block
    const transactions = block.transactions.map((tx) => (tx.failure === null ? change(tx) : tx))
    const frame = frameOfBlock({ ...block, whole: true, errors: [], transactions }, 'finalized', () => ANY_MINT)
    folds.frame({ ...frame, parentNumber, parentHash })
  }
  return { cards: folds.cards(), moment: folds.moment, deadLetters: folds.deadLetters }
}

type Evidence = ReturnType<Replay['cards']>[number]['evidence']
const holdersOf = (evidence: Evidence) => (evidence.coverage === 'full' ? evidence.holders : {})

const plain = cardsOf((tx) => tx)

test.each([
  ['null', null],
  ['an empty list', []],
] as const)('inner calls that are %s give the same cards, without insider figures, with the reason', (_what, inner) => {
  const unseen = cardsOf((tx) => ({ ...tx, logs: logOf(tx), inner }))
  expect([plain.deadLetters, unseen.deadLetters]).toEqual([0, 0])
  expect(unseen.moment?.callsUnseenAt).toBe(unseen.moment?.asOf)
  expect(plain.moment?.callsUnseenAt).toBe(null)
  const full = plain.cards.filter(({ evidence }) => evidence.coverage === 'full')
  expect(full.length).toBeGreaterThan(2)
  expect(full.filter(({ evidence }) => 'n_insider_wallets' in holdersOf(evidence)).length).toBe(full.length)
  for (const [n, { mint, evidence }] of unseen.cards.entries()) {
    const before = plain.cards[n]
    expect(mint).toBe(before?.mint)
    if (evidence.coverage !== 'full' || before?.evidence.coverage !== 'full') continue
    const { curve, demand, flags } = before.evidence
    expect(evidence).toMatchObject({ curve, demand, flags })
    expect(evidence.holders).toMatchObject({ insider_share: null, insider_share_reason: expect.stringContaining('are unseen') })
    expect(Object.keys(evidence.holders)).not.toContain('n_insider_wallets')
    expect(Object.keys(evidence.holders)).not.toContain('insiders')
    const { n_holders, top5_share, dev_share, bundle_share } = before.evidence.holders
    expect(evidence.holders).toMatchObject({ n_holders, top5_share, dev_share, bundle_share })
  }
})
