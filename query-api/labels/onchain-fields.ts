// What a thin card's `onchain` means, by dotted path. Read from accounts when the answer is made, not folded from events.
import { HAZARDS } from '../../processors/mint/hazards.ts'
import { COMPLETION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { sol } from './states.ts'

const hazardWords = Object.entries(HAZARDS).map(([code, words]) => `${code}: ${words}`)

export const onchainFields: Readonly<Record<string, string>> = {
  onchain: 'thin: state of the mint and curve accounts, as one node gave it; null where no node was asked or answered',
  'onchain.slot': 'slot of which it is',
  'onchain.exists': 'there is an account at the address',
  'onchain.is_token_mint': 'the account is a mint of one of the two token programs; null where its bytes cannot be read',
  'onchain.name': 'untrusted text of the creator, where the mint account itself holds it',
  'onchain.symbol': 'as onchain.name',
  'onchain.token_program': 'program of the mint',
  'onchain.decimals': 'digits of a coin behind the point',
  'onchain.supply_ui': 'coins there are',
  'onchain.mint_authority': 'who may mint more',
  'onchain.freeze_authority': 'who may freeze coins of a holder',
  'onchain.hazards': `what others may do to holders, by authorities and extensions of the mint; empty: none known. ${hazardWords.join('; ')}`,
  'onchain.extensions': 'extensions of a Token-2022 mint; those unknown to this version are type_N',
  'onchain.extensions[].name': 'which',
  'onchain.extensions[].basis_points': 'transfer_fee: hundredths of a percent of each transfer, from from_epoch on',
  'onchain.extensions[].from_epoch': 'transfer_fee: epoch of the chain in which it begins or began',
  'onchain.extensions[].before_basis_points': 'transfer_fee: before that epoch',
  'onchain.extensions[].max_ui': 'transfer_fee: of one transfer at most, coins',
  'onchain.extensions[].authority': 'who may change it',
  'onchain.extensions[].program': 'transfer_hook: program that every transfer calls',
  'onchain.extensions[].delegate': 'permanent_delegate: who may move or burn coins of any holder',
  'onchain.extensions[].frozen': 'default_account_state: coins of new holders are frozen',
  'onchain.extensions[].paused': 'pausable: transfers are stopped now',
  'onchain.launchpad': 'the bonding curve account of the mint',
  'onchain.launchpad.is_launchpad': 'the launchpad has a bonding curve for it',
  'onchain.launchpad.bonding_curve': 'where that account is, or would be',
  'onchain.launchpad.complete': 'the curve sold its last token',
  'onchain.launchpad.real_sol_reserves_sol': 'real SOL of the curve; 0 once it has migrated',
  'onchain.launchpad.virtual_sol_reserves_sol': 'virtual SOL of the curve; 0 once it has migrated',
  'onchain.launchpad.progress': `as curve.progress: real SOL / ${sol(COMPLETION_LAMPORTS)}, or share of tokens sold; 1 once complete`,
  'onchain.launchpad.price_sol_per_token': 'SOL of a coin by the virtual reserves, without fees',
  'onchain.launchpad.market_cap_sol': 'price_sol_per_token * supply_ui',
  'onchain.launchpad.creator': 'creator named by the account, whose fees go there',
  'onchain.launchpad.cashback_enabled': 'fees of the creator go to traders',
  'onchain.launchpad.is_mayhem_supply': 'launched in mayhem mode: an agent holds as many coins again',
  'onchain.launchpad.quote_mint': 'what the curve is paired with',
}
