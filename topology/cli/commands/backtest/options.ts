// The options of a backtest and their parsers.
import { InvalidArgumentError } from 'commander'
import { nearest } from '../../../../query-api/questions/nearest.ts'
import type { Chain } from '../../../../schemas/types.ts'
import { SETTINGS_TRIED_MAX, type Tried, type Tunable } from '../../../backtest/trials/candidate.ts'
import { UsageError } from '../../command.ts'

export interface Options {
  readonly detector?: readonly string[]
  readonly in?: readonly string[]
  readonly chain: Chain
  readonly from?: number
  readonly to?: number
  readonly set: Tried
  readonly delayS: number
  readonly purgeS: number
  readonly ageS: number
  readonly holdS: number
  readonly size: bigint
  readonly seed: number
  readonly out?: string
}

const VALUES_MAX = 100
const SETTING = /^([a-z][a-z0-9_-]{0,39}\.)?[A-Za-z][A-Za-z0-9]{0,39}$/
const NUMBER = /^-?\d{1,30}(\.\d{1,18})?$/

/** Parses `percent=10,20` or `curve-drained.percent=10,20`; may be repeated. */
export const settingIn = (text: string, before: Tried): Tried => {
  const [name = '', list = ''] = text.split('=', 2)
  const values = list.split(',')
  if (!SETTING.test(name) || text.split('=').length !== 2)
    throw new InvalidArgumentError('write it as name=10,20,30, or curve-drained.percent=10,20')
  if (values.length > VALUES_MAX) throw new InvalidArgumentError(`at most ${VALUES_MAX} values`)
  if (before.has(name)) throw new InvalidArgumentError(`${name} is given twice`)
  return new Map([...before, [name, [...new Set(values)].map(valueIn)]])
}
const valueIn = (text: string): number | bigint => {
  if (!NUMBER.test(text)) throw new InvalidArgumentError(`'${text}' is not a number`)
  const value = Number(text)
  return text.includes('.') || Number.isSafeInteger(value) ? value : BigInt(text)
}

const SECONDS = /^\d{1,11}$/
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/
/** Unix seconds of a date or time; UTC unless it names a zone. */
export const timeIn = (text: string): number => {
  if (SECONDS.test(text)) return Number(text)
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text) || text.length === 10
  const ms = ISO.test(text) ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN
  if (Number.isNaN(ms)) throw new InvalidArgumentError('write a date (2026-11-26), a time (2026-11-26T12:00:00Z), or unix seconds')
  return Math.floor(ms / 1_000)
}

const SOL = /^\d{1,6}(\.\d{1,9})?$/
const LAMPORT_DIGITS = 9
/** Lamports of an amount in SOL. */
export const lamportsIn = (text: string): bigint => {
  if (!SOL.test(text)) throw new InvalidArgumentError('write an amount in SOL, such as 0.5')
  const [whole = '0', part = ''] = text.split('.')
  const lamports = BigInt(whole + part.padEnd(LAMPORT_DIGITS, '0'))
  if (lamports === 0n) throw new InvalidArgumentError('it must be more than 0')
  return lamports
}

/** @throws UsageError for a setting that no detector has, and for a value of a shipped threshold that is not a whole number */
export const checkTried = (tried: Tried, detectors: readonly Pick<Tunable<never>, 'id' | 'tier' | 'settings'>[]): void => {
  const names = detectors.flatMap(({ id, settings }) => Object.keys(settings).flatMap((name) => [name, `${id}.${name}`]))
  for (const [name, values] of tried) {
    if (!names.includes(name)) {
      const near = nearest(name, names)
      throw new UsageError(`--set ${name}: no detector has this setting${near === undefined ? '' : `; the nearest is ${near}`}`)
    }
    const isShipped = detectors.some(
      ({ id, tier, settings }) => tier !== 'yours' && Object.keys(settings).some((one) => one === name || `${id}.${one}` === name),
    )
    const broken = isShipped && values.find((value) => typeof value === 'number' && !Number.isInteger(value))
    if (broken !== undefined && broken !== false)
      throw new UsageError(`--set ${name}=${broken}: thresholds of shipped detectors are whole numbers`)
  }
}

/** @throws UsageError */
export const checkCount = (count: number): void => {
  if (count > SETTINGS_TRIED_MAX)
    throw new UsageError(`--set makes ${count} combinations; at most ${SETTINGS_TRIED_MAX} can be tried in one pass`)
}
