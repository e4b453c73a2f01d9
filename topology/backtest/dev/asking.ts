// Evaluates a detector file over a stretch in a worker thread, which can be ended if the detector never returns.
import type { MessagePort } from 'node:worker_threads'
import { messageOf, UsageError } from '../../../schemas/errors.ts'
import type { Chain } from '../../../schemas/types.ts'
import { type DetectorFile, loadDetectorFile } from '../detector-file/load.ts'
import type { SeenRows } from '../trials/market.ts'
import { type Answer, answerOf } from './answer.ts'
import { LaunchReader } from './launches.ts'
import type { KeptChunks } from './records.ts'
import type { Vitals } from './vitals.ts'

/** `ask`: evaluate the current file from the beginning. `more`: continue the same request with newer data. */
export interface Asked {
  readonly type: 'ask' | 'more'
  readonly ask: number
  readonly path: string
  readonly chain: Chain
  readonly delayS: number
  readonly kept: KeptChunks
}

export type Told =
  | { readonly type: 'ready' }
  | { readonly type: 'loaded'; readonly ask: number; readonly id: string }
  | { readonly type: 'answered'; readonly ask: number; readonly answer: Answer; readonly calls: number; readonly tookMs: number }
  | { readonly type: 'failed'; readonly ask: number; readonly words: string }

/** A file with its instance, and how far it has been evaluated. */
interface Loaded {
  readonly ask: number
  readonly file: DetectorFile
  readonly reader: LaunchReader<SeenRows>
  calls: number
}

/** Types are checked separately, by another process. */
const unchecked = async (): Promise<boolean> => false

/** Serves one port until the thread ends; of several waiting messages only the newest counts. */
export const serveAsking = (port: MessagePort, vitals: Vitals): void => {
  let loaded: Loaded | undefined
  let newest: Asked | undefined
  let isBusy = false
  const tell = (told: Told): void => port.postMessage(told)
  const serve = async (asked: Asked): Promise<void> => {
    const startedMs = performance.now()
    try {
      if (loaded?.ask !== asked.ask) {
        loaded = undefined
        loaded = await loadedOf(asked, vitals)
        tell({ type: 'loaded', ask: asked.ask, id: loaded.file.id })
      }
      if (!loaded.reader.read(asked.kept, () => vitals.wanted === asked.ask)) return
      const { from, to } = asked.kept
      const answer = answerOf(factsOf(loaded.file), [...loaded.reader.launches], { ...asked, from, to })
      tell({ type: 'answered', ask: asked.ask, answer, calls: loaded.calls, tookMs: performance.now() - startedMs })
    } catch (failure) {
      loaded = undefined
      tell({ type: 'failed', ask: asked.ask, words: wordsOf(failure) })
    }
  }
  const serveAll = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    while (newest !== undefined) {
      const asked: Asked = newest
      newest = undefined
      // A failed request is not continued; a changed file starts a new one.
      if (asked.ask === vitals.wanted && (asked.type === 'ask' || loaded?.ask === asked.ask)) await serve(asked)
    }
    isBusy = false
  }
  port.on('message', (asked: Asked) => {
    newest = newest?.ask === asked.ask && newest.type === 'ask' ? { ...asked, type: 'ask' } : asked
    void serveAll()
  })
  tell({ type: 'ready' })
}

const loadedOf = async ({ ask, path, chain, kept }: Asked, vitals: Vitals): Promise<Loaded> => {
  const file = await loadDetectorFile(path, unchecked)
  if (file.of !== kept.of) throw new UsageError(`${file.path} is a detector of ${file.of}s, but the tape is of the chain ${chain}`)
  const instance = file.make() as { find(rows: SeenRows): object | undefined }
  const loaded: Loaded = {
    ...{ ask, file, calls: 0 },
    reader: new LaunchReader(file.of, (rows) => {
      loaded.calls++
      vitals.call(rows.position)
      const evidence = instance.find(rows)
      return evidence === undefined ? undefined : JSON.stringify(evidence)
    }),
  }
  return loaded
}

const factsOf = ({ id, version, flag, firesWhen, settings, hash }: DetectorFile): Answer['detector'] => ({
  ...{ id, version, flag, firesWhen, settings: { ...settings }, hash },
})

const wordsOf = (failure: unknown): string =>
  failure instanceof UsageError
    ? failure.message
    : `a bug, please report it: ${failure instanceof Error ? failure.stack : messageOf(failure)}`
