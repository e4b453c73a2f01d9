// What of a simulated transaction the tape tells beside the launchpad's events: SOL paid to wallets, coins sent from wallet to wallet.
import { MAYHEM_AGENT } from '../../../../processors/chains/solana/programs.ts'
import { isWallet } from '../../../../processors/chains/solana/wallet-key.ts'
import type { InLong } from '../../../../schemas/amount.ts'
import { TILDE } from '../../../../schemas/position.ts'
import type { Balance, Transfer } from '../../../../schemas/types.ts'
import type { DemoInstruction, DemoTransaction } from '../market-types.ts'

/** Smaller payments fund nobody: the frame's own limit, said again because the demo's tape must not rest on what it is compared with. */
const FUNDING_LAMPORTS_MIN = 100_000_000

type Of<Kind extends DemoInstruction['kind']> = Extract<DemoInstruction, { kind: Kind }>

const paid = (
  { index: tx, signature }: DemoTransaction,
  { source, target, lamports }: Of<'transfer'>,
  outer: number,
): InLong<Transfer>[] =>
  lamports < FUNDING_LAMPORTS_MIN || source === target || !isWallet(target)
    ? []
    : [{ type: 'transfer', tx, outer, inner: 0, signature, timestamp: null, funder: source, wallet: target, amountLamports: lamports }]

const sent = ({ index: tx, signature }: DemoTransaction, { mint, source, target, units }: Of<'tokenTransfer'>): InLong<Balance>[] => {
  const head = { type: 'balance' as const, tx, outer: TILDE, signature, mint, timestamp: null, traded: false }
  const gone = { ...head, inner: 0, owner: source, units: -units, isWallet: false, fromWallets: false, sender: null }
  const come = { ...head, inner: 0, owner: target, units, isWallet: isWallet(target), fromWallets: isWallet(source), sender: source }
  return source < target ? [gone, { ...come, inner: 1 }] : [come, { ...gone, inner: 1 }]
}

const transferred = (instruction: DemoInstruction): instruction is Of<'tokenTransfer'> => instruction.kind === 'tokenTransfer'

/** A mayhem coin has as much again as its launch says, minted to the agent in the launch. */
const mintedToAgent = ({ index: tx, signature, instructions }: DemoTransaction): InLong<Balance>[] =>
  instructions
    .flatMap((one) => (one.kind === 'launchpad' ? one.events : []))
    .flatMap((event) => {
      if (event.type !== 'launch' || !event.mayhem) return []
      const said = { isWallet: false, fromWallets: false, sender: null, traded: false, timestamp: null }
      return [
        {
          type: 'balance',
          tx,
          outer: TILDE,
          inner: 0,
          signature,
          mint: event.mint,
          owner: MAYHEM_AGENT,
          units: event.supplyUnits ?? 0,
          ...said,
        },
      ]
    })

/** In position order within the transaction. Coins are sent at most once in one, and never beside the launchpad. */
export const movesOf = (tx: DemoTransaction): readonly InLong<Transfer | Balance>[] => {
  const payments = tx.instructions.flatMap((one, outer) => (one.kind === 'transfer' ? paid(tx, one, outer) : []))
  const coins = tx.instructions.find(transferred)
  return coins === undefined ? [...payments, ...mintedToAgent(tx)] : [...payments, ...sent(tx, coins)]
}

/** Coins of the demo: every one that is sent without the launchpad was launched there. */
export const ANY_MINT = { has: (_mint: string): boolean => true }
