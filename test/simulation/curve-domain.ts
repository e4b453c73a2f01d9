// The curve folds over a tape of a few launches that trade concurrently, with forks, as written by their decoder.
import type { AltTapeEvent, AltTapeRecord, TapeBatch } from '../../schemas/types.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import { forkedTape } from '../fixtures/forked-tape.ts'
import { block, ETH, type Frame, GMGN, key, Pad, wallet } from '../unit/processors/curve/launchpad.ts'
import { Dice } from './dice.ts'
import { foldsOver, tapeEntries } from './fold-domain.ts'
import type { Domain } from './story.ts'

const PARTITIONS_MAX = 3
const FRAMES = 70
const SKIPPED_MAX = 5
const LAUNCH_EVERY = 6
const DEPLOYERS = 3
const WALLETS = 5
const FORK_SHARE = 0.1

/** A random transaction on one of the curves. */
const transactionOn = (pad: Pad, dice: Dice): readonly AltTapeEvent[] => {
  const who = dice.share() < 0.3 ? pad.deployer : wallet(dice.int(1, WALLETS))
  const isFull = pad.tokens === pad.reserved
  if (isFull) return pad.graduate()
  if (dice.share() < 0.4 && pad.real > ETH / 50n) return pad.sell(who, ((10n ** 27n - pad.tokens) * BigInt(dice.int(10, 90))) / 100n)
  return pad.buy(who, (ETH * BigInt(dice.int(1, 4_000))) / 1_000n, dice.share() < 0.3 ? GMGN : undefined)
}

const marketOf = (dice: Dice): Frame[] => {
  const pads: Pad[] = []
  let after = 0
  return Array.from({ length: FRAMES }, (_, n) => {
    after += 1 + dice.int(0, SKIPPED_MAX)
    const launched =
      n % LAUNCH_EVERY === 0 ? new Pad({ token: key(10 + n), curve: key(90 + n), deployer: key(3 + dice.int(0, DEPLOYERS)) }) : null
    if (launched !== null) pads.push(launched)
    const events = [...(launched?.launch() ?? []), ...transactionOn(dice.pick(pads), dice), ...transactionOn(dice.pick(pads), dice)]
    return block(after, placed(events))
  })
}
/** In frame order, whichever curve they belong to. */
const placed = (events: readonly AltTapeEvent[]): AltTapeEvent[] => events.map((event, n) => ({ ...event, tx: n, outer: n }))

export const curveDomain = (seed: number): Domain => {
  const dice = new Dice(seed, 'curves')
  const partitions = dice.int(1, PARTITIONS_MAX)
  const counts = { launchpadTransactions: null, launchpadFailed: null }
  const canonical = marketOf(dice).map(({ header, events }) => ({ type: 'batch', ...header, ...counts, events }) as unknown as TapeBatch)
  const records = forkedTape(canonical, FORK_SHARE, dice.int(1, 1e9)) as unknown as readonly AltTapeRecord[]
  return { ...foldsOver(CURVE_RISK, partitions), entries: tapeEntries(CURVE_RISK, records, partitions) }
}
