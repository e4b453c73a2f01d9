// `--source demo`: opens the market of this chain with the options of the command line.
import { join } from 'node:path'
import type { SourceLog } from '../../ports/log.ts'
import type { DemoPlay, SourceContext, SourceHandle } from '../../sources/source.ts'
import { demoWords } from '../demo-words.ts'
import { openTruthFile } from '../truth-file.ts'
import { CATCH_UP_S, DEMO_DEFAULTS, FORKS_PER_HOUR, HISTORY_S, PACED_FROM_MS } from './defaults.ts'
import type { DemoTopology } from './history.ts'
import { Market } from './market.ts'
import { printedTruth } from './printed-truth.ts'
import { DemoSource } from './source.ts'

const HOUR_S = 3_600
/** File with the demo's truth, in the data directory. */
const TRUTH_FILE = 'demo-truth.jsonl'

/** Opens the demo on the log. @throws as `openSource` */
export const openDemo = async (
  log: SourceLog,
  topology: DemoTopology,
  play: DemoPlay,
  { dataDir, stop, folded, notice }: SourceContext,
): Promise<SourceHandle> => {
  const { seed = DEMO_DEFAULTS.seed, rate = DEMO_DEFAULTS.rate, speed = 1, start = PACED_FROM_MS, gap = [], regimeAfter } = play
  const { catchUp: catchUpS = CATCH_UP_S, isOnWall = false } = play
  const historyS = Math.round((play.history ?? HISTORY_S / HOUR_S) * HOUR_S)
  const leadS = historyS + catchUpS
  const startMs = start - leadS * 1_000
  const regime = regimeAfter === undefined ? {} : { regimeAfterMs: (leadS + regimeAfter) * 1_000 }
  const losses = {
    gaps: gap.map(({ fromS, toS }) => ({ fromS: leadS + fromS, toS: leadS + toS })),
    lostPerMillion: play.lostPerMillion ?? 0,
  }
  const write = dataDir === null ? () => {} : openTruthFile(join(dataDir, TRUTH_FILE))
  const source = new DemoSource(log, topology, {
    seed,
    startMs,
    rate,
    historyS,
    ...regime,
    market: () => new Market({ seed, startMs, rate }, { onTruth: (truth) => write(printedTruth(truth)), ...regime }),
    ...(play.frames !== undefined && { framesMax: play.frames }),
    forksPerHour: play.forks ?? FORKS_PER_HOUR,
    isOnWall,
    catchUpS,
    losses,
    speed,
    wall: Date.now,
    stop,
    folded,
    ...(notice && { notice }),
  })
  await source.open()
  const { since, clockFacts, pace } = demoWords(startMs, speed, isOnWall)
  const words = `the demo market (seed ${seed}, ${rate * 10} % of today's load, ${historyS > 0 ? 'history ' : ''}since ${since}) ${pace}`
  const facts = `demo: a simulated market ${clockFacts}, seed ${seed}`
  return { source, facts, words, accounts: source.accounts }
}
