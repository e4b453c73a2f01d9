// A thin card's `onchain`. Read from accounts when the answer is made, not folded from events.
import { z } from 'zod'
import { HAZARDS } from '../../processors/mint/card/hazards.ts'
import { COMPLETION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { sol as inSol } from './states.ts'
import { address, boolean, count, fields, share, sol, text, tokens } from './vocabulary.ts'

const hazardWords = Object.entries(HAZARDS).map(([code, words]) => `${code}: ${words}`)

const extension = fields({
  name: text.describe('which'),
  basis_points: count.optional().describe('transfer_fee: hundredths of a percent of each transfer, from from_epoch on'),
  from_epoch: count.optional().describe('transfer_fee: epoch of the chain in which it begins or began'),
  before_basis_points: count.optional().describe('transfer_fee: before that epoch'),
  max_ui: tokens.optional().describe('transfer_fee: of one transfer at most, coins'),
  authority: address.nullable().optional().describe('who may change it'),
  program: address.nullable().optional().describe('transfer_hook: program that every transfer calls'),
  delegate: address.nullable().optional().describe('permanent_delegate: who may move or burn coins of any holder'),
  frozen: boolean.optional().describe('default_account_state: coins of new holders are frozen'),
  paused: boolean.optional().describe('pausable: transfers are stopped now'),
})

const launchpad = fields({
  is_launchpad: boolean.nullable().describe('the launchpad has a bonding curve for it'),
  bonding_curve: address.describe('where that account is, or would be'),
  complete: boolean.nullable().describe('the curve sold its last token'),
  real_sol_reserves_sol: sol.nullable().describe('real SOL of the curve; 0 once it has migrated'),
  virtual_sol_reserves_sol: sol.nullable().describe('virtual SOL of the curve; 0 once it has migrated'),
  progress: share
    .nullable()
    .describe(`as curve.progress: real SOL / ${inSol(COMPLETION_LAMPORTS)}, or share of tokens sold; 1 once complete`),
  price_sol_per_token: sol.nullable().describe('SOL of a coin by the virtual reserves, without fees'),
  market_cap_sol: sol.nullable().describe('price_sol_per_token * supply_ui'),
  creator: address.nullable().describe('creator named by the account, whose fees go there'),
  cashback_enabled: boolean.nullable().describe('fees of the creator go to traders'),
  is_mayhem_supply: boolean.nullable().describe('launched in mayhem mode: an agent holds as many coins again'),
  quote_mint: address.nullable().describe('what the curve is paired with'),
})

export const onchain = fields({
  slot: count.describe('slot of which it is'),
  exists: boolean.describe('there is an account at the address'),
  is_token_mint: boolean.nullable().describe('the account is a mint of one of the two token programs; null where its bytes cannot be read'),
  name: text.nullable().describe('untrusted text of the creator, where the mint account itself holds it'),
  symbol: text.nullable().describe('as onchain.name'),
  token_program: address.nullable().describe('program of the mint'),
  decimals: count.nullable().describe('digits of a coin behind the point'),
  supply_ui: tokens.nullable().describe('coins there are'),
  mint_authority: address.nullable().describe('who may mint more'),
  freeze_authority: address.nullable().describe('who may freeze coins of a holder'),
  hazards: z
    .array(z.enum(Object.keys(HAZARDS)))
    .nullable()
    .describe(`what others may do to holders, by authorities and extensions of the mint; empty: none known. ${hazardWords.join('; ')}`),
  extensions: z.array(extension).nullable().describe('extensions of a Token-2022 mint; those unknown to this version are type_N'),
  launchpad: launchpad.nullable().describe('the bonding curve account of the mint'),
})
  .nullable()
  .describe('thin: state of the mint and curve accounts, as one node gave it; null where no node was asked or answered')
