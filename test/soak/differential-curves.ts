// The chain of curves beside the demo of the other one: its stream, the same for every medium, and a replay of it without a log.
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

/** Frames that fork; the same seed gives the same. */
export const curveStream = async (minutes: number, seed: number): Promise<readonly RawRecord['body'][]> =>
  forkedBodies(await demoCurveBodies({ seed, rate: 10, blocks: minutes * BLOCKS_A_MINUTE }))

/** What of the log is not what the frames give that no fork took back. */
export const againstLivingCurves = async (log: Log, bodies: readonly RawRecord['body'][]): Promise<readonly string[]> => {
  const replay = new CurveReplay(CURVE_RISK)
  const said = canonicalFrames(bodies).flatMap((frame) => replay.frame(frame)?.conclusions ?? [])
  const alone: Compared = {
    conclusions: said.map(conclusionText).sort(),
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
