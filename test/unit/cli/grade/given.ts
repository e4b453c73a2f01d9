// Files of predictions, and the command that grades them.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Seeded } from '../../../../processors/seeded.ts'
import { main } from '../../../../topology/cli/main.ts'
import { createIo } from '../../../../topology/cli/output/io.ts'
import { removeDirectory } from '../../../tools/remove-directory.ts'
import { fakeEdges } from '../fake-edges.ts'

export const HEADER = 'mint,label,probability,time'
/** 2026-10-15 at noon. */
const START_S = 1_792_065_600

export interface Prediction {
  readonly label: 0 | 1
  readonly probability: number
  readonly timeS: number
}

/** Predictions ten minutes apart; most come true slightly more often than predicted. */
export const predictions = (rows: number, seed: number): readonly Prediction[] => {
  const random = new Seeded(seed)
  return Array.from({ length: rows }, (_, row) => {
    const probability = Math.round(random.next() ** 3 * 200) / 200
    return { probability, label: random.next() < probability * 1.1 ? 1 : 0, timeS: START_S + row * 600 }
  })
}
export const csvOf = (rows: readonly Prediction[]): string =>
  [HEADER, ...rows.map(({ label, probability, timeS }, row) => `mint${row},${label},${probability},${timeS}`), ''].join('\n')

export interface Ran {
  readonly code: number
  readonly out: string
  readonly stderr: string
}

/** A directory of files, removed by `end`. */
export const givenFiles = () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-grade-'))
  let files = 0
  const path = (text: string | Uint8Array): string => {
    const file = join(dir, `${files++}.csv`)
    writeFileSync(file, text)
    return file
  }
  const graded = async (text: string | Uint8Array, ...options: string[]): Promise<Ran> => run(path(text), ...options)
  return { dir, path, graded, end: () => removeDirectory(dir) }
}

export type Files = ReturnType<typeof givenFiles>

export const run = async (...args: string[]): Promise<Ran> => {
  const edges = fakeEdges({})
  const code = await main(['grade', ...args], createIo(edges))
  return { code, out: edges.written.stdout, stderr: edges.written.stderr }
}

export const linesOf = ({ out }: Ran): readonly Record<string, unknown>[] =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
