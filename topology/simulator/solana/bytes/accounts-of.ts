// The accounts of each instruction, in the programs' order (IDLs of 2026-09, plus the accounts that recorded transactions append).
import { MAYHEM_AGENT, PUMP, PUMP_AMM, WSOL } from '../../../../processors/chains/solana/programs.ts'
import { assert } from '../../../../schemas/errors.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { LaunchpadInstruction } from '../market-types.ts'
import { derived, FIXED, tokenAccount } from './addresses.ts'
import type { Coin } from './coins.ts'

/** The coin and the user of an instruction. */
export interface Scene {
  readonly coin: Coin
  readonly user: Key
  /** False if the coin is the pool's quote side and SOL its base. */
  readonly coinIsBase: boolean
}

const AMM_TRADE = `pool user ammGlobalConfig base quote userBase userQuote poolBase poolQuote feeRecipient feeRecipientQuote baseProgram
  quoteProgram system associatedToken ammEventAuthority amm poolCreatorQuote poolCreatorAuthority`
const LIQUIDITY = `pool ammGlobalConfig user base quote lpMint userBase userQuote userLp poolBase poolQuote token token2022
  ammEventAuthority amm`
const QUOTED = `global mint quoteMint tokenProgram quoteMintProgram associatedToken feeRecipient feeRecipientFunds buyback buybackFunds
  bondingCurve curveCoins curveFunds user userCoins userFunds creatorVault creatorFunds sharingConfig`

const NAMES: Readonly<Record<LaunchpadInstruction, string>> = {
  create: `mint mintAuthority bondingCurve curveCoins global metadata coinMetadata user system tokenProgram associatedToken rent
    eventAuthority pump`,
  create_v2: `mint mintAuthority bondingCurve curveCoins global user system tokenProgram associatedToken mayhemProgram mayhemParams agent
    mayhemState agentCoins eventAuthority pump`,
  buy: `global feeRecipient mint bondingCurve curveCoins userCoins user system tokenProgram creatorVault eventAuthority pump volume
    userVolume feeConfig feeProgram bondingCurveV2 buyback`,
  buy_exact_sol_in: `global feeRecipient mint bondingCurve curveCoins userCoins user system tokenProgram creatorVault eventAuthority pump
    volume userVolume feeConfig feeProgram bondingCurveV2 buyback`,
  sell: `global feeRecipient mint bondingCurve curveCoins userCoins user system creatorVault tokenProgram eventAuthority pump feeConfig
    feeProgram bondingCurveV2 buyback`,
  buy_v2: `${QUOTED} volume userVolume userVolumeFunds feeConfig feeProgram system eventAuthority pump`,
  sell_v2: `${QUOTED} userVolume userVolumeFunds feeConfig feeProgram system eventAuthority pump`,
  migrate_v2: `global withdrawAuthority mint quoteMint bondingCurve curveCoins curveFunds user system amm pool poolAuthority
    poolAuthorityCoins poolAuthorityFunds ammGlobalConfig lpMint poolAuthorityLp poolCoins poolFunds tokenProgram quoteMintProgram token2022
    associatedToken ammEventAuthority rent eventAuthority pump`,
  amm_buy: `${AMM_TRADE} ammVolume ammUserVolume ammFeeConfig feeProgram`,
  amm_sell: `${AMM_TRADE} ammFeeConfig feeProgram`,
  amm_deposit: LIQUIDITY,
  amm_withdraw: LIQUIDITY,
  amm_boost_buy_and_burn: `pool user ammGlobalConfig base quote poolBase poolQuote boostVaultAuthority boostVault baseProgram quoteProgram
    ammEventAuthority amm`,
  amm_multi_hop_swap: `user userBase userQuote ammGlobalConfig ammFeeConfig ammUserVolume buybackFunds token token2022 system
    ammEventAuthority amm pump global feeConfig eventAuthority`,
  set_creator: 'user global mint coinMetadata bondingCurve eventAuthority pump',
  set_mayhem_virtual_params: 'agent agentCoins mint global bondingCurve tokenProgram eventAuthority pump',
}

/** The accounts of each trade of `amm_multi_hop_swap`, after those above. */
const HOP = 'base quote pool poolBase poolQuote'

/** The mint that represents the coin's quote in token accounts. */
export const quoteMintOf = ({ quoteMint }: Coin): Key => quoteMint ?? WSOL
export const baseMintOf = ({ coin, coinIsBase }: Scene): Key => (coinIsBase ? coin.mint : quoteMintOf(coin))
export const otherMintOf = ({ coin, coinIsBase }: Scene): Key => (coinIsBase ? quoteMintOf(coin) : coin.mint)
const programOf = (coin: Coin, mint: Key): Key => (mint === coin.mint ? coin.tokenProgram : FIXED.token)
/** The token account of `owner` for the coin or for its quote. */
export const accountOf = (coin: Coin, owner: Key, mint: Key): Key => tokenAccount(owner, programOf(coin, mint), mint)
export const feeRecipientOf = ({ mayhem }: Coin): Key => (mayhem ? FIXED.mayhemFeeRecipient : FIXED.feeRecipient)
export const creatorVaultOf = ({ creator }: Coin): Key => derived(PUMP, 'creator-vault', creator)
const poolAuthorityOf = ({ mint }: Coin): Key => derived(PUMP, 'pool-authority', mint)
export const poolCreatorVaultOf = ({ creator }: Coin): Key => derived(PUMP_AMM, 'creator_vault', creator)
export const boostVaultOf = (pool: Key): Key => derived(PUMP_AMM, 'boost_vault', pool)
export const lpMintOf = ({ pool }: Coin): Key => derived(PUMP_AMM, 'pool_lp_mint', pool)

