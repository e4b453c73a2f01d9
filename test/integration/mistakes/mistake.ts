// A mistake of an operator, forced: the command line and settings, and the required message.

import { main } from '../../../topology/cli/main.ts'
import { createIo } from '../../../topology/cli/output/io.ts'
import { fakeEdges } from '../../unit/cli/fake-edges.ts'

export type Env = Readonly<Record<string, string>>

export interface Mistake {
  /** For readers of a failure. */
  readonly what: string
  readonly argv: readonly string[]
  readonly env?: Env
  /** 2: wrong usage, 3: external failure. */
  readonly code: 2 | 3
  /** What is wrong and where, and what to do. */
  readonly messages: readonly (string | RegExp)[]
  /** How `doctor` names it in advance; absent where it does not concern settings, paths and servers. */
  readonly doctor?: { readonly message: string | RegExp; readonly args?: readonly string[] }
}

/** A mistake is named at once; a server that does not respond may take its limit. */
const ANSWER_MS_MAX = 60_000
/** Must never be printed. */
export const SECRET = 'hunter2-hunter2-hunter2'
/** Phrases of advice: an error message needs one of them. */
const ADVICE = new RegExp(
  [
    ...[
      'must be',
      'set ',
      'unset',
      'unknown',
      'check ',
      'name ',
      'start ',
      'stop ',
      'free ',
      'make ',
      'makes ',
      'give ',
      'write ',
      'writes ',
    ],
    ...['run ', 'use ', 'move ', 'leave ', 'take ', 'takes', 'missing', 'required', 'lists ', 'needs ', 'reads', 'exchange', 'too many'],
    ...[
      'can only be used',
      'cannot be used',
      'create ',
      'swap',
      'keep ',
      'split ',
      'omit',
      'fix ',
      'without',
      'starts with',
      'one of',
      'Did you mean',
    ],
  ].join('|'),
  'i',
)

export interface Ran {
  readonly code: number
  readonly out: string
  readonly stderr: string
  readonly ms: number
}

/** Runs one command line in this process, like the bin; stopped at the limit. */
export const run = async (argv: readonly string[], env: Env): Promise<Ran> => {
  const edges = fakeEdges({ ...env })
  const startedMs = performance.now()
  const limit = setTimeout(() => edges.signal('SIGTERM'), ANSWER_MS_MAX)
  const code = await main(argv, createIo(edges))
  clearTimeout(limit)
  return { code, out: edges.written.stdout, stderr: edges.written.stderr, ms: performance.now() - startedMs }
}

/** What is wrong with the response to a mistake; empty where it is as required. */
export const faultsOf = (mistake: Mistake, { code, out, stderr, ms }: Ran): readonly string[] => {
  const faults: string[] = []
  if (ms >= ANSWER_MS_MAX) faults.push(`took ${Math.round(ms)} ms`)
  if (code !== mistake.code) faults.push(`exit code ${code}, not ${mistake.code}`)
  const lines = stderr.trim().split('\n')
  const sentences = lines.filter((line) => /^(mintfold|error): /.test(line))
  if (sentences.length !== 1) faults.push(`${sentences.length} sentences`)
  for (const message of mistake.messages) if (!matches(stderr, message)) faults.push(`does not contain ${message}`)
  if (!ADVICE.test(stderr)) faults.push('does not say what to do')
  if (/a bug|\n\s+at |\[object|undefined/.test(stderr)) faults.push('is put as a bug')
  if ((out + stderr).includes(SECRET)) faults.push('prints a secret')
  return faults.map((fault) => `${mistake.what}: ${fault}\n  stderr: ${stderr.trim().slice(0, 400)}`)
}

/** What is wrong with what `doctor` reports in advance. */
export const doctorFaultsOf = ({ what, doctor }: Mistake, { code, out, stderr }: Ran): readonly string[] => {
  if (doctor === undefined) return []
  const lines = out.split('\n').filter((line) => line.startsWith('not ok'))
  const faults: string[] = []
  if (code !== 1) faults.push(`exit code ${code}`)
  if (!lines.some((line) => matches(line, doctor.message))) faults.push(`does not name ${doctor.message}`)
  if (!lines.some((line) => matches(line, doctor.message) && ADVICE.test(line))) faults.push('does not say what to do')
  if ((out + stderr).includes(SECRET)) faults.push('prints a secret')
  return faults.map((fault) => `${what}: doctor: ${fault}\n  printed: ${lines.join('\n  ').slice(0, 400)} ${stderr.slice(0, 200)}`)
}

const matches = (text: string, expected: string | RegExp): boolean =>
  typeof expected === 'string' ? text.includes(expected) : expected.test(text)

/** All faults of all mistakes, one after the other. */
export const forced = async (mistakes: readonly Mistake[], env: Env): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const mistake of mistakes) {
    const given = { ...env, ...mistake.env }
    if (mistake.doctor !== undefined) faults.push(...doctorFaultsOf(mistake, await run(['doctor', ...(mistake.doctor.args ?? [])], given)))
    faults.push(...faultsOf(mistake, await run(mistake.argv, given)))
  }
  return faults
}
