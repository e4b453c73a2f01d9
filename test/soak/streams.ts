// The streams that soaks play: the demo's market and the curves' chain, the same for every log.

import { setTimeout as pause } from 'node:timers/promises'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import type { RawRecord } from '../../schemas/types.ts'
import { register as registerRecord } from '../../topology/cli/commands/recordings/record.ts'
import type { SourceOptions } from '../../topology/cli/settings/source-options.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { CurveReplay } from '../../topology/runtime/curve-replay.ts'
import { PACED_FROM_MS } from '../../topology/simulator/solana/defaults.ts'
import type { Stretch } from '../../topology/sources/source.ts'
import { conclusionsOf, inputsOf } from '../../topology/topology.ts'
import { runCommand } from '../fakes/run-command.ts'
import { canonicalFrames } from '../fixtures/canonical-frames.ts'
import { curveCardsOn } from '../fixtures/curve-contents.ts'
import { demoCurveBodies, forkedBodies } from '../fixtures/demo-curves.ts'
import { conclusionText, standingConclusionsOn } from '../live.ts'
import { type Compared, differencesOf } from './compare.ts'
import { retried } from './requests.ts'

/** The stream to play: a recording of this many frames of a demo, or the demo itself if `demo` is given. */
export interface Plan {
  readonly seed: number
  readonly rate: number
  readonly frames: number
  readonly partitions: number
  readonly demo?: { readonly forks: number; readonly gap: Stretch }
  /** Minutes of the stream of curves, with forks, that is played at the same time; if absent, none. */
  readonly curveMinutes?: number
  /** Wall time in which that stream is sent, s; by default a few. */
  readonly curveFeedS?: number
}

/** The demo of a plan, from its first frame on. */
export const demoOf = ({ seed, rate, frames, demo }: Plan): SourceOptions => ({
  ...{ source: 'demo:solana', speed: 'max', history: 0, seed, rate, frames, start: PACED_FROM_MS },
  ...(demo !== undefined && { forks: demo.forks, gap: [demo.gap] }),
})

/** Writes a demo's frames to a file: unlike the demo itself, a recording is paced from its first frame on. */
export const recorded = async ({ seed, rate, frames }: Plan, out: string): Promise<void> => {
  const args = ['record', '--out', out, '--seed', seed, '--rate', rate, '--frames', frames, '--speed', 'max']
  await runCommand(registerRecord, args.map(String))
}

/** The options as words of a command line. */
export const wordsOf = ({ gap = [], start, ...options }: SourceOptions): string[] => [
  ...(start === undefined ? [] : ['--start', String(start / 1_000)]),
  ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
  ...gap.flatMap(({ fromS, toS }) => ['--gap', `${fromS}..${toS}`]),
]

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

export const CHUNKS = 40
const { raw } = inputsOf(CURVE_RISK)

/**
 * Pauses `chunkMs` between `CHUNKS` chunks, and waits for brokers that do not respond. Numbers records itself: Kafka's offsets include
 * transaction markers.
 */
export const feedCurves = async (log: Log, bodies: readonly RawRecord['body'][], chunkMs: number): Promise<void> => {
  const owner = await retried(() => log.own('test-capture-alt'))
  const chunk = Math.ceil(bodies.length / CHUNKS)
  for (let at = 0; at < bodies.length; at += chunk) {
    const outputs = bodies.slice(at, at + chunk).map((body, n) => ({
      ...{ topic: raw, partition: 0, key: Buffer.from(CURVE_RISK.chain.name) },
      value: rawRecordCodec.encode({ sequence: at + n + 1, body }),
    }))
    await retried(() => owner.commit({ outputs, inputs: new Map() }))
    if (chunkMs > 0) await pause(chunkMs)
  }
}
