// The stream that the roles on Kafka play.
import { register as registerRecord } from '../../topology/cli/commands/recordings/record.ts'
import type { SourceOptions } from '../../topology/cli/settings/source-options.ts'
import { PACED_FROM_MS } from '../../topology/simulator/solana/defaults.ts'
import type { Stretch } from '../../topology/sources/source.ts'
import { runCommand } from '../fakes/run-command.ts'

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
