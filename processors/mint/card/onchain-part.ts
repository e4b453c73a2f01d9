// What account reads add to a thin card. This is context, not evidence: it is as of the time of the read, and no fold uses it.
import { subtract } from '../../../schemas/amount.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { AccountsRead, CurveAccount, MintAccount, MintAccounts, MintExtension } from '../../accounts.ts'
import type { ChainFacts } from '../../chains/chain.ts'
import { cleanText } from '../../text.ts'
import {
  COMPLETION_LAMPORTS,
  LAMPORTS_PER_SOL,
  NAME_CHARS_MAX,
  REAL_TOKEN_UNITS,
  SYMBOL_CHARS_MAX,
  UNITS_PER_TOKEN,
} from '../thresholds.ts'
import { shareOf, solOf } from './amounts.ts'
import { creatorOf, type ThinEvidence } from './card.ts'
import { explain } from './explain.ts'
import { hazardsOf } from './hazards.ts'
import type { Status } from './labels.ts'
import { notQuoteOf, quoteMintOf } from './nulls.ts'

const NO_ACCOUNT = 'no account exists at this address'
const NO_METADATA = 'the mint account itself holds no metadata'
const NO_TEXT = 'the mint account holds metadata, but its text cannot be read'
const MIGRATED = 'the curve has no reserves left: after a migration the pool makes the price'

/** The thin card with the accounts, or with the reason why they could not be read. */
export const withAccounts = (card: ThinEvidence, accounts: AccountsRead, chain: ChainFacts) => {
  if (!accounts.ok) return { ...card, onchain_reason: accounts.reason }
  const { onchain_reason: _unasked, ...rest } = withCreator(card, accounts.value.curve, chain)
  return {
    ...rest,
    status: statusAfter(card.status, accounts.value),
    why: [...card.why, ...whyOf(accounts.value)],
    ...onchainPart(accounts.value, chain),
  }
}

/** The creator from the curve's account, where neither rows nor history have one. */
const withCreator = (card: ThinEvidence, curve: MintAccounts['curve'], chain: ChainFacts): ThinEvidence => {
  const creator = creatorIn(curve)
  if (card.creator !== null || creator === null) return card
  const { creator_reason: _creator, creator_is_wallet_reason: _wallet, ...rest } = card
  return { ...rest, ...creatorOf(creator, chain) }
}

/** The creator in a curve's account. */
const creatorIn = (curve: MintAccounts['curve']): Key | null => (curve.ok && curve.value !== null ? curve.value.creator : null)

/** Rows take precedence over accounts: the accounts decide only where there are no rows. */
const statusAfter = (status: Status, { curve }: MintAccounts): Status =>
  status === 'not_observed' ? (curve.ok && curve.value === null ? 'not_launchpad' : 'onchain_only') : status

/** What the accounts add to the card's `why`. */
const whyOf = ({ exists, mint, curve }: MintAccounts): string[] => {
  if (!exists) return [NO_ACCOUNT]
  const why = [curveText(curve)]
  const hazards = mint.ok && mint.value !== null ? hazardsOf(mint.value) : []
  if (hazards.length > 0) why.push(`others have powers over holders: ${hazards.join(', ')}`)
  return why
}

const curveText = (curve: MintAccounts['curve']): string => {
  if (!curve.ok) return 'its bonding curve account cannot be read'
  if (curve.value === null) return 'no bonding curve account exists for it'
  if (curve.value.complete) return 'its bonding curve account is complete'
  const { quoteMint, realQuoteUnits } = curve.value
  return quoteMint === null
    ? `its bonding curve account is open and holds ${solOf(realQuoteUnits).toFixed(2)} SOL`
    : 'its bonding curve account is open'
}

const onchainPart = ({ slot, exists, mint, curve, curveAddress }: MintAccounts, chain: ChainFacts) => {
  const head = { slot, exists }
  const launchpad = launchpadPart(curve, curveAddress, mint, chain)
  if (mint.ok && mint.value !== null) return { onchain: { ...head, is_token_mint: true, ...mintPart(mint.value), ...launchpad } }
  const reason = mint.ok ? (exists ? 'the account is not a token mint' : NO_ACCOUNT) : `the account cannot be read: ${mint.reason}`
  const isMint = explain({ is_token_mint: mint.ok ? false : null }, { is_token_mint: reason })
  return { onchain: { ...head, ...isMint, ...allNull(NO_MINT, reason), ...launchpad } }
}

/** Fields that are all null for one reason, each followed by it. */
const allNull = (fields: Readonly<Record<string, null>>, reason: string): Record<string, string | null> =>
  Object.fromEntries(
    Object.keys(fields).flatMap((field) => [
      [field, null],
      [`${field}_reason`, reason],
    ]),
  )

const NO_MINT = {
  name: null,
  symbol: null,
  token_program: null,
  decimals: null,
  supply_ui: null,
  mint_authority: null,
  freeze_authority: null,
  hazards: null,
  extensions: null,
} as const

const mintPart = (mint: MintAccount) => {
  const text = textOf(mint)
  const noText = mint.extensions.some(({ type }) => type === 'tokenMetadata') ? NO_TEXT : NO_METADATA
  return explain(
    {
      name: text && cleanText(text.name, NAME_CHARS_MAX),
      symbol: text && cleanText(text.symbol, SYMBOL_CHARS_MAX),
      token_program: keyText(mint.tokenProgram),
      decimals: mint.decimals,
      supply_ui: supplyOf(mint),
      mint_authority: keyOrNull(mint.mintAuthority),
      freeze_authority: keyOrNull(mint.freezeAuthority),
      hazards: hazardsOf(mint),
      extensions: mint.extensions.map((extension) => extensionPart(extension, mint)),
    },
    {
      name: noText,
      symbol: noText,
      mint_authority: 'there is none: no more can be minted',
      freeze_authority: 'there is none: nobody can freeze coins',
    },
  )
}

