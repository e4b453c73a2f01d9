// The folds of curves over a tape of a few launches that trade side by side, with forks, as their decoder would have written it.
import { altTapeRecordCodec } from '../../schemas/codecs.ts'
import { type Key, keyText } from '../../schemas/keys.ts'
import type { AltTapeEvent, AltTapeRecord, TapeBatch } from '../../schemas/types.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import { createPartitioner } from '../../topology/engine/partition.ts'
import { conclusionsOf, inputsOf } from '../../topology/topology.ts'
import { forkedTape } from '../fixtures/forked-tape.ts'
import { conclusionText } from '../live.ts'
import { block, ETH, type Frame, GMGN, key, Pad, wallet } from '../unit/processors/curve/launchpad.ts'
import { Dice } from './dice.ts'
import type { Said } from './invariants.ts'
import { taskJob } from './job.ts'
import type { Domain, Entry } from './story.ts'

const PARTITIONS_MAX = 3
const FRAMES = 70
const SKIPPED_MAX = 5
const LAUNCH_EVERY = 6
const DEPLOYERS = 3
const WALLETS = 5
const FORK_SHARE = 0.1

const { tape } = inputsOf(CURVE_RISK)
const outputs = conclusionsOf(CURVE_RISK)

const readOutput: Domain['readOutput'] = ({ topic, value }): Said | undefined => {
  if (!outputs.includes(topic)) return undefined
  const read = CURVE_RISK.chain.conclusions.codec.decode(value as Uint8Array)
  if (!read.ok) throw new Error(read.reason)
  const { number, hash8, body } = read.value
  const frame = `${number}@${hash8}`
  return body.type === 'retraction' ? { type: 'retraction', frames: [frame] } : { type: 'line', line: conclusionText(read.value), frame }
}

/** What happens on one of the curves. */
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
/** In the order of the frame, whichever curve they are of. */
const placed = (events: readonly AltTapeEvent[]): AltTapeEvent[] => events.map((event, n) => ({ ...event, tx: n, outer: n }))

const entryOf = (record: AltTapeRecord, partitions: number, partitionOf: (key: string) => number): Entry => {
  const part = (partition: number): AltTapeRecord =>
    record.type === 'batch' ? { ...record, events: record.events.filter(({ mint }) => partitionOf(mint) === partition) } : record
  const records = Array.from({ length: partitions }, (_, partition) => ({
    ...{ topic: tape, partition, key: Buffer.from(CURVE_RISK.chain.name) },
    value: altTapeRecordCodec.encode(part(partition)),
  }))
  if (record.type === 'finality') return { happening: { type: 'finality' }, records }
  const { number, hash8 } = record
  return { happening: { type: record.type === 'batch' ? 'frame' : 'revert', number, hash8 }, records }
}

export const curveDomain = (seed: number): Domain => {
  const dice = new Dice(seed, 'curves')
  const partitions = dice.int(1, PARTITIONS_MAX)
  const partitionOf = createPartitioner(partitions, (name) => keyText(name as Key))
  const counts = { launchpadTransactions: null, launchpadFailed: null }
  const living = marketOf(dice).map(({ header, events }) => ({ type: 'batch', ...header, ...counts, events }) as unknown as TapeBatch)
  const records = forkedTape(living, FORK_SHARE, dice.int(1, 1e9)) as unknown as readonly AltTapeRecord[]
  return {
    partitions,
    entries: records.map((record) => entryOf(record, partitions, partitionOf)),
    ...{ outputs, readOutput },
    tasks: (limits) => Array.from({ length: partitions }, (_, partition) => taskJob(CURVE_RISK.folds(partitions), partition, limits)),
  }
}
