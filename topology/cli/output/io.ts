// The real environment of a command: stdout with backpressure, stderr for text, and stop signals.
import { EngineError } from '../../../schemas/errors.ts'
import type { Io } from '../command.ts'

/** Time limit of a clean stop, unless a command extends it; then the process exits anyway. Half a second below the promised 10 s. */
const STOP_MS_MAX = 9_500
/** `npm start` forwards the Ctrl-C that the terminal already sent: a second signal within this time is the same one. */
const ECHO_MS_MAX = 500
/** A status line may stand where a notice begins. */
const CLEAR_LINE = '\r\x1b[2K'
/** Exit codes that shells use for SIGINT and SIGTERM. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/** The parts of the process used here; tests pass their own. */
export interface ProcessEdges {
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown
  exit(code: number): void
}

/** The environment of this process, and the exit code that the command set. */
export interface RealIo extends Io {
  /** Adds variables from a file; those of the environment win. */
  addEnv(variables: Readonly<Record<string, string | undefined>>): void
  exitCode(): number
}

/**
 * Binds a command to the process. Signal handlers are installed only when a command reads `stop`, so a command that never does ends
 * at the first Ctrl-C. A second signal, more than ECHO_MS_MAX later, exits immediately. If the reader of stdout closes it (`| head`), the
 * process ends quietly.
 */
export const createIo = (edges: ProcessEdges): RealIo => {
  let code: 0 | 1 = 0
  let env = edges.env
  let stopMsMax = STOP_MS_MAX
  const stopOf = lazily(() => stopOnSignals(edges, () => stopMsMax))
  edges.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') edges.exit(code)
  })
  edges.stderr.on('error', () => undefined)
  return {
    out: (data) => write(edges.stdout, data),
    printNotice: (line) => void edges.stderr.write(`${edges.stderr.isTTY === true ? CLEAR_LINE : ''}${line}\n`),
    get env() {
      return env
    },
    addEnv: (variables) => {
      env = { ...variables, ...edges.env }
    },
    terminal: edges.stderr.isTTY === true,
    outTerminal: edges.stdout.isTTY === true,
    get stop() {
      return stopOf()
    },
    extendStop: (byMs) => {
      stopMsMax += byMs
    },
    setExitCode: (value) => {
      code = value
    },
    exitCode: () => code,
  }
}

/** Resolves when the data is handed to the stream; a full pipe makes the caller wait. */
const write = (stream: NodeJS.WritableStream, data: string | Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(data, (error) => {
      if (!error) return resolve()
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return
      reject(
        new EngineError('output_failed', `cannot write to stdout: ${error.message}; free space where stdout is redirected`, {
          cause: error,
        }),
      )
    })
  })

const stopOnSignals = (edges: ProcessEdges, msMax: () => number): AbortSignal => {
  const controller = new AbortController()
  let signalledMs = 0
  const onSignal = (signal: 'SIGINT' | 'SIGTERM') => (): void => {
    if (!controller.signal.aborted) {
      signalledMs = performance.now()
      controller.abort()
      setTimeout(() => endAnyway(edges, msMax()), msMax()).unref()
    } else if (performance.now() - signalledMs > ECHO_MS_MAX) edges.exit(SIGNAL_CODES[signal])
  }
  edges.on('SIGINT', onSignal('SIGINT'))
  edges.on('SIGTERM', onSignal('SIGTERM'))
  return controller.signal
}

const endAnyway = (edges: ProcessEdges, msMax: number): void => {
  edges.stderr.write(`did not stop within ${msMax / 1000} s: exiting now; committed work is kept\n`)
  edges.exit(3)
}

const lazily = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
