// The composition root: maps command lines to commands, and failures to exit codes.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Command, CommanderError, Help, type Option } from 'commander'
import { nearest } from '../../query-api/questions/nearest.ts'
import { EngineError, hasCode } from '../../schemas/errors.ts'
import { fileWords, isOfPath, unreadable } from '../sources/recording/unreadable.ts'
import { type Register, UsageError } from './command.ts'
import { createIo, type RealIo } from './output/io.ts'
import { versionOf } from './version.ts'

/** Exit codes; commands set 0 and 1 themselves. */
const WRONG_USE = 2
const WORLD_FAILED = 3

const STOPPED_AWAY = 'stopped while the brokers are unreachable: committed work is kept, the rest is repeated after the next start'

/** A command before its module is loaded. */
export interface CommandEntry {
  readonly summary: string
  /** Only the requested command is loaded, so `decode` does not load a web server. */
  readonly load: () => Promise<{ readonly register: Register }>
}

type Commands = Readonly<Record<string, CommandEntry>>

const COMMANDS: Commands = {
  up: { summary: 'runs every role in one process, on the embedded log or on Kafka', load: () => import('./commands/up.ts') },
  capture: { summary: 'writes a source to the raw topic, on Kafka', load: () => import('./commands/capture.ts') },
  process: { summary: 'decodes and folds its share of the partitions, on Kafka', load: () => import('./commands/process.ts') },
  diff: { summary: 'compares a shadow with the running version, on Kafka', load: () => import('./commands/shadow/diff.ts') },
  promote: { summary: 'switches to the versions of a shadow, on Kafka', load: () => import('./commands/shadow/promote.ts') },
  repartition: { summary: 'fills topics for another number of partitions, on Kafka', load: () => import('./commands/repartition.ts') },
  serve: { summary: 'serves the API, on Kafka', load: () => import('./commands/serve.ts') },
  decode: { summary: 'prints the events in recorded RPC responses as JSON lines', load: () => import('./commands/recordings/decode.ts') },
  import: {
    summary: 'turns recorded RPC responses into a recording, or directories of day files into a tape',
    load: () => import('./commands/recordings/import.ts'),
  },
  export: { summary: 'writes tape and tables as day files, with a manifest', load: () => import('./commands/days/export.ts') },
  replay: {
    summary: 'runs the production folds over a recording, without a server',
    load: () => import('./commands/recordings/replay.ts'),
  },
  explain: { summary: 'shows the evidence of a finding and recomputes it', load: () => import('./commands/explain/explain.ts') },
  why: { summary: 'lists the events that changed a field of a card', load: () => import('./commands/explain/why.ts') },
  record: { summary: 'records a source for replay', load: () => import('./commands/recordings/record.ts') },
  'verify-tape': {
    summary: 'finds missing frames, trades and launches in recordings, tapes and the history',
    load: () => import('./commands/recordings/verify-tape.ts'),
  },
  'verify-odds': { summary: 'checks logged odds against the Merkle roots of their hours', load: () => import('./commands/verify-odds.ts') },
  backtest: { summary: 'grades shipped detectors and your own over a tape', load: () => import('./commands/backtest/backtest.ts') },
  dev: {
    summary: 'runs your detector while you write it: each save updates its findings',
    load: () => import('./commands/dev/dev.ts'),
  },
  grade: { summary: 'grades predictions in a CSV file: scores, reliability, intervals', load: () => import('./commands/grade/grade.ts') },
  train: { summary: 'trains an odds model on settled launches', load: () => import('./commands/train/train.ts') },
  topology: { summary: 'prints the topology as text, JSON or a diagram', load: () => import('./commands/topology.ts') },
  'dead-letters': {
    summary: 'lists records that could not be decoded, and decodes them again after an upgrade',
    load: () => import('./commands/dead-letters.ts'),
  },
  sql: { summary: 'runs one query on the history', load: () => import('./commands/sql.ts') },
  history: { summary: 'runs the embedded ClickHouse as a separate server', load: () => import('./commands/history.ts') },
  settlements: {
    summary: 'lists payments with their outcomes, and looks up uncertain ones on the chain',
    load: () => import('./commands/settlements.ts'),
  },
  alerts: { summary: 'lists, tests and cancels alert subscriptions', load: () => import('./commands/alerts.ts') },
  sandbox: { summary: 'runs payments with play money as a separate server', load: () => import('./commands/sandbox.ts') },
  buy: { summary: 'buys an answer from a running server', load: () => import('./commands/buy/buy.ts') },
  backup: {
    summary: 'writes the data directory to one file, consistent also while mintfold runs',
    load: () => import('./commands/backup.ts'),
  },
  restore: { summary: 'restores a backup as the data directory', load: () => import('./commands/restore.ts') },
  doctor: { summary: 'prints the settings and checks everything they refer to', load: () => import('./doctor/doctor.ts') },
}

