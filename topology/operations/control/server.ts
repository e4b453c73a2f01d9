// The control socket of a running process, for its own user only: commands that need the process's in-memory state or open stores.
//
// A request is a line {"command": NAME, ...arguments}; answers are lines {"progress": ...}, then one {"ok": true, "result": ...} or
// {"ok": false, "error": CODE, "message": TEXT}. A connection runs one command at a time; closing it stops its command.
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import * as z from 'zod'
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { eachLine, LINE_BYTES_MAX } from './lines.ts'
import { type SocketPath, socketPathOf } from './socket-path.ts'

/** People type the commands; more connections than this are a mistake. */
export const CONNECTIONS_MAX = 16
/** A connection without a running command is closed after this time. */
const SILENT_MS_MAX = 10_000

const requestSchema = z.looseObject({ command: z.string().max(64) })
type Request = z.infer<typeof requestSchema>

/** Runs a command. An EngineError is sent with its code, any other error as `bug`; the process goes on. */
export type ControlHandler = (
  args: Readonly<Record<string, unknown>>,
  control: { readonly progress: (what: object) => void; readonly stop: AbortSignal },
) => Promise<object> | object

export interface ControlServer {
  /** Stops running commands, then removes the socket. */
  close(): Promise<void>
}

/** Listens in `dataDir`, which this process must own: an existing socket file belongs to a dead process. @throws EngineError */
export const serveControl = async (dataDir: string, handlers: Readonly<Record<string, ControlHandler>>): Promise<ControlServer> => {
  const sockets = new Set<Socket>()
  const running = new Set<Promise<void>>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    converse(socket, handlers, running)
  })
  server.maxConnections = CONNECTIONS_MAX
  const place = socketPathOf(dataDir)
  await listen(server, place)
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await Promise.all(running)
      await closed
      place.release()
    },
  }
}

/** The umask keeps other users out from the moment of creation. It is process-wide, and restored in the same turn of the event loop. */
const listen = (server: Server, place: SocketPath): Promise<void> =>
  new Promise((resolve, reject) => {
    rmSync(place.path, { force: true })
    const failed = (cause: Error): void => {
      place.release()
      reject(new EngineError('control_failed', `the control socket ${place.path} cannot be created: ${cause.message}`, { cause }))
    }
    server.once('error', failed)
    const mask = process.umask(0o177)
    try {
      server.listen(place.path, () => {
        chmodSync(place.path, 0o600)
        server.off('error', failed).on('error', () => {})
        resolve()
      })
    } finally {
      process.umask(mask)
    }
  })

const converse = (socket: Socket, handlers: Readonly<Record<string, ControlHandler>>, running: Set<Promise<void>>): void => {
  const gone = new AbortController()
  const send = (answer: object): void => {
    if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`)
  }
  const refuse = (error: string, message: string): void => {
    send({ ok: false, error, message })
    socket.end()
  }
  let isBusy = false
  socket.on('error', () => {})
  socket.on('close', () => gone.abort())
  socket.setTimeout(SILENT_MS_MAX, () => (isBusy ? undefined : socket.destroy()))
  const begin = (handler: ControlHandler, request: Request): void => {
    isBusy = true
    const work = answer(handler, request, send, gone.signal).finally(() => {
      isBusy = false
      running.delete(work)
    })
    running.add(work)
  }
  const take = (line: string): void => {
    const request = parse(line)
    const handler = request && Object.hasOwn(handlers, request.command) ? handlers[request.command] : undefined
    if (isBusy) refuse('busy', 'the previous command of this connection is still running')
    else if (request === undefined) refuse('bad_request', 'a request must be a line of JSON with a command')
    else if (handler === undefined) refuse('unknown_command', `the commands are ${Object.keys(handlers).join(', ')}`)
    else begin(handler, request)
  }
  eachLine(socket, take, () => refuse('line_too_long', `a line has at most ${LINE_BYTES_MAX} bytes`))
}

const answer = async (handler: ControlHandler, request: Request, send: (answer: object) => void, stop: AbortSignal): Promise<void> => {
  try {
    send({ ok: true, result: await handler(request, { progress: (what) => send({ progress: what }), stop }) })
  } catch (failure) {
    send({ ok: false, error: failure instanceof EngineError ? failure.code : 'bug', message: messageOf(failure) })
  }
}

const parse = (line: string): Request | undefined => {
  try {
    return requestSchema.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}
