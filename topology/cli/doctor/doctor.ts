// `mintfold doctor`: prints each setting that is set with its origin, and checks everything that the settings refer to.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Option } from 'commander'
import { type Io, type Register, UsageError } from '../command.ts'
import { listSettings, parseSettings, type SettingLine, type Settings } from '../settings/settings.ts'
import { addBrokerOptions, type BrokerOptions, envWith } from '../settings/settings-kafka.ts'
import { checkSource } from '../settings/source-options.ts'
import { type Check, good, poor } from './check.ts'
import { checkAll } from './checks.ts'

interface Options extends BrokerOptions {
  readonly source: string
  readonly all?: boolean
}

export const register: Register = (command, io) => {
  addBrokerOptions(command)
    .description(
      'Prints each setting that is set, with its origin (secrets redacted), then checks what `up` needs: the data directory, the ' +
        'brokers and their registry, the ports, and the facilitator, nodes and ClickHouse that are set. Each line begins with ok or not ok; a line ' +
        'that is not ok states what to do. Changes nothing. Exit code 1 when something is not ok.',
    )
    .addOption(
      new Option('--source <source>', 'the source that `up` will play; the default of MINTFOLD_PAYMENTS depends on it').default('demo'),
    )
    .option('--all', 'also print the settings that have their default')
    .action((options: Options) => doctor(options, command.optsWithGlobals<{ envFile?: string }>().envFile, io))
}

const doctor = async ({ source, all = false, ...options }: Options, envFile: string | undefined, io: Io): Promise<void> => {
  const inFile = envFile === undefined ? {} : parseEnv(readFileSync(envFile, 'utf8'))
  const lines = listSettings(io.env)
  const shown = lines.filter(({ isSet }) => all || isSet)
  for (const line of shown) await io.out(`${settingText(line, originOf(line, io.env, inFile, envFile))}\n`)
  const { settings, problem } = settingsOf(envWith(io.env, options), source)
  const checks: Check[] = problem === undefined ? [] : [poor('settings', problem)]
  const left = lines.length - shown.length
  if (left > 0) checks.push(good('defaults', `${left} settings have their default (--all shows them)`))
  if (settings === undefined) checks.push(poor('the rest', 'not checked: fix the settings first'))
  else for await (const check of checkAll(settings, source)) checks.push(check)
  for (const { name, ok, text } of checks) await io.out(`${ok ? 'ok    ' : 'not ok'}  ${name.padEnd(14)}  ${text}\n`)
  const broken = checks.filter(({ ok }) => !ok).length + lines.filter((line) => line.problem !== null && problem === undefined).length
  io.printNotice(broken === 0 ? 'all is well' : `${broken} not ok`)
  if (broken > 0) io.setExitCode(1)
}

const settingsOf = (env: Io['env'], source: string): { readonly settings?: Settings; readonly problem?: string } => {
  try {
    checkSource({ source })
    return { settings: parseSettings(env, { source }) }
  } catch (failure) {
    if (failure instanceof UsageError) return { problem: failure.message }
    throw failure
  }
}

const settingText = ({ name, shown, problem }: SettingLine, origin: string): string =>
  `${problem === null ? 'ok    ' : 'not ok'}  ${name.padEnd(24)}  ${shown ?? '-'}  (${origin})${problem === null ? '' : `; ${problem}`}`

/** A setting in both the environment and the file is attributed to the environment only if the values differ: the environment then wins. */
const originOf = ({ name, isSet }: SettingLine, env: Io['env'], inFile: NodeJS.Dict<string>, envFile: string | undefined): string => {
  if (!isSet) return 'default'
  return inFile[name] !== undefined && inFile[name] === env[name] ? `from ${envFile}` : 'environment'
}
