// Cards and launch items as JSON text with their links. Finality, `confidence` and `base_rates` are added when the answer is sent.

import type { AccountsRead } from '../../../processors/accounts.ts'
import type { ChainFacts } from '../../../processors/chains/chain.ts'
import { type CardContext, launchItem, type MintEvidence, mintEvidence, type ThinEvidence } from '../../../processors/mint/card/card.ts'
import type { Moment } from '../../../processors/mint/card/moment.ts'
import { withAccounts } from '../../../processors/mint/card/onchain-part.ts'
import { type SeenOfLaunch, seenOfLaunch } from '../../../processors/mint/card/verdict.ts'
import { launcherOf } from '../../../processors/mint/fold/prior.ts'
import type { Key } from '../../../schemas/keys.ts'
import { keyText } from '../../../schemas/keys.ts'
import type { MintState } from '../../../schemas/types.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { type FlaggedText, flaggedText } from './finality-text.ts'
import { linksText } from './links.ts'

/** A card's text without finality, `confidence`, `base_rates` and the closing brace. */
export interface CardText extends FlaggedText {
  readonly coverage: 'full' | 'thin'
  /** Curve and pool trades, without the agent's. */
  readonly trades: number
  /** Id of the card's newest flag. */
  readonly finding?: string
}
/** An item of the launch list, without the finality of its flags. */
export interface LaunchText extends FlaggedText {
  readonly coverage: 'full' | 'thin'
  /** The inputs of its verdict other than the odds. */
  readonly seen: SeenOfLaunch
}

/** The dependencies of the text other than rows and moment. */
export interface TextContext {
  readonly options: CardContext
  serves(path: string): boolean
}

/** What thin cards show in addition to their rows. A text with extras must not be cached, because it is valid at one moment only. */
export interface ThinExtras {
  readonly accounts?: AccountsRead | undefined
  /** Why the history could not be queried for the record. */
  readonly historyReason?: string | undefined
}

export const cardText = (context: TextContext, mint: Key, state: MintState, moment: Moment, extras: ThinExtras = {}): CardText => {
  const { accounts, historyReason } = extras
  const evidence = withReason(mintEvidence(mint, state, moment, context.options), historyReason)
  const shown = evidence.coverage === 'thin' && accounts !== undefined ? withAccounts(evidence, accounts, context.options.chain) : evidence
  const launcher = launcherOf(state)
  const links = linksText(
    evidence.coverage === 'full' ? ['creator', 'wallet', 'regime', 'rugs'] : ['creator', 'regime'],
    launcher === null ? walletOf(shown) : keyText(launcher),
    (path) => context.serves(path),
  )
  const { text, flags } = flaggedText(shown, 'rug_flags', state.flags)
  const finding = shown.rug_flags?.at(-1)?.finding_id
  return {
    text: `${text.slice(0, -1)},"next":${links}`,
    flags,
    coverage: evidence.coverage,
    trades: state.curve?.trades ?? 0,
    ...(finding !== undefined && { finding }),
  }
}

/** The creator if it is a wallet; null otherwise. For cards without a launch: the caller of create is not known. */
const walletOf = ({ creator, creator_is_wallet }: Pick<ThinEvidence, 'creator' | 'creator_is_wallet'>): string | null =>
  creator_is_wallet ? creator : null

/** Sets `history_reason` if the history, which may have a record of the launch, was not available. */
const withReason = (evidence: MintEvidence, reason: string | undefined): MintEvidence =>
  reason === undefined || evidence.coverage === 'full' || evidence.history !== null ? evidence : { ...evidence, history_reason: reason }

export const launchText = ({ mint, state }: MintSnapshot, moment: Moment, chain: ChainFacts): LaunchText => {
  const item = launchItem(mint, state, moment, chain)
  return { ...flaggedText(item, 'rug_flags', state.flags), coverage: item.coverage, seen: seenOfLaunch(state, item.holders) }
}
