// `--source demo` for the chain of curves: the live source reads from a node that simulates its chain.
import { join } from 'node:path'
import * as z from 'zod'
import type { SourceLog } from '../../ports/log.ts'
import type { LaunchpadLogs } from '../../sources/alt/launchpad-logs.ts'
import { AltSource } from '../../sources/alt/source.ts'
import type { DemoPlay, HeldStart, SourceContext, SourceHandle } from '../../sources/source.ts'
import type { LiveCapture } from '../../topology.ts'
import { demoWords } from '../demo-words.ts'
import { MISSED_S_MAX } from '../solana/defaults.ts'
import { openTruthFile } from '../truth-file.ts'
import { DemoChain, FIRST_BLOCK } from './chain.ts'
import { DemoClock } from './demo-clock.ts'
import { AltMarket } from './market.ts'
import { DemoNode } from './node.ts'
import type { CurveStory } from './truth.ts'

const NAME = 'demo:alt:'
const CHAIN_ID = 4_663
const HOUR_S = 3_600
/** Limit of the history. It is decoded from frames; the primary chain's demo writes its longer history directly to the tape. */
const HISTORY_HOURS_MAX = 1
/** At full speed, the newest block is at most this far ahead of the folds, or of the blocks sent if this process does not fold. */
const AHEAD_BLOCKS = 3_000
/** File with the truth of every curve, in the data directory. */
const TRUTH_FILE = 'demo-alt-truth.jsonl'

/** Default options; the same as for the other chain's demo. */
export interface AltDemoDefaults {
  readonly seed: number
  readonly rate: number
  readonly startMs: number
  readonly forksPerHour: number
}

const historySOf = ({ history = HISTORY_HOURS_MAX }: DemoPlay): number => Math.round(Math.min(HISTORY_HOURS_MAX, history) * HOUR_S)

const heldSchema = z.object({ startMs: z.number(), isOnWall: z.boolean().default(false) })
/** As `ChainSources.heldStart`. */
export const heldAltStart = (name: string, play: DemoPlay): HeldStart | undefined => {
  if (!name.startsWith(NAME)) return undefined
  const { startMs, isOnWall } = heldSchema.parse(JSON.parse(name.slice(NAME.length)))
  return { start: startMs + historySOf(play) * 1_000, isOnWall }
}

/** Unlike the other chain's demo it has no `--gap`: the node has every block, and each names its parent. @throws as `AltSource.open` */
export const openAltDemo = async (
  log: SourceLog,
  topics: LiveCapture,
  launchpad: LaunchpadLogs,
  defaults: AltDemoDefaults,
  play: DemoPlay,
  { dataDir, stop, folded, notice = () => {} }: SourceContext,
): Promise<SourceHandle> => {
  const { seed = defaults.seed, rate = defaults.rate, speed = 1, start = defaults.startMs, forks = defaults.forksPerHour } = play
  const { isOnWall = false } = play
  const historyS = historySOf(play)
  const startMs = (Math.floor(start / 1_000) - historyS) * 1_000
  const chain = new DemoChain({ seed, startMs, forksPerHour: forks })
  const followsWall = isOnWall && speed === 1
  const clock = new DemoClock(followsWall ? Date.now : () => start, speed, Date.now)
  // Known at once, so that answers have their age while this chain waits for another to catch up.
  if (followsWall) clock.begin(null, undefined)
  let newest = FIRST_BLOCK
  const head = (): number => {
    const lineMs = clock.lineMs()
    const sent = source.tip()?.number ?? FIRST_BLOCK
    newest = Math.max(newest, lineMs === null ? (folded() ?? sent) + AHEAD_BLOCKS : chain.numberAt(lineMs))
    return newest
  }
  const write = dataDir === null ? () => {} : openTruthFile(join(dataDir, TRUTH_FILE))
  const firstBlock = followsWall ? Math.max(FIRST_BLOCK, chain.numberAt(Date.now() - MISSED_S_MAX * 1_000)) : FIRST_BLOCK
  const market = new AltMarket({ seed, rate }, FIRST_BLOCK, (story) => write(printedStory(story, chain)))
  const node = new DemoNode({ chain, market, head })
  const source = new AltSource(log, topics, {
    name: `${NAME}${JSON.stringify({ seed, rate, startMs, forks, ...(isOnWall && { isOnWall }) })}`,
    ...{ node, clock, firstBlock, chainId: CHAIN_ID, launchpad, notice, stop, wall: Date.now },
    ...(play.frames === undefined ? {} : { framesMax: play.frames }),
  })
  await source.open()
  const { since, clockFacts, pace } = demoWords(startMs, speed, isOnWall)
  return {
    source,
    facts: `demo: a simulated market of curves ${clockFacts}, seed ${seed}`,
    words: `a demo market of curves (seed ${seed}, ${rate * 10} % of today's load, since ${since}) ${pace}`,
  }
}

/** A line of the truth file: block numbers as times (unix milliseconds of whole seconds; the launch also keeps `block`), amounts as text. */
const printedStory = (story: CurveStory, chain: Pick<DemoChain, 'timeOf'>): Readonly<Record<string, unknown>> => {
  const atMs = (number: number | null): number | null => (number === null ? null : chain.timeOf(number) * 1_000)
  const { deployerSold, curveDrained, completed, graduated, rug, peakUnits, taxUnits, ...rest } = story
  return {
    ...rest,
    launchedAtMs: atMs(story.block),
    deployerSoldAtMs: atMs(deployerSold),
    curveDrainedAtMs: atMs(curveDrained),
    rug: rug && { kind: rug.kind, atMs: atMs(rug.block) },
    completedAtMs: atMs(completed),
    graduatedAtMs: atMs(graduated),
    peakUnits: String(peakUnits),
    taxUnits: String(taxUnits),
  }
}