const keyOrNull = (key: Key | null): string | null => key && keyText(key)
const textOf = ({ extensions }: MintAccount): { readonly name: string; readonly symbol: string } | null =>
  extensions.find((extension) => extension.type === 'tokenMetadata')?.text ?? null
const supplyOf = ({ supplyUnits, decimals }: MintAccount): number => uiOf(supplyUnits, decimals)
/** Rounded: a supply may have more digits than a number holds. */
const uiOf = (units: bigint, decimals: number): number => Number(units) / 10 ** decimals

const NOBODY = 'nobody may change it'

const extensionPart = (extension: MintExtension, { decimals }: MintAccount) => {
  switch (extension.type) {
    case 'transferFee': {
      const { basisPoints, fromEpoch, beforeBasisPoints, maxUnits, authority } = extension
      const fee = { basis_points: basisPoints, from_epoch: Number(fromEpoch), before_basis_points: beforeBasisPoints }
      return {
        name: 'transfer_fee',
        ...fee,
        max_ui: uiOf(maxUnits, decimals),
        ...explain({ authority: keyOrNull(authority) }, { authority: NOBODY }),
      }
    }
    case 'transferHook':
      return {
        name: 'transfer_hook',
        ...explain(
          { program: keyOrNull(extension.program), authority: keyOrNull(extension.authority) },
          { program: 'no program is named now', authority: NOBODY },
        ),
      }
    case 'permanentDelegate':
      return { name: 'permanent_delegate', ...explain({ delegate: keyOrNull(extension.delegate) }, { delegate: 'it was given up' }) }
    case 'defaultAccountState':
      return { name: 'default_account_state', frozen: extension.frozen }
    case 'nonTransferable':
      return { name: 'non_transferable' }
    case 'pausable':
      return {
        name: 'pausable',
        paused: extension.paused,
        ...explain({ authority: keyOrNull(extension.authority) }, { authority: NOBODY }),
      }
    case 'tokenMetadata':
      return { name: 'token_metadata' }
    case 'other':
      return { name: extension.name }
  }
}

/** Progress as on full cards; 1 once the curve is complete, because a migration empties its reserves. */
const progressOf = (curve: CurveAccount): number => {
  if (curve.complete) return 1
  if (curve.quoteMint === null && !curve.mayhem) return Math.min(1, shareOf(curve.realQuoteUnits, COMPLETION_LAMPORTS))
  return Math.min(1, Math.max(0, shareOf(subtract(REAL_TOKEN_UNITS, curve.realTokenUnits), REAL_TOKEN_UNITS)))
}

const NO_CURVE = {
  complete: null,
  real_sol_reserves_sol: null,
  virtual_sol_reserves_sol: null,
  progress: null,
  price_sol_per_token: null,
  market_cap_sol: null,
  creator: null,
  cashback_enabled: null,
  is_mayhem_supply: null,
  quote_mint: null,
} as const

/** `is_launchpad` is true also where the curve account exists but cannot be read. */
const launchpadPart = (curve: MintAccounts['curve'], curveAddress: Key, mint: MintAccounts['mint'], chain: ChainFacts) => {
  const bondingCurve = keyText(curveAddress)
  if (curve.ok && curve.value !== null) {
    const supply = mint.ok && mint.value !== null ? supplyOf(mint.value) : null
    return { launchpad: { is_launchpad: true, bonding_curve: bondingCurve, ...curvePart(curve.value, supply, chain) } }
  }
  const reason = curve.ok ? 'no bonding curve account exists for it' : `the bonding curve account cannot be read: ${curve.reason}`
  return { launchpad: { is_launchpad: !curve.ok, bonding_curve: bondingCurve, ...allNull(NO_CURVE, reason) } }
}

/** `supply` in coins; null where unknown. */
const curvePart = (curve: CurveAccount, supply: number | null, chain: ChainFacts) => {
  const isSol = curve.quoteMint === null
  const quoteMint = quoteMintOf(curve, chain)
  const hasPrice = isSol && curve.virtualTokenUnits > 0
  const price = hasPrice ? shareOf(curve.virtualQuoteUnits, curve.virtualTokenUnits) / (LAMPORTS_PER_SOL / UNITS_PER_TOKEN) : null
  const noSol = notQuoteOf(curve, chain)
  const noPrice = isSol ? MIGRATED : noSol
  return explain(
    {
      complete: curve.complete,
      real_sol_reserves_sol: isSol ? solOf(curve.realQuoteUnits) : null,
      virtual_sol_reserves_sol: isSol ? solOf(curve.virtualQuoteUnits) : null,
      progress: progressOf(curve),
      price_sol_per_token: price,
      market_cap_sol: price === null || supply === null ? null : price * supply,
      creator: keyOrNull(curve.creator),
      cashback_enabled: curve.cashback,
      is_mayhem_supply: curve.mayhem,
      quote_mint: quoteMint,
    },
    {
      real_sol_reserves_sol: noSol,
      virtual_sol_reserves_sol: noSol,
      price_sol_per_token: noPrice,
      market_cap_sol: price === null ? noPrice : 'the supply is not known',
      creator: 'the account names none, as the oldest ones do',
    },
  )
}
