// Runs the independent verifier of odds on proofs as `/v1/odds/proof` returns them.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { dataOf } from '../../query-api/answers/odds/proof.ts'
import type { OddsProof } from '../../topology/ports/odds-history.ts'

const VERIFIER = fileURLToPath(new URL('../../query-api/guides/verify_odds.mjs', import.meta.url))

export interface Verified {
  readonly code: number | null
  readonly lines: readonly string[]
}
/** Verifies the `data` of answers, valid or not. */
export const verifiedData = (answers: readonly unknown[]): Verified => {
  const input = answers.map((answer) => `${JSON.stringify(answer)}\n`).join('')
  const { status, stdout } = spawnSync(process.execPath, [VERIFIER, '-'], { input, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  return { code: status, lines: stdout.split('\n').filter((line) => line !== '') }
}
export const verified = (proofs: readonly OddsProof[]): Verified =>
  verifiedData(proofs.map((proof) => dataOf(proof, Number.MAX_SAFE_INTEGER)))
