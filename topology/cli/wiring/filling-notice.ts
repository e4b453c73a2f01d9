// Warns of a history that a running mintfold still fills: sums and counts are partial then, and nothing in them shows it.
import * as z from 'zod'
import { askControl } from '../../operations/control/client.ts'
import type { Io } from '../command.ts'
import type { Settings } from '../settings/settings.ts'

/** For each of two questions to the running process, which a query must not wait for. */
const ANSWER_MS_MAX = 1_500
/** Rows come in batches: a smaller lag is that of a whole history. */
const BEHIND_MS_MAX = 120_000
const MINUTE_MS = 60_000
/** In the texts of `degraded`. */
const STARTING = /^starting: (.*)$/

const healthSchema = z.object({
  history: z.object({ up_to: z.number().nullable(), behind_ms: z.number().nullable() }).nullable(),
  degraded: z.array(z.string()).default([]),
})

/** What is missing, of the answer of `/health`; null for a whole history. */
const fillingWords = (health: unknown): string | null => {
  const { history, degraded } = healthSchema.parse(health)
  if (history === null) return null
  const { up_to: upTo, behind_ms: behindMs } = history
  if (upTo !== null && behindMs !== null) return behindMs > BEHIND_MS_MAX ? wordsOf(upTo, behindMs) : null
  const [, why] = degraded.map((text) => STARTING.exec(text)).find((found) => found !== null) ?? []
  return why === undefined ? null : `the history is being filled, and has no rows of this start yet (${why}): results are partial`
}

const wordsOf = (upTo: number, behindMs: number): string => {
  const minutes = Math.round(behindMs / MINUTE_MS)
  const behind = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const until = new Date(upTo * 1_000).toISOString().slice(0, 19).replace('T', ' ')
  return `the history is being filled: it has everything up to ${until} UTC, ${behind} before the newest block; results are partial`
}

/** Prints nothing if no mintfold runs on the data directory, or if it does not answer at once. */
export const noticeFilling = async ({ dataDir }: Pick<Settings, 'dataDir'>, io: Pick<Io, 'printNotice' | 'stop'>): Promise<void> => {
  const words = await (async () => {
    const { url } = await askControl({ dataDir, command: 'status', stop: io.stop, silentMsMax: ANSWER_MS_MAX })
    const response = await fetch(`${url}/health`, { signal: AbortSignal.any([io.stop, AbortSignal.timeout(ANSWER_MS_MAX)]) })
    return fillingWords(await response.json())
  })().catch(() => null)
  if (words !== null) io.printNotice(words)
}
