// Schema of a thin card's `onchain`: account state read when the answer is made, not derived from events.
import * as z from 'zod'
import { HAZARDS } from '../../processors/mint/card/hazards.ts'
import { COMPLETION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { sol as inSol } from './states.ts'
import { address, boolean, count, fields, share, sol, text, tokens } from './vocabulary.ts'

const hazardText = Object.entries(HAZARDS).map(([code, words]) => `${code}: ${words}`)

const extension = fields({
  name: text.describe('name of the extension'),
  basis_points: count.optional().describe('transfer_fee: fee in basis points of each transfer from from_epoch on'),
  from_epoch: count.optional().describe('transfer_fee: epoch of the chain from which basis_points applies'),
  before_basis_points: count.optional().describe('transfer_fee: fee in basis points before from_epoch'),
  max_ui: tokens.optional().describe('transfer_fee: maximum fee of one transfer, tokens'),
  authority: address.nullable().optional().describe('authority that can change the extension'),
  program: address.nullable().optional().describe('transfer_hook: program called by every transfer'),
  delegate: address.nullable().optional().describe('permanent_delegate: authority that can move or burn tokens of any holder'),
  frozen: boolean.optional().describe('default_account_state: accounts of new holders are frozen'),
  paused: boolean.optional().describe('pausable: transfers are paused now'),
})

const launchpad = fields({
  is_launchpad: boolean.nullable().describe('the launchpad has a bonding curve for the mint'),
  bonding_curve: address.describe('address of the bonding curve account, whether it exists or not'),
  complete: boolean.nullable().describe('the curve sold its last token'),
  real_sol_reserves_sol: sol.nullable().describe('real SOL of the curve; 0 after migration'),
  virtual_sol_reserves_sol: sol.nullable().describe('virtual SOL of the curve; 0 after migration'),
  progress: share
    .nullable()
    .describe(`as curve.progress: real SOL / ${inSol(COMPLETION_LAMPORTS)}, or share of tokens sold; 1 after completion`),
  price_sol_per_token: sol.nullable().describe('SOL per token by the virtual reserves, without fees'),
  market_cap_sol: sol.nullable().describe('price_sol_per_token * supply_ui'),
  creator: address.nullable().describe('creator named in the curve account, who receives the creator fees'),
  cashback_enabled: boolean.nullable().describe('creator fees go to traders'),
  is_mayhem_supply: boolean.nullable().describe('launched in mayhem mode: an agent holds additional tokens equal to the supply'),
  quote_mint: address.nullable().describe('quote token of the curve'),
})

export const onchain = fields({
  slot: count.describe('slot at which the node read the accounts'),
  exists: boolean.describe('there is an account at the address'),
  is_token_mint: boolean.nullable().describe('the account is a mint of one of the two token programs; null if its data cannot be decoded'),
  name: text.nullable().describe('untrusted text of the creator, if the mint account itself contains it'),
  symbol: text.nullable().describe('as onchain.name'),
  token_program: address.nullable().describe('program of the mint'),
  decimals: count.nullable().describe('decimals of the token'),
  supply_ui: tokens.nullable().describe('total supply in tokens'),
  mint_authority: address.nullable().describe('authority that can mint more'),
  freeze_authority: address.nullable().describe("authority that can freeze a holder's tokens"),
  hazards: z
    .array(z.enum(Object.keys(HAZARDS)))
    .nullable()
    .describe(`hazards to holders from authorities and extensions of the mint; empty: none known. ${hazardText.join('; ')}`),
  extensions: z.array(extension).nullable().describe('extensions of a Token-2022 mint; those unknown to this version are type_N'),
  launchpad: launchpad.nullable().describe('the bonding curve account of the mint'),
})
  .nullable()
  .describe('thin: state of the mint and curve accounts, read from one node; null if no node was queried or none responded')
