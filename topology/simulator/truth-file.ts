// What really was the matter with each launch of the demo, as JSON lines beside its data: for tests and grading.
import { appendFileSync, existsSync, readFileSync, renameSync, statSync, truncateSync } from 'node:fs'
import { EngineError, messageOf } from '../../schemas/errors.ts'

/** A file that has grown to this becomes `<path>.old`, in place of the one before it. */
const FILE_BYTES_MAX = 64 * 1024 * 1024

const lastOf = (text: string): string | undefined => text.trimEnd().split('\n').at(-1) || undefined

/** How many truths were written, after a line that a kill cut off is taken out of the file. */
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
 * One line a truth, beside `n`, which counts the truths of the stream from 0. Takes truths in the order in which the market tells them,
 * from its first one on at every start, and writes those that are not there yet. @throws EngineError `output_failed` when the disk refuses.
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
