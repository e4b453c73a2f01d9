// Layouts of all events of the launchpad's programs as data: fields in wire order, little endian, after the 8-byte discriminator. `|` ends
// a generation of the layout: programs only append. Sources: the programs' IDLs of 2026-05 and 2026-09 (the admin's creator events are in
// the former only); newer than both, from October 2026: creator_fee_unclaimed, depth, PostCompleteBuyEvent (checked against two real
// events), SweepBondingCurveFeeEvent and SweepPoolFeeEvent (as third parties decode them, no sample seen).
import { hash } from 'node:crypto'
import type { ProgramName } from '../programs.ts'

/** The wire format of a field: keysN is N keys in a row, shareholders a Vec of (key, u16), str a u32 length and bytes. */
type FieldType = 'u8' | 'u16' | 'u64' | 'i64' | 'i128' | 'bool' | 'key' | 'str' | 'shareholders' | 'keys7' | 'keys8'

export interface Field {
  readonly name: string
  readonly type: FieldType
}

/** The layout of one event with all its generations, the newest last. */
export interface Layout {
  readonly program: ProgramName
  readonly event: string
  /** First 8 bytes of sha256("event:" + name), hex. */
  readonly discriminator: string
  readonly fields: readonly Field[]
  /** How many fields are complete at the end of each generation. */
  readonly boundaries: readonly number[]
}

