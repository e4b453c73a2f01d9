// The environment of a command: output, settings, stop signal. Tests pass their own.
import type { Command } from 'commander'

/** The edges of a command: data goes to `out`, notices and progress to `printNotice`. */
export interface Io {
  /** Writes data to stdout; resolves when it is drained, so a slow reader slows the command (backpressure). */
  out(data: string | Uint8Array): Promise<void>
  /** Writes a line to stderr. */
  printNotice(line: string): void
  readonly env: Readonly<Record<string, string | undefined>>
  /** True when stderr is a terminal: progress may update in place. */
  readonly terminal: boolean
  /** True when stdout is a terminal: data may be laid out for people. */
  readonly outTerminal?: boolean
  /** Fires once on SIGINT or SIGTERM. */
  readonly stop: AbortSignal
  /** Adds to the time limit of a stop, for a server that answers for a while before it closes. Absent: a stop has no limit. */
  extendStop?(byMs: number): void
  /** The process's exit code when the command returns: 0, or 1 when a check found a fault or output was truncated. */
  setExitCode(code: 0 | 1): void
}

/**
 * Adds options and action to a command whose name is set. The action may throw UsageError (exit 2) or EngineError (exit 3); any other error
 * is a bug.
 */
export type Register = (command: Command, io: Io) => void

export { UsageError } from '../../schemas/errors.ts'
