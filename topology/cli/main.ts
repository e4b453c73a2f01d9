// The composition root: from the words typed to a command, and from failures to exit codes.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Command, CommanderError, Help, type Option } from 'commander'
import { nearest } from '../../query-api/questions/nearest.ts'
import { EngineError, hasCode } from '../../schemas/errors.ts'
import { fileWords, isOfPath, unreadable } from '../sources/recording/unreadable.ts'
import { type Register, UsageError } from './command.ts'
import { createIo, type RealIo } from './output/io.ts'
import { versionOf } from './version.ts'

/** Exit codes of surface: done and found are the command's own. */
const WRONG_USE = 2
const WORLD_FAILED = 3

const STOPPED_AWAY = 'stopped while brokers are away: what was committed is kept, the rest is done again after the next start'

/** A command as the program knows it before it is loaded. */
export interface CommandEntry {
  readonly summary: string
  /** Only the command asked for is loaded, so that `decode` does not pay for a web server. */
  readonly load: () => Promise<{ readonly register: Register }>
}

type Commands = Readonly<Record<string, CommandEntry>>

const COMMANDS: Commands = {
  up: { summary: 'every role in one process, on the embedded log or on Kafka', load: () => import('./commands/up.ts') },
  capture: { summary: 'a source to the raw topic, on Kafka', load: () => import('./commands/capture.ts') },
  process: { summary: 'decodes and folds its share, on Kafka', load: () => import('./commands/process.ts') },
  serve: { summary: 'the API, on Kafka', load: () => import('./commands/serve.ts') },
  decode: { summary: 'what the chain says in recorded RPC answers, as JSON lines', load: () => import('./commands/recordings/decode.ts') },
  import: {
    summary: 'recorded RPC answers to a recording, or directories of day files to a tape',
    load: () => import('./commands/recordings/import.ts'),
  },
  export: { summary: 'tape and tables as files of a day each, with a manifest', load: () => import('./commands/days/export.ts') },
  replay: { summary: 'the production folds over a recording, without a server', load: () => import('./commands/recordings/replay.ts') },
  explain: { summary: 'what a finding rests on, computed once more', load: () => import('./commands/explain/explain.ts') },
  why: { summary: 'the events that moved a field of a card', load: () => import('./commands/explain/why.ts') },
  record: { summary: 'what a source sends, kept for replay', load: () => import('./commands/recordings/record.ts') },
  'verify-tape': {
    summary: 'what is missing in recordings, tapes and the history: frames, trades, launches',
    load: () => import('./commands/recordings/verify-tape.ts'),
  },
  'verify-odds': { summary: 'logged odds checked against the roots of their hours', load: () => import('./commands/verify-odds.ts') },
  backtest: { summary: 'detectors graded over a tape: ours, and those of a file', load: () => import('./commands/backtest/backtest.ts') },
  dev: {
    summary: 'a detector of your own as you write it: each save shows its findings again',
    load: () => import('./commands/dev/dev.ts'),
  },
  grade: { summary: 'predictions of anybody graded: scores, reliability, intervals', load: () => import('./commands/grade/grade.ts') },
  train: { summary: 'an odds model of the launches that have settled', load: () => import('./commands/train/train.ts') },
  topology: { summary: 'the graph as data', load: () => import('./commands/topology.ts') },
  'dead-letters': {
    summary: 'what could not be understood, and why; read again after an upgrade',
    load: () => import('./commands/dead-letters.ts'),
  },
  sql: { summary: 'one query on the history', load: () => import('./commands/sql.ts') },
  history: { summary: 'the embedded ClickHouse as a server of its own', load: () => import('./commands/history.ts') },
  settlements: {
    summary: 'every payment with its outcome; the uncertain ones looked up on the chain',
    load: () => import('./commands/settlements.ts'),
  },
  sandbox: { summary: 'payments without money, as a server of its own', load: () => import('./commands/sandbox.ts') },
  buy: { summary: 'plays a buyer against a running server', load: () => import('./commands/buy/buy.ts') },
  backup: { summary: 'the data directory in one file, consistent while it runs', load: () => import('./commands/backup.ts') },
  restore: { summary: 'a backup becomes the data directory', load: () => import('./commands/restore.ts') },
  doctor: { summary: 'every setting, and whether what it names answers', load: () => import('./doctor/doctor.ts') },
}

/** Runs one command line. Resolves to its exit code: 0 done, 1 the check found something, 2 wrong use, 3 the world failed, or a bug. */
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

/** Reports a failure, also one outside any command. Returns the exit code. */
export const reportFailure = (error: unknown, say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`)): number => {
  if (isUsage(error)) return told(`mintfold: ${error.message}`, WRONG_USE, say)
  if (error instanceof EngineError) return told(`mintfold: ${error.message}`, WORLD_FAILED, say)
  if (isOfPath(error)) return told(`mintfold: ${fileWords(error)}`, WORLD_FAILED, say)
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return told(`mintfold: a bug, please report it with these lines\n${stack}`, WORLD_FAILED, say)
}

const createProgram = (print: (text: string) => void, io: RealIo): Command =>
  new Command('mintfold')
    .description('Observed evidence about token launches, from raw blocks to a paid card.')
    .version(versionOf(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .option('--env-file <file>', 'settings from a file of NAME=value lines; the environment wins')
    .showHelpAfterError('(--help lists what there is)')
    .configureHelp({ optionDescription: describeOption })
    .configureOutput({ writeOut: print, writeErr: (text) => io.say(text.trimEnd()) })
    .exitOverride()

const describeOption = (option: Option): string => {
  const words = new Help().optionDescription(option)
  return option.mandatory && option.defaultValue === undefined ? `${words} (required)` : words
}

/** The command asked for with its options; of the others only the name, for help and for the nearest right name. */
const addCommands = async (program: Command, commands: Commands, asked: string | undefined, io: RealIo): Promise<void> => {
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = program.command(name).summary(summary)
    if (name === asked) (await load()).register(command, io)
  }
  if (asked === undefined || Object.hasOwn(commands, asked)) return
  const near = nearest(asked.toLowerCase(), Object.keys(commands))
  throw new UsageError(`unknown command '${asked}'${near === undefined ? '' : `; the nearest is '${near}'`} (--help lists all)`)
}

const loadEnvFile = (path: string | undefined, io: RealIo): void => {
  if (path === undefined) return
  try {
    io.addEnv(parseEnv(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new UsageError(`--env-file: ${unreadable(path, error).message}`)
  }
}

/** Before anything reads a frame or asks whose stores are there. `doctor` tells of wrong settings itself. @throws UsageError */
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
  if (hasCode(error, 'log_unreachable') && io.stop.aborted) return told(STOPPED_AWAY, 0, io.say)
  return reportFailure(error, io.say)
}

/** Also one that was thrown in another thread. */
const isUsage = (error: unknown): error is Error => error instanceof UsageError || (error instanceof Error && error.name === 'UsageError')

const told = (line: string, code: number, say: (line: string) => void): number => {
  say(line)
  return code
}
