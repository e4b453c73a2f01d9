// A row of the ranked preview: the figures of a mint's card that fit into one line.

import { type Key, keyText } from '../../../schemas/keys.ts'
import type { CurveRow, LaunchRow, MintState } from '../../../schemas/types.ts'
import type { ChainFacts } from '../../chains/chain.ts'
import { cleanText } from '../../text.ts'
import { holdingsOf } from '../fold/holdings.ts'
import { NAME_CHARS_MAX, SYMBOL_CHARS_MAX } from '../thresholds.ts'
import { curvePart } from './card-parts.ts'
import { buyersWithin } from './check-item.ts'
import { explain } from './explain.ts'
import { holdersPart } from './holders-part.ts'
import { ageOf } from './labels.ts'
import type { Moment } from './moment.ts'
import { rowFlags, SERIAL_RUGGER, seenOfLaunch } from './verdict.ts'

/** A mint with a stored launch. */
export interface Ranked {
  readonly mint: Key
  readonly launch: LaunchRow
  readonly curve: CurveRow
  readonly state: MintState
}

/** Only evidence: odds and links are added when it is sent. */
export const rankedRow = ({ mint, launch, curve, state }: Ranked, moment: Moment, chain: ChainFacts) => {
  const { rs_sol, rs_sol_reason = '', progress, progress_reason = '' } = curvePart(launch, curve, chain)
  const holders = holdersPart(launch, curve, state, holdingsOf(state), moment)
  const { top5_share, top5_share_reason = '', dev_share, dev_share_reason = '' } = holders
  const seen = seenOfLaunch(state, holders)
  return {
    mint: keyText(mint),
    name: cleanText(launch.name, NAME_CHARS_MAX),
    symbol: cleanText(launch.symbol, SYMBOL_CHARS_MAX),
    untrusted_text: true as const,
    age_s: ageOf(launch, moment),
    ...explain({ rs_sol, progress }, { rs_sol: rs_sol_reason, progress: progress_reason }),
    n_buys: curve.buys,
    unique_buyers_60s: buyersWithin(state.holders, moment),
    ...explain({ top5_share, dev_share }, { top5_share: top5_share_reason, dev_share: dev_share_reason }),
    flags: rowFlags(seen),
    flags_pending: seen.isSerialRugger === null ? [SERIAL_RUGGER] : [],
  }
}