/** Runs one command line. Resolves to its exit code: 0 done, 1 a check found a fault, 2 wrong usage, 3 an external failure or a bug. */
export const main = async (argv: readonly string[], io: RealIo = createIo(process), commands: Commands = COMMANDS): Promise<number> => {
  const words: Promise<void>[] = []
  try {
    const program = createProgram((text) => words.push(io.out(text)), io)
    const { operands } = program.parseOptions([...argv])
    await addCommands(program, commands, operands[0] === 'help' ? operands[1] : operands[0], io)
    loadEnvFile(program.opts<{ envFile?: string }>().envFile, io)
    await followLaunchpad(operands[0], io)
    await program.parseAsync([...argv], { from: 'user' })
    return io.exitCode()
  } catch (error) {
    return exitCodeOf(error, io)
  } finally {
    await Promise.all(words)
  }
}

/** Prints a failure, also one outside any command. Returns the exit code. */
export const reportFailure = (
  error: unknown,
  printNotice: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): number => {
  if (isUsage(error)) return failed(`mintfold: ${error.message}`, WRONG_USE, printNotice)
  if (error instanceof EngineError) return failed(`mintfold: ${error.message}`, WORLD_FAILED, printNotice)
  if (isOfPath(error)) return failed(`mintfold: ${fileWords(error)}`, WORLD_FAILED, printNotice)
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return failed(`mintfold: a bug, please report it with these lines\n${stack}`, WORLD_FAILED, printNotice)
}

const createProgram = (print: (text: string) => void, io: RealIo): Command =>
  new Command('mintfold')
    .description('Observed evidence about token launches, from raw blocks to a paid card.')
    .version(versionOf(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .option('--env-file <file>', 'read settings from a file of NAME=value lines; environment variables win')
    .showHelpAfterError('(--help lists the options)')
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({ writeOut: print, writeErr: (text) => io.printNotice(text.trimEnd()) })
    .exitOverride()

const describeOption = (option: Option): string => {
  const words = new Help().optionDescription(option)
  return option.mandatory && option.defaultValue === undefined ? `${words} (required)` : words
}

/** The requested command gets its options; the others only their names, for help and suggestions. */
const addCommands = async (program: Command, commands: Commands, wanted: string | undefined, io: RealIo): Promise<void> => {
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = program.command(name).summary(summary)
    if (name !== wanted) continue
    ;(await load()).register(command, io)
    command.configureOutput({ outputError: (text, write) => write(withMeant(text, command.options)) })
  }
  if (wanted === undefined || Object.hasOwn(commands, wanted)) return
  const near = nearest(wanted.toLowerCase(), Object.keys(commands))
  throw new UsageError(`unknown command '${wanted}'${near === undefined ? '' : `; the nearest is '${near}'`} (--help lists all)`)
}

/** Suggests the option whose value has the unknown name: `--history <hours>` for `--hours`. */
const withMeant = (text: string, options: readonly Option[]): string => {
  const [, value] = /unknown option '--([\w-]+)/.exec(text) ?? []
  const meant = options.find(({ flags }) => value !== undefined && flags.includes(`<${value}>`))
  return meant === undefined ? text : `error: unknown option '--${value}'\n(Did you mean ${meant.long}?)\n`
}

const loadEnvFile = (path: string | undefined, io: RealIo): void => {
  if (path === undefined) return
  try {
    io.addEnv(parseEnv(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new UsageError(`--env-file: ${unreadable(path, error).message}`)
  }
}

/** Uses the launchpad of the settings; call it before any frame is read. `doctor` reports wrong settings itself. @throws UsageError */
const followLaunchpad = async (command: string | undefined, { env }: RealIo): Promise<void> => {
  if (!env.ALT_FACTORIES && !env.ALT_ROUTERS) return
  const [{ launchpadIn }, { useLaunchpad }] = await Promise.all([
    import('./settings/settings-launchpad.ts'),
    import('../launchpad-in-use.ts'),
  ])
  try {
    useLaunchpad(launchpadIn(env))
  } catch (failure) {
    if (command !== 'doctor' || !isUsage(failure)) throw failure
  }
}

const exitCodeOf = (error: unknown, io: RealIo): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USE
  if (hasCode(error, 'log_unreachable') && io.stop.aborted) return failed(STOPPED_AWAY, 0, io.printNotice)
  return reportFailure(error, io.printNotice)
}

/** Also recognizes a UsageError of another thread, which has its name but not its class. */
const isUsage = (error: unknown): error is Error => error instanceof UsageError || (error instanceof Error && error.name === 'UsageError')

const failed = (line: string, code: number, printNotice: (line: string) => void): number => {
  printNotice(line)
  return code
}
