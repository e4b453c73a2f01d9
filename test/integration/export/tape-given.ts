// A tape of two days, with a day without a frame in between, and the commands on it.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tapeBatchCodec } from '../../../schemas/codecs.ts'
import type { TapeBatch } from '../../../schemas/types.ts'
import { register as registerExport } from '../../../topology/cli/commands/days/export.ts'
import { register as registerImport } from '../../../topology/cli/commands/recordings/import.ts'
import { type Manifest, manifestSchema } from '../../../topology/operations/export/manifest.ts'
import { writeTape } from '../../../topology/sources/recording/tape-file.ts'
import { syntheticTape } from '../../bench/synthetic-tape.ts'
import { type Ran, runCommand } from '../../fakes/run-command.ts'

const DAY_S = 86_400
const FIRST_S = Date.UTC(2026, 9, 15, 23, 59) / 1_000
const SHAPE = { events: 400, eventsPerFrame: 4, eventsPerMint: 31 }

/** A frame each second from a minute before the first midnight, then the same a day later. */
export const tapeOf = (seed: number, events = SHAPE.events): readonly TapeBatch[] => {
  const frames = [...syntheticTape({ ...SHAPE, events, seed })]
  return frames.map((frame, n) => ({ ...frame, time: FIRST_S + (n < frames.length / 2 ? n % 60 : DAY_S + 60 + (n % 60)) }))
}

export interface GivenTapes {
  at(name: string): string
  tape(name: string, frames: readonly TapeBatch[]): Promise<string>
  export(args: readonly string[], stop?: AbortSignal): Promise<Ran>
  import(args: readonly string[]): Promise<Ran>
}

export const givenTapes = (): GivenTapes => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-days-'))
  const at = (name: string): string => join(dir, name)
  return {
    at,
    tape: async (name, frames) => {
      await writeTape(at(name), frames, tapeBatchCodec)
      return at(name)
    },
    export: (args, stop = new AbortController().signal) => runCommand(registerExport, ['export', ...args], { stop }),
    import: (args) => runCommand(registerImport, ['import', ...args]),
  }
}

export const manifestIn = (dir: string): Manifest => manifestSchema.parse(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')))

/** Changes a manifest and keeps it consistent. */
export const rewrite = (dir: string, change: (manifest: Record<string, unknown> & Manifest) => object): void => {
  const path = join(dir, 'manifest.json')
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')))))
}
export const sumOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