const PUMP_EVENTS = `
AddQuoteControlMintEvent quote_control:key authority:key quote_mint:key initial_virtual_quote_reserves:u64 timestamp:i64
AdminCtoEvent timestamp:i64 authority:key mint:key bonding_curve:key old_creator:key new_creator:key is_holder_reward:bool
  is_cashback_coin:bool old_creator_fee_bps:u64 new_creator_fee_bps:u64 sharing_config_reset:bool swept_to_holder_vault:u64
  pool_updated:bool
AdminSetCreatorEvent timestamp:i64 admin_set_creator_authority:key mint:key bonding_curve:key old_creator:key new_creator:key
AdminSetIdlAuthorityEvent idl_authority:key
AdminUpdateTokenIncentivesEvent start_time:i64 end_time:i64 day_number:u64 token_supply_per_day:u64 mint:key seconds_in_a_day:i64
  timestamp:i64
ClaimCashbackEvent user:key amount:u64 timestamp:i64 total_claimed:u64 total_cashback_earned:u64
ClaimTokenIncentivesEvent user:key mint:key amount:u64 timestamp:i64 total_claimed_tokens:u64 current_sol_volume:u64
CloseUserVolumeAccumulatorEvent user:key timestamp:i64 total_unclaimed_tokens:u64 total_claimed_tokens:u64 current_sol_volume:u64
  last_update_timestamp:i64
CollectCreatorFeeEvent timestamp:i64 creator:key creator_fee:u64 quote_mint:key
CompleteEvent user:key mint:key bonding_curve:key timestamp:i64 | quote_mint:key |
CompletePumpAmmMigrationEvent user:key mint:key mint_amount:u64 sol_amount:u64 pool_migration_fee:u64 bonding_curve:key timestamp:i64
  pool:key | quote_mint:key |
CreateEvent name:str symbol:str uri:str mint:key bonding_curve:key user:key | creator:key timestamp:i64 virtual_token_reserves:u64
  virtual_sol_reserves:u64 real_token_reserves:u64 token_total_supply:u64 | token_program:key is_mayhem_mode:bool is_cashback_enabled:bool
  | quote_mint:key virtual_quote_reserves:u64 | creator_fee_bps:u64 | is_holder_reward:bool | depth:u8 |
DistributeCreatorFeesEvent timestamp:i64 mint:key bonding_curve:key sharing_config:key admin:key shareholders:shareholders distributed:u64
  quote_mint:key
DistributeFeeToHoldersEvent timestamp:i64 mint:key quote_mint:key recipients:u64 total:u64
ExtendAccountEvent account:key user:key current_size:u64 new_size:u64 timestamp:i64
InitUserVolumeAccumulatorEvent payer:key user:key timestamp:i64
MigrateBondingCurveCreatorEvent timestamp:i64 mint:key bonding_curve:key sharing_config:key old_creator:key new_creator:key
MinimumDistributableFeeEvent minimum_required:u64 distributable_fees:u64 can_distribute:bool
PostCompleteBuyEvent user:key mint:key bonding_curve:key quote_mint:key timestamp:i64 base_out:u64 quote_in:u64 fee_basis_points:u64
  fee:u64 creator_fee_basis_points:u64 creator_fee:u64 buyback_fee:u64 pool_base_reserves_before:u64 pool_quote_reserves_before:u64
  pool_base_reserves_after:u64 pool_quote_reserves_after:u64
RemoveQuoteControlMintEvent quote_control:key authority:key quote_mint:key timestamp:i64
ReservedFeeRecipientsEvent timestamp:i64 reserved_fee_recipient:key reserved_fee_recipients:keys7
SetCreatorEvent timestamp:i64 mint:key bonding_curve:key creator:key
SetMetaplexCreatorEvent timestamp:i64 mint:key bonding_curve:key metadata:key creator:key
SetParamsEvent initial_virtual_token_reserves:u64 initial_virtual_sol_reserves:u64 initial_real_token_reserves:u64
  final_real_sol_reserves:u64 token_total_supply:u64 fee_basis_points:u64 withdraw_authority:key enable_migrate:bool
  pool_migration_fee:u64 creator_fee_basis_points:u64 fee_recipients:keys8 timestamp:i64 set_creator_authority:key
  admin_set_creator_authority:key
SetQuoteControlAdminEvent quote_control:key authority:key old_admin:key new_admin:key timestamp:i64
SweepBondingCurveFeeEvent timestamp:i64 mint:key bonding_curve:key quote_mint:key recipient:key amount:u64 bucket:u8
SyncUserVolumeAccumulatorEvent user:key total_claimed_tokens_before:u64 total_claimed_tokens_after:u64 timestamp:i64
TradeEvent mint:key sol_amount:u64 token_amount:u64 is_buy:bool user:key timestamp:i64 virtual_sol_reserves:u64 virtual_token_reserves:u64
  | real_sol_reserves:u64 real_token_reserves:u64 | fee_recipient:key fee_basis_points:u64 fee:u64 creator:key
  creator_fee_basis_points:u64 creator_fee:u64 | track_volume:bool total_unclaimed_tokens:u64 total_claimed_tokens:u64
  current_sol_volume:u64 last_update_timestamp:i64 | ix_name:str mayhem_mode:bool cashback_fee_basis_points:u64 cashback:u64 |
  buyback_fee_basis_points:u64 buyback_fee:u64 | shareholders:shareholders quote_mint:key quote_amount:u64 virtual_quote_reserves:u64
  real_quote_reserves:u64 | holder_rewards_bps:u64 holder_rewards:u64 | creator_fee_unclaimed:u64 |
UpdateCreatorFeeConfigEvent timestamp:i64 authority:key creator_fee_configurable:bool max_configurable_creator_fee_bps:u64
UpdateGlobalAuthorityEvent global:key authority:key new_authority:key timestamp:i64
UpdateMayhemVirtualParamsEvent timestamp:i64 mint:key virtual_token_reserves:u64 virtual_sol_reserves:u64 new_virtual_token_reserves:u64
  new_virtual_sol_reserves:u64 real_token_reserves:u64 real_sol_reserves:u64
`

