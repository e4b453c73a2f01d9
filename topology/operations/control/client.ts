// Sends a command to the process that owns a data directory.
import { connect, type Socket } from 'node:net'
import * as z from 'zod'
import { EngineError } from '../../../schemas/errors.ts'
import { eachLine } from './lines.ts'
import { type SocketPath, socketPathOf } from './socket-path.ts'

const answerSchema = z.union([
  z.object({ progress: z.record(z.string(), z.unknown()) }),
  z.object({ ok: z.literal(true), result: z.record(z.string(), z.unknown()) }),
  z.object({ ok: z.literal(false), error: z.string(), message: z.string() }),
])
type Answer = z.infer<typeof answerSchema>
type Facts = Readonly<Record<string, unknown>>

export interface Asking {
  readonly dataDir: string
  readonly command: string
  readonly args?: Facts
  readonly progress?: (what: Facts) => void
  readonly stop?: AbortSignal
  /** The process counts as not responding if it sends no line for this long. */
  readonly silentMsMax?: number
}

const SILENT_MS_MAX = 10_000

/** Returns the command's result. @throws EngineError `control_unreachable` if no process answers, `control_failed` with its message. */
export const askControl = async (asking: Asking): Promise<Facts> => {
  const place = placeOf(asking.dataDir)
  try {
    return await converse(place.path, asking)
  } finally {
    place.release()
  }
}

const unreachable = (dataDir: string, why: string): EngineError =>
  new EngineError('control_unreachable', `no mintfold process answers in ${dataDir}: ${why}`, { retriable: true, facts: { dataDir } })
const failed = (words: string, facts: Record<string, string> = {}): EngineError => new EngineError('control_failed', words, { facts })

const placeOf = (dataDir: string): SocketPath => {
  try {
    return socketPathOf(dataDir)
  } catch (cause) {
    if (cause instanceof EngineError) throw cause
    throw unreachable(dataDir, (cause as Error).message)
  }
}

const converse = (path: string, { dataDir, command, args, progress, stop, silentMsMax = SILENT_MS_MAX }: Asking): Promise<Facts> =>
  new Promise((resolve, reject) => {
    const socket: Socket = connect(path)
    const end = (settle: () => void): void => {
      stop?.removeEventListener('abort', stopped)
      socket.destroy()
      settle()
    }
    const stopped = (): void => end(() => reject(failed(`${command} was stopped`)))
    stop?.addEventListener('abort', stopped, { once: true })
    socket.setTimeout(silentMsMax, () => end(() => reject(unreachable(dataDir, `it sent nothing for ${silentMsMax / 1_000} s`))))
    socket.on('error', (cause) => end(() => reject(unreachable(dataDir, cause.message))))
    socket.on('close', () => end(() => reject(unreachable(dataDir, 'it closed the connection before it answered'))))
    socket.on('connect', () => void socket.write(`${JSON.stringify({ ...args, command })}\n`))
    const take = (line: string): void => {
      const answer = parse(line)
      if (answer === undefined)
        end(() => reject(failed(`the answer of the process in ${dataDir} is not understood: is it another version?`)))
      else if ('progress' in answer) progress?.(answer.progress)
      else if (answer.ok) end(() => resolve(answer.result))
      else end(() => reject(failed(answer.message, { error: answer.error })))
    }
    eachLine(socket, take, () => end(() => reject(failed('its answer is too long'))))
  })

const parse = (line: string): Answer | undefined => {
  try {
    return answerSchema.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}