type Role = (scene: Scene) => Key
const funds =
  (owner: Role): Role =>
  (scene) =>
    accountOf(scene.coin, owner(scene), quoteMintOf(scene.coin))
const coins =
  (owner: Role): Role =>
  (scene) =>
    accountOf(scene.coin, owner(scene), scene.coin.mint)
const side =
  (owner: Role, mint: Role): Role =>
  (scene) =>
    accountOf(scene.coin, owner(scene), mint(scene))
const user: Role = (scene) => scene.user
const pool: Role = ({ coin }) => coin.pool
const curve: Role = ({ coin }) => coin.bondingCurve
const agent: Role = () => MAYHEM_AGENT
const poolAuthority: Role = ({ coin }) => poolAuthorityOf(coin)
const userVolume: Role = (scene) => derived(PUMP, 'user_volume_accumulator', scene.user)
const liquidityAccount =
  (owner: Role): Role =>
  (scene) =>
    tokenAccount(owner(scene), FIXED.token2022, lpMintOf(scene.coin))

const ROLES: Readonly<Record<string, Role>> = {
  ...Object.fromEntries(Object.entries(FIXED).map(([name, key]): [string, Role] => [name, () => key])),
  pump: () => PUMP,
  amm: () => PUMP_AMM,
  user,
  pool,
  agent,
  poolAuthority,
  userVolume,
  bondingCurve: curve,
  mint: ({ coin }) => coin.mint,
  quoteMint: ({ coin }) => quoteMintOf(coin),
  tokenProgram: ({ coin }) => coin.tokenProgram,
  quoteMintProgram: () => FIXED.token,
  base: baseMintOf,
  quote: otherMintOf,
  baseProgram: (scene) => programOf(scene.coin, baseMintOf(scene)),
  quoteProgram: (scene) => programOf(scene.coin, otherMintOf(scene)),
  userBase: side(user, baseMintOf),
  userQuote: side(user, otherMintOf),
  poolBase: side(pool, baseMintOf),
  poolQuote: side(pool, otherMintOf),
  userCoins: coins(user),
  userFunds: funds(user),
  curveCoins: coins(curve),
  curveFunds: funds(curve),
  poolCoins: coins(pool),
  poolFunds: funds(pool),
  agentCoins: coins(agent),
  poolAuthorityCoins: coins(poolAuthority),
  poolAuthorityFunds: funds(poolAuthority),
  poolAuthorityLp: liquidityAccount(poolAuthority),
  userLp: liquidityAccount(user),
  lpMint: ({ coin }) => lpMintOf(coin),
  feeRecipient: ({ coin }) => feeRecipientOf(coin),
  feeRecipientFunds: funds(({ coin }) => feeRecipientOf(coin)),
  feeRecipientQuote: side(({ coin }) => feeRecipientOf(coin), otherMintOf),
  buybackFunds: funds(() => FIXED.buyback),
  creatorVault: ({ coin }) => creatorVaultOf(coin),
  creatorFunds: funds(({ coin }) => creatorVaultOf(coin)),
  poolCreatorAuthority: ({ coin }) => poolCreatorVaultOf(coin),
  poolCreatorQuote: side(({ coin }) => poolCreatorVaultOf(coin), otherMintOf),
  sharingConfig: ({ coin }) => derived(FIXED.feeProgram, 'sharing-config', coin.mint),
  coinMetadata: ({ coin }) => derived(FIXED.metadata, 'metadata', FIXED.metadata, coin.mint),
  mayhemState: ({ coin }) => derived(FIXED.mayhemProgram, 'mayhem-state', coin.mint),
  bondingCurveV2: ({ coin }) => derived(PUMP, 'bonding-curve-v2', coin.mint),
  userVolumeFunds: funds(userVolume),
  boostVaultAuthority: ({ coin }) => boostVaultOf(coin.pool),
  boostVault: funds(({ coin }) => boostVaultOf(coin.pool)),
  ammUserVolume: (scene) => derived(PUMP_AMM, 'user_volume_accumulator', scene.user),
}

const roleOf = (name: string): Role => {
  const role = ROLES[name]
  assert(role !== undefined, `no role ${name}`)
  return role
}

const rolesOf = (names: string): Role[] => names.split(/\s+/).map(roleOf)
const lists = new Map(Object.entries(NAMES).map(([name, roles]) => [name, rolesOf(roles)]))
const hop = rolesOf(HOP)
/** Place of the account that receives the coins of a route's last trade. */
const ROUTE_OUT = 2

/** Accounts of an instruction, in order. A route has a scene for each of its trades. */
export const accountsOf = (name: LaunchpadInstruction, scenes: readonly [Scene, ...Scene[]]): Key[] => {
  const [scene] = scenes
  const accounts = (lists.get(name) ?? []).map((role) => role(scene))
  if (name !== 'amm_multi_hop_swap') return accounts
  const { coin, user } = scenes.at(-1) ?? scene
  return [...accounts.with(ROUTE_OUT, accountOf(coin, user, coin.mint)), ...scenes.flatMap((one) => hop.map((role) => role(one)))]
}
