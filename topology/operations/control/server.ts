// The control socket of a running process: commands that need what it holds, for its own user only.
//
// A request is a line {"command": NAME, ...arguments}; answers are lines {"progress": ...}, then one {"ok": true, "result": ...} or
// {"ok": false, "error": CODE, "message": WORDS}. One command at a time and connection; a connection that ends stops its command.
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { z } from 'zod'
import { EngineError, messageOf } from '../../../schemas/errors.ts'
import { eachLine, LINE_BYTES_MAX } from './lines.ts'
import { type SocketPath, socketPathOf } from './socket-path.ts'

/** Commands are typed by people; more at once is a mistake. */
export const CONNECTIONS_MAX = 16
/** A connection says its command within this time, or goes. */
const SILENT_MS_MAX = 10_000

const requestSchema = z.looseObject({ command: z.string().max(64) })
type Request = z.infer<typeof requestSchema>

/** Does a command. What it throws as EngineError is told; anything else too, as a bug, and the process goes on. */
export type ControlHandler = (
  args: Readonly<Record<string, unknown>>,
  control: { readonly progress: (what: object) => void; readonly stop: AbortSignal },
) => Promise<object> | object

export interface ControlServer {
  /** Ends commands under way, then takes the socket away. */
  close(): Promise<void>
}

/** Listens in `dataDir`, which this process must own: a socket file that is there is of a dead process. @throws EngineError */
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

/** The socket is never there for others, not even for a moment: the mask is this process's own and set back in the same turn. */
const listen = (server: Server, place: SocketPath): Promise<void> =>
  new Promise((resolve, reject) => {
    rmSync(place.path, { force: true })
    const failed = (cause: Error): void => {
      place.release()
      reject(new EngineError('control_failed', `the control socket ${place.path} cannot be made: ${cause.message}`, { cause }))
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
  const say = (answer: object): void => {
    if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`)
  }
  const refuse = (error: string, message: string): void => {
    say({ ok: false, error, message })
    socket.end()
  }
  let isBusy = false
  socket.on('error', () => {})
  socket.on('close', () => gone.abort())
  socket.setTimeout(SILENT_MS_MAX, () => (isBusy ? undefined : socket.destroy()))
  const begin = (handler: ControlHandler, request: Request): void => {
    isBusy = true
    const work = answer(handler, request, say, gone.signal).finally(() => {
      isBusy = false
      running.delete(work)
    })
    running.add(work)
  }
  const take = (line: string): void => {
    const request = parse(line)
    const handler = request && Object.hasOwn(handlers, request.command) ? handlers[request.command] : undefined
    if (isBusy) refuse('busy', 'the command before this one is still under way')
    else if (request === undefined) refuse('bad_request', 'a request is a line of JSON with a command')
    else if (handler === undefined) refuse('unknown_command', `there is ${Object.keys(handlers).join(', ')}`)
    else begin(handler, request)
  }
  eachLine(socket, take, () => refuse('line_too_long', `a line has at most ${LINE_BYTES_MAX} bytes`))
}

const answer = async (handler: ControlHandler, request: Request, say: (answer: object) => void, stop: AbortSignal): Promise<void> => {
  try {
    say({ ok: true, result: await handler(request, { progress: (what) => say({ progress: what }), stop }) })
  } catch (failure) {
    say({ ok: false, error: failure instanceof EngineError ? failure.code : 'bug', message: messageOf(failure) })
  }
}

const parse = (line: string): Request | undefined => {
  try {
    return requestSchema.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}