const AMM_EVENTS = `
AdminCtoPoolEvent timestamp:i64 base_mint:key pool:key old_coin_creator:key new_coin_creator:key is_holder_reward:bool
  is_cashback_coin:bool old_creator_fee_bps:u64 new_creator_fee_bps:u64
AdminSetCoinCreatorEvent timestamp:i64 admin_set_coin_creator_authority:key base_mint:key pool:key old_coin_creator:key
  new_coin_creator:key
AdminUpdateTokenIncentivesEvent start_time:i64 end_time:i64 day_number:u64 token_supply_per_day:u64 mint:key seconds_in_a_day:i64
  timestamp:i64
BoostBuyAndBurnEvent timestamp:i64 mint:key bonding_curve:key pool:key authority:key quote_amount_in_requested:u64
  quote_amount_in_used:u64 base_amount_burned:u64 virtual_quote_reserves:i128 real_quote_reserves_after:u64 base_reserves_after:u64
  boost_vault_remaining:u64
BuyEvent timestamp:i64 base_amount_out:u64 max_quote_amount_in:u64 user_base_token_reserves:u64 user_quote_token_reserves:u64
  pool_base_token_reserves:u64 pool_quote_token_reserves:u64 quote_amount_in:u64 lp_fee_basis_points:u64 lp_fee:u64
  protocol_fee_basis_points:u64 protocol_fee:u64 quote_amount_in_with_lp_fee:u64 user_quote_amount_in:u64 pool:key user:key
  user_base_token_account:key user_quote_token_account:key protocol_fee_recipient:key protocol_fee_recipient_token_account:key |
  coin_creator:key coin_creator_fee_basis_points:u64 coin_creator_fee:u64 | track_volume:bool total_unclaimed_tokens:u64
  total_claimed_tokens:u64 current_sol_volume:u64 last_update_timestamp:i64 min_base_amount_out:u64 ix_name:str |
  cashback_fee_basis_points:u64 cashback:u64 | buyback_fee_basis_points:u64 buyback_fee:u64 virtual_quote_reserves:i128 can_boost:bool
  base_supply:u64 | holder_rewards_bps:u64 holder_rewards:u64 | creator_fee_unclaimed:u64
ClaimCashbackEvent user:key amount:u64 timestamp:i64 total_claimed:u64 total_cashback_earned:u64
ClaimTokenIncentivesEvent user:key mint:key amount:u64 timestamp:i64 total_claimed_tokens:u64 current_sol_volume:u64
CloseUserVolumeAccumulatorEvent user:key timestamp:i64 total_unclaimed_tokens:u64 total_claimed_tokens:u64 current_sol_volume:u64
  last_update_timestamp:i64
CollectCoinCreatorFeeEvent timestamp:i64 coin_creator:key coin_creator_fee:u64 coin_creator_vault_ata:key coin_creator_token_account:key
CreateConfigEvent timestamp:i64 admin:key lp_fee_basis_points:u64 protocol_fee_basis_points:u64 protocol_fee_recipients:keys8
  coin_creator_fee_basis_points:u64 admin_set_coin_creator_authority:key
CreatePoolEvent timestamp:i64 index:u16 creator:key base_mint:key quote_mint:key base_mint_decimals:u8 quote_mint_decimals:u8
  base_amount_in:u64 quote_amount_in:u64 pool_base_amount:u64 pool_quote_amount:u64 minimum_liquidity:u64 initial_liquidity:u64
  lp_token_amount_out:u64 pool_bump:u8 pool:key lp_mint:key user_base_token_account:key user_quote_token_account:key | coin_creator:key |
  is_mayhem_mode:bool | creator_fee_bps:u64 can_edit_creator_fee:bool is_holder_reward:bool |
DepositEvent timestamp:i64 lp_token_amount_out:u64 max_base_amount_in:u64 max_quote_amount_in:u64 user_base_token_reserves:u64
  user_quote_token_reserves:u64 pool_base_token_reserves:u64 pool_quote_token_reserves:u64 base_amount_in:u64 quote_amount_in:u64
  lp_mint_supply:u64 pool:key user:key user_base_token_account:key user_quote_token_account:key user_pool_token_account:key
DisableEvent timestamp:i64 admin:key disable_create_pool:bool disable_deposit:bool disable_withdraw:bool disable_buy:bool
  disable_sell:bool
ExtendAccountEvent timestamp:i64 account:key user:key current_size:u64 new_size:u64
InitBoostEvent timestamp:i64 mint:key bonding_curve:key pool:key virtual_quote_reserves:i128 real_quote_reserves_after:u64
InitUserVolumeAccumulatorEvent payer:key user:key timestamp:i64
MigratePoolCoinCreatorEvent timestamp:i64 base_mint:key pool:key sharing_config:key old_coin_creator:key new_coin_creator:key
ReservedFeeRecipientsEvent timestamp:i64 reserved_fee_recipient:key reserved_fee_recipients:keys7
SellEvent timestamp:i64 base_amount_in:u64 min_quote_amount_out:u64 user_base_token_reserves:u64 user_quote_token_reserves:u64
  pool_base_token_reserves:u64 pool_quote_token_reserves:u64 quote_amount_out:u64 lp_fee_basis_points:u64 lp_fee:u64
  protocol_fee_basis_points:u64 protocol_fee:u64 quote_amount_out_without_lp_fee:u64 user_quote_amount_out:u64 pool:key user:key
  user_base_token_account:key user_quote_token_account:key protocol_fee_recipient:key protocol_fee_recipient_token_account:key |
  coin_creator:key coin_creator_fee_basis_points:u64 coin_creator_fee:u64 | cashback_fee_basis_points:u64 cashback:u64 |
  buyback_fee_basis_points:u64 buyback_fee:u64 virtual_quote_reserves:i128 can_boost:bool base_supply:u64 | holder_rewards_bps:u64
  holder_rewards:u64 | creator_fee_unclaimed:u64 |
SetBondingCurveCoinCreatorEvent timestamp:i64 base_mint:key pool:key bonding_curve:key coin_creator:key
SetBoostAuthorityEvent timestamp:i64 admin:key old_boost_authority:key new_boost_authority:key
SetMetaplexCoinCreatorEvent timestamp:i64 base_mint:key pool:key metadata:key coin_creator:key
SweepPoolFeeEvent timestamp:i64 pool:key base_mint:key quote_mint:key recipient:key payer:key amount:u64 bucket:u8
SyncUserVolumeAccumulatorEvent user:key total_claimed_tokens_before:u64 total_claimed_tokens_after:u64 timestamp:i64
UpdateAdminEvent timestamp:i64 admin:key new_admin:key
UpdateCreatorFeeConfigEvent timestamp:i64 admin:key creator_fee_configurable:bool max_configurable_creator_fee_bps:u64
UpdateFeeConfigEvent timestamp:i64 admin:key lp_fee_basis_points:u64 protocol_fee_basis_points:u64 protocol_fee_recipients:keys8
  coin_creator_fee_basis_points:u64 admin_set_coin_creator_authority:key
WithdrawEvent timestamp:i64 lp_token_amount_in:u64 min_base_amount_out:u64 min_quote_amount_out:u64 user_base_token_reserves:u64
  user_quote_token_reserves:u64 pool_base_token_reserves:u64 pool_quote_token_reserves:u64 base_amount_out:u64 quote_amount_out:u64
  lp_mint_supply:u64 pool:key user:key user_base_token_account:key user_quote_token_account:key user_pool_token_account:key
`

