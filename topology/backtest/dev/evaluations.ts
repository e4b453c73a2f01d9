// The worker thread that evaluates a detector file over a stretch of the tape; it can be ended if the detector never returns.
import type { MessagePort } from 'node:worker_threads'
import { messageOf, UsageError } from '../../../schemas/errors.ts'
import type { Chain } from '../../../schemas/types.ts'
import { type DetectorFile, loadDetectorFile } from '../detector-file/load.ts'
import type { SeenRows } from '../trials/market.ts'
import { type Answer, answerOf } from './answer.ts'
import { LaunchReader } from './launches.ts'
import type { KeptChunks } from './records.ts'
import type { Vitals } from './vitals.ts'

/** `evaluate`: evaluate the current file from the beginning. `extend`: continue the same request with newer data. */
export interface EvaluationRequest {
  readonly type: 'evaluate' | 'extend'
  readonly requestNumber: number
  readonly path: string
  readonly chain: Chain
  readonly delayS: number
  readonly kept: KeptChunks
}

export type EvaluationReply =
  | { readonly type: 'ready' }
  | { readonly type: 'loaded'; readonly requestNumber: number; readonly id: string }
  | { readonly type: 'answered'; readonly requestNumber: number; readonly answer: Answer; readonly calls: number; readonly tookMs: number }
  | { readonly type: 'failed'; readonly requestNumber: number; readonly message: string }

/** A loaded detector file, and the reader that calls it and remembers how far it has read. */
interface Loaded {
  readonly requestNumber: number
  readonly file: DetectorFile
  readonly reader: LaunchReader<SeenRows>
  calls: number
}

/** Skips the type check, which another process runs. */
const skipTypeCheck = async (): Promise<boolean> => false

/** Serves requests until the thread ends; of several queued requests only the newest is evaluated. */
export const serveEvaluations = (port: MessagePort, vitals: Vitals): void => {
  let loaded: Loaded | undefined
  let newest: EvaluationRequest | undefined
  let isBusy = false
  const send = (reply: EvaluationReply): void => port.postMessage(reply)
  const serve = async (request: EvaluationRequest): Promise<void> => {
    const startedMs = performance.now()
    try {
      if (loaded?.requestNumber !== request.requestNumber) {
        loaded = undefined
        loaded = await loadedOf(request, vitals)
        send({ type: 'loaded', requestNumber: request.requestNumber, id: loaded.file.id })
      }
      if (!loaded.reader.read(request.kept, () => vitals.wanted === request.requestNumber)) return
      const { from, to } = request.kept
      const answer = answerOf(factsOf(loaded.file), [...loaded.reader.launches], { ...request, from, to })
      send({ type: 'answered', requestNumber: request.requestNumber, answer, calls: loaded.calls, tookMs: performance.now() - startedMs })
    } catch (failure) {
      loaded = undefined
      send({ type: 'failed', requestNumber: request.requestNumber, message: messageIn(failure) })
    }
  }
  const serveAll = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    while (newest !== undefined) {
      const request: EvaluationRequest = newest
      newest = undefined
      // A failed request is not continued; a changed file starts a new one.
      if (request.requestNumber === vitals.wanted && (request.type === 'evaluate' || loaded?.requestNumber === request.requestNumber))
        await serve(request)
    }
    isBusy = false
  }
  port.on('message', (request: EvaluationRequest) => {
    newest = newest?.requestNumber === request.requestNumber && newest.type === 'evaluate' ? { ...request, type: 'evaluate' } : request
    void serveAll()
  })
  send({ type: 'ready' })
}

const loadedOf = async ({ requestNumber, path, chain, kept }: EvaluationRequest, vitals: Vitals): Promise<Loaded> => {
  const file = await loadDetectorFile(path, skipTypeCheck)
  if (file.of !== kept.of) throw new UsageError(`${file.path} is a detector of ${file.of}s, but the tape is of the chain ${chain}`)
  const instance = file.make() as { find(rows: SeenRows): object | undefined }
  const loaded: Loaded = {
    ...{ requestNumber, file, calls: 0 },
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

const messageIn = (failure: unknown): string =>
  failure instanceof UsageError
    ? failure.message
    : `a bug, please report it: ${failure instanceof Error ? failure.stack : messageOf(failure)}`
