// Every trade on a mint known from its launch follows from the reserves before it: mayhem, boosted and synthetic ones too.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitFrame } from '../../processors/chains/frame-parts.ts'
import { parseChainFile } from '../../processors/chains/solana/chain-file.ts'
import { makeFrames } from '../../processors/chains/solana/make-frames.ts'
import type { SourceBlock } from '../../processors/chains/solana/source-transaction.ts'
import type { RawFrame } from '../../schemas/types.ts'
import { readRecording } from '../../topology/sources/recording/recording-file.ts'
import { demoContinuity, recordedContinuity, unfollowed } from '../fixtures/continuity.ts'

const RECORDINGS = join(__dirname, '../recordings')
const MORE_DATA = join(__dirname, '../../../shared/data/solana')

test('minutes of the demo have all kinds of trades, and each follows from the one before it', () => {
  const report = demoContinuity({ seed: 8, rate: 20, seconds: 480 })
  expect(report.findings).toEqual([])
  expect(report.findingsElsewhere).toEqual([])
  expect(unfollowed(report)).toEqual([])
  const { plain, other_quote, mayhem, agent, synthetic, pool, boosted_pool } = report.kinds
  for (const kind of [plain, other_quote, mayhem, agent, pool, boosted_pool]) expect(kind?.trades).toBeGreaterThan(20)
  expect(synthetic?.trades).toBeGreaterThan(0)
  expect(report.full).toBeGreaterThan(150)
})

const recorded = async (name: string): Promise<RawFrame[]> => {
  const frames: RawFrame[] = []
  for await (const frame of readRecording(join(RECORDINGS, `${name}.avro`))) frames.push(frame)
  return frames
}

test.each(['launches', 'transactions', 'blocks'])('in the recording %s the trades of full mints follow from each other', async (name) => {
  const report = recordedContinuity(await recorded(name))
  expect(report.findings).toEqual([])
  expect(unfollowed(report)).toEqual([])
  if (name === 'launches') expect(report.kinds.plain?.trades).toBeGreaterThan(0)
  // Loose transactions have a position only if slot and index are known; the others are on no ordered tape.
  if (name !== 'transactions') expect(report.findingsElsewhere).toEqual([])
})

const takeAll = (folder: string): readonly SourceBlock[] =>
  readdirSync(join(MORE_DATA, folder))
    .sort()
    .filter((name) => !name.includes('converted') && name !== 'manifest.json')
    .flatMap((name) => {
      const parsed = parseChainFile(readFileSync(join(MORE_DATA, folder, name)), name)
      return parsed.ok ? parsed.value.blocks : []
    })

test('in the folder of recorded data next to the project the trades of full mints follow from each other', () => {
  if (!existsSync(MORE_DATA)) {
    process.stderr.write(`SKIPPED: no recorded data at ${MORE_DATA}: only the shipped recordings were checked\n`)
    return
  }
  const made = makeFrames([...takeAll('blocks'), ...takeAll('tx')], false)
  if (!made.ok) throw new Error(made.reason)
  const report = recordedContinuity(made.value.frames.flatMap(splitFrame))
  expect(report.findings).toEqual([])
  expect(unfollowed(report)).toEqual([])
})
