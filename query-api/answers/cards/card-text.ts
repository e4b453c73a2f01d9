// Evidence as JSON text with the links that follow from it. Context of the instant is added where the answer is sent.

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

/** A card's text, open at its end: context and the closing brace follow. */
export interface CardText extends FlaggedText {
  readonly coverage: 'full' | 'thin'
  /** Trades that the card rests on. */
  readonly trades: number
  /** Id of its newest flag. */
  readonly finding?: string
}
/** An item of the launch list, whole but for the finality of its flags. */
export interface LaunchText extends FlaggedText {
  readonly coverage: 'full' | 'thin'
  /** What its verdict rests on beside the odds. */
  readonly seen: SeenOfLaunch
}

/** What the text depends on that is neither row nor moment. */
export interface TextContext {
  readonly options: CardContext
  serves(path: string): boolean
}

/** What thin cards have beside their rows: absent where it was not asked for. Such a text is of one moment, and no cache may keep it. */
export interface Beside {
  readonly accounts?: AccountsRead | undefined
  /** Why history could not be asked for the record. */
  readonly historyReason?: string | undefined
}

export const cardText = (context: TextContext, mint: Key, state: MintState, moment: Moment, beside: Beside = {}): CardText => {
  const { accounts, historyReason } = beside
  const evidence = withReason(mintEvidence(mint, state, moment, context.options), historyReason)
  const told = evidence.coverage === 'thin' && accounts !== undefined ? withAccounts(evidence, accounts, context.options.chain) : evidence
  const launcher = launcherOf(state)
  const links = linksText(
    evidence.coverage === 'full' ? ['creator', 'wallet', 'regime', 'rugs'] : ['creator', 'regime'],
    launcher === null ? walletOf(told) : keyText(launcher),
    (path) => context.serves(path),
  )
  const { text, flags } = flaggedText(told, 'rug_flags', state.flags)
  const finding = told.rug_flags?.at(-1)?.finding_id
  return {
    text: `${text.slice(0, -1)},"next":${links}`,
    flags,
    coverage: evidence.coverage,
    trades: state.curve?.trades ?? 0,
    ...(finding !== undefined && { finding }),
  }
}

/** The creator, where it is a wallet: of a launch that is not held nobody knows who called create. */
const walletOf = ({ creator, creator_is_wallet }: Pick<ThinEvidence, 'creator' | 'creator_is_wallet'>): string | null =>
  creator_is_wallet ? creator : null

/** What history might have had is not known while it is away. */
const withReason = (evidence: MintEvidence, reason: string | undefined): MintEvidence =>
  reason === undefined || evidence.coverage === 'full' || evidence.history !== null ? evidence : { ...evidence, history_reason: reason }

export const launchText = ({ mint, state }: MintSnapshot, moment: Moment, chain: ChainFacts): LaunchText => {
  const item = launchItem(mint, state, moment, chain)
  return { ...flaggedText(item, 'rug_flags', state.flags), coverage: item.coverage, seen: seenOfLaunch(state, item.holders) }
}
