// Writes the truth about each launch of the demo as JSON lines in the data directory: for tests and grading.
import { appendFileSync, existsSync, readFileSync, renameSync, statSync, truncateSync } from 'node:fs'
import { EngineError, messageOf } from '../../schemas/errors.ts'

/** A file of this size is renamed to `<path>.old`, replacing an older one. */
const FILE_BYTES_MAX = 64 * 1024 * 1024

const lastOf = (text: string): string | undefined => text.trimEnd().split('\n').at(-1) || undefined

/** The number of truths written so far. Truncates an incomplete last line, which a kill left. */
const countIn = (path: string): number => {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole))
  const last = lastOf(whole) ?? (existsSync(`${path}.old`) ? lastOf(readFileSync(`${path}.old`, 'utf8')) : undefined)
  return last === undefined ? 0 : (JSON.parse(last) as { n: number }).n + 1
}

/** Appends a truth, a JSON object. */
export type WriteTruth = (truth: Readonly<Record<string, unknown>>) => void

/**
 * One line per truth, with `n`, its number in the stream from 0. At every start, truths must be passed from the first one on, in the
 * market's order; those already in the file are skipped. @throws EngineError `output_failed` if the file cannot be written.
 */
export const openTruthFile = (path: string, bytesMax: number = FILE_BYTES_MAX): WriteTruth => {
  const failing = <Value>(action: () => Value): Value => {
    try {
      return action()
    } catch (cause) {
      throw new EngineError('output_failed', `the demo's truth cannot be written to ${path}: ${messageOf(cause)}`, {
        cause,
        facts: { path },
      })
    }
  }
  const written = failing(() => countIn(path))
  let bytes = failing(() => (existsSync(path) ? statSync(path).size : 0))
  let n = 0
  return (truth) => {
    const at = n++
    if (at < written) return
    failing(() => {
      const line = `${JSON.stringify({ n: at, ...truth })}\n`
      if (bytes > 0 && bytes + line.length > bytesMax) {
        renameSync(path, `${path}.old`)
        bytes = 0
      }
      appendFileSync(path, line)
      bytes += line.length
    })
  }
}
