// The curves' chain for the differential soaks: its stream, the same for every log, and a replay of it without a log.
import type { RawRecord } from '../../schemas/types.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { CurveReplay } from '../../topology/runtime/curve-replay.ts'
import { conclusionsOf } from '../../topology/topology.ts'
import { canonicalFrames } from '../fixtures/canonical-frames.ts'
import { curveCardsOn } from '../fixtures/curve-contents.ts'
import { demoCurveBodies, forkedBodies } from '../fixtures/demo-curves.ts'
import { conclusionText, standingConclusionsOn } from '../live.ts'
import { type Compared, differencesOf } from './kafka-compare.ts'

const BLOCKS_A_MINUTE = 600

/** Frames with forks; the same seed gives the same frames. */
export const curveStream = async (minutes: number, seed: number): Promise<readonly RawRecord['body'][]> =>
  forkedBodies(await demoCurveBodies({ seed, rate: 10, blocks: minutes * BLOCKS_A_MINUTE }))

/** Differences between the log and a replay of the canonical frames. */
export const againstCanonicalCurves = async (log: Log, bodies: readonly RawRecord['body'][]): Promise<readonly string[]> => {
  const replay = new CurveReplay(CURVE_RISK)
  const conclusions = canonicalFrames(bodies).flatMap((frame) => replay.frame(frame)?.conclusions ?? [])
  const alone: Compared = {
    conclusions: conclusions.map(conclusionText).sort(),
    cards: replay
      .cards()
      .map(({ evidence }) => JSON.stringify(evidence))
      .sort(),
  }
  return differencesOf({ conclusions: await standingOn(log), cards: await curveCardsOn(log) }, alone)
}

const standingOn = async (log: Log): Promise<string[]> => {
  const { codec } = CURVE_RISK.chain.conclusions
  const standing = await Promise.all(conclusionsOf(CURVE_RISK).map((topic) => standingConclusionsOn(log, topic, codec)))
  return standing.flat().sort()
}
