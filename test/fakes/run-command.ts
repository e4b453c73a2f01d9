// Runs one command in the process and keeps its output. Does not simulate a terminal, signals or back-pressure.
import { Command } from 'commander'
import type { Io, Register } from '../../topology/cli/command.ts'

export interface Ran {
  readonly out: string
  readonly stderr: readonly string[]
  readonly code: 0 | 1
  /** What the command threw. */
  readonly error: unknown
}

export interface Surroundings {
  readonly env?: Io['env']
  readonly stop?: AbortSignal
  /** Called with each piece of output as it comes. */
  readonly onOutput?: (text: string) => void
}

/** `args` start with the command's name. */
export const runCommand = async (
  register: Register,
  args: readonly string[],
  { env = {}, stop, onOutput }: Surroundings = {},
): Promise<Ran> => {
  let out = ''
  let code: 0 | 1 = 0
  const stderr: string[] = []
  const io: Io = {
    out: async (text) => {
      out += text
      onOutput?.(String(text))
    },
    printNotice: (line) => void stderr.push(line),
    env,
    terminal: false,
    stop: stop ?? new AbortController().signal,
    setExitCode: (value) => {
      code = value
    },
  }
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} })
  register(program.command(args[0] ?? ''), io)
  const error = await program.parseAsync([...args], { from: 'user' }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { out, stderr, code, error }
}
