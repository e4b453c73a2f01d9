// The tape events of a simulated transaction that are not launchpad events: SOL paid to wallets, coins sent between wallets.
import { MAYHEM_AGENT } from '../../../../processors/chains/solana/programs.ts'
import { isWallet } from '../../../../processors/chains/solana/wallet-key.ts'
import type { InLong } from '../../../../schemas/amount.ts'
import { TILDE } from '../../../../schemas/position.ts'
import type { Balance, Transfer } from '../../../../schemas/types.ts'
import type { DemoInstruction, DemoTransaction } from '../market-types.ts'

/** Smaller payments are not funding. Deliberately duplicated from frames: the demo's tape must not depend on code it is compared with. */
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

/** The launch of a mayhem coin mints its supply a second time, to the agent. */
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

/** In position order within the transaction. A transaction sends coins at most once, and never together with a launchpad instruction. */
export const movesOf = (tx: DemoTransaction): readonly InLong<Transfer | Balance>[] => {
  const payments = tx.instructions.flatMap((one, outer) => (one.kind === 'transfer' ? paid(tx, one, outer) : []))
  const coins = tx.instructions.find(transferred)
  return coins === undefined ? [...payments, ...mintedToAgent(tx)] : [...payments, ...sent(tx, coins)]
}

/** Matches every mint: all coins that the demo sends were launched on the launchpad. */
export const ANY_MINT = { has: (_mint: string): boolean => true }
