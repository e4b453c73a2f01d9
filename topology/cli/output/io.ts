// The real edges of a command: stdout with back-pressure, stderr for words, signals that stop.
import { EngineError } from '../../../schemas/errors.ts'
import type { Io } from '../command.ts'

/** A clean stop may take this long; then the process ends anyway. Half a second below the promised 10 s. */
const STOP_MS_MAX = 9_500
/** `npm start` passes on the Ctrl-C that the terminal already sent: the second of two this close is the same one. */
const ECHO_MS_MAX = 500
/** Exit codes that shells give for SIGINT and SIGTERM. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/** What of the process the edges need: tests give their own. */
export interface ProcessEdges {
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): void
}

/** Edges of this process, and the code that the command set. */
export interface RealIo extends Io {
  /** Adds variables of a file; those of the environment win. */
  addEnv(variables: Readonly<Record<string, string | undefined>>): void
  exitCode(): number
}

/**
 * Binds a command to the process. Signals are taken over only once a command reads `stop`, so that one that never looks at it ends
 * at the first Ctrl-C. A later second signal ends at once. A reader that closed stdout (`| head`) ends the process quietly.
 */
export const createIo = (edges: ProcessEdges): RealIo => {
  let code: 0 | 1 = 0
  let env = edges.env
  const stopOf = lazily(() => stopOnSignals(edges))
  edges.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') edges.exit(code)
  })
  edges.stderr.on('error', () => undefined)
  return {
    out: (data) => write(edges.stdout, data),
    say: (line) => void edges.stderr.write(`${line}\n`),
    get env() {
      return env
    },
    addEnv: (variables) => {
      env = { ...variables, ...edges.env }
    },
    terminal: edges.stderr.isTTY === true,
    get stop() {
      return stopOf()
    },
    setExitCode: (value) => {
      code = value
    },
    exitCode: () => code,
  }
}

/** Resolves when the data is handed over; a full pipe makes the caller wait. */
const write = (stream: NodeJS.WritableStream, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(data, (error) => {
      if (!error) return resolve()
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return
      reject(
        new EngineError('output_failed', `cannot write to stdout: ${error.message}; free space where it is redirected to`, {
          cause: error,
        }),
      )
    })
  })

const stopOnSignals = (edges: ProcessEdges): AbortSignal => {
  const controller = new AbortController()
  let signalledMs = 0
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => (): void => {
    if (!controller.signal.aborted) {
      signalledMs = performance.now()
      controller.abort()
      setTimeout(() => endAnyway(edges), STOP_MS_MAX).unref()
    } else if (performance.now() - signalledMs > ECHO_MS_MAX) edges.exit(SIGNAL_CODES[signal])
  }
  edges.on('SIGINT', onSignal('SIGINT'))
  edges.on('SIGTERM', onSignal('SIGTERM'))
  return controller.signal
}

const endAnyway = (edges: ProcessEdges): void => {
  edges.stderr.write(`did not stop within ${STOP_MS_MAX / 1000} s: ended now; what was committed is kept\n`)
  edges.exit(3)
}

const lazily = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