const parseLayout = (program: ProgramName, line: string): Layout => {
  const [event = '', ...words] = line.split(' ')
  const fields: Field[] = []
  const boundaries: number[] = []
  for (const word of words) {
    const [name = '', type] = word.split(':')
    if (word === '|') boundaries.push(fields.length)
    else fields.push({ name, type: type as FieldType })
  }
  const discriminator = hash('sha256', `event:${event}`).slice(0, 16)
  return { program, event, discriminator, fields, boundaries }
}

/** A line is an event; lines that start with spaces continue it. */
const parseTable = (program: ProgramName, table: string): readonly Layout[] =>
  table
    .replaceAll('\n  ', ' ')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseLayout(program, line))

/** Every known event of both programs. */
export const LAYOUTS: readonly Layout[] = [...parseTable('pump', PUMP_EVENTS), ...parseTable('pump_amm', AMM_EVENTS)]

const byDiscriminator: Readonly<Record<ProgramName, ReadonlyMap<string, Layout>>> = {
  pump: new Map(LAYOUTS.filter(({ program }) => program === 'pump').map((layout) => [layout.discriminator, layout])),
  pump_amm: new Map(LAYOUTS.filter(({ program }) => program === 'pump_amm').map((layout) => [layout.discriminator, layout])),
}

/** The layout of a program's event by its discriminator (hex). The program is needed because both programs have events of the same name. */
export const findLayout = (program: ProgramName, discriminator: string): Layout | undefined => byDiscriminator[program].get(discriminator)
