// Options of a source: the range of each, and which may be combined.
import { Command } from 'commander'
import { addSourceOptions, checkSource, type SourceOptions } from '../../../topology/cli/settings/source-options.ts'

const parsed = (...args: string[]): SourceOptions => {
  const command = addSourceOptions(new Command('up').exitOverride().configureOutput({ writeErr: () => {} }), {
    verb: 'play',
    historyHours: 6,
  })
  return command.parse(args, { from: 'user' }).opts()
}

test('without options the demo runs with its defaults', () => {
  expect(parsed()).toEqual({ source: 'demo' })
})

test('values at both ends of their ranges are accepted', () => {
  const least = [
    '--speed',
    '0.001',
    '--seed',
    '0',
    '--rate',
    '0.01',
    '--history',
    '0',
    '--lost-per-million',
    '0',
    '--forks',
    '0',
    '--regime-after',
    '-31622400',
  ]
  expect(parsed(...least)).toMatchObject({
    speed: 0.001,
    seed: 0,
    rate: 0.01,
    history: 0,
    lostPerMillion: 0,
    forks: 0,
    regimeAfter: -31_622_400,
  })
  const most = [
    '--speed',
    'max',
    '--seed',
    '4294967295',
    '--rate',
    '100',
    '--history',
    '720',
    '--lost-per-million',
    '1000000',
    '--forks',
    '3600',
  ]
  expect(parsed(...most)).toMatchObject({
    speed: 'max',
    seed: 4_294_967_295,
    rate: 100,
    history: 720,
    lostPerMillion: 1_000_000,
    forks: 3_600,
  })
})
test('a start in seconds and as a date is the same time', () => {
  const start = Date.UTC(2026, 9, 15, 12)
  expect([parsed('--start', '2026-10-15T12:00:00Z'), parsed('--start', '1792065600')]).toMatchObject([{ start }, { start }])
})
test('several gaps are all kept', () => {
  const gap = [
    { fromS: 60, toS: 90 },
    { fromS: -600, toS: 0 },
  ]
  expect(parsed('--gap', '60..90', '--gap', '-600..0')).toMatchObject({ gap })
})

const gaps = (count: number): string[] => Array.from({ length: count }, (_, n) => ['--gap', `${n}..${n + 1}`]).flat()
test.each([
  [['--speed', '0'], 'a number from 0.001 to 1000000, or max'],
  [['--speed', '1000001'], 'a number from 0.001 to 1000000, or max'],
  [['--speed', 'fast'], 'a number from 0.001 to 1000000, or max'],
  [['--seed', '-1'], 'a whole number from 0 to 4294967295'],
  [['--seed', '4294967296'], 'a whole number from 0 to 4294967295'],
  [['--seed', '1.5'], 'a whole number from 0 to 4294967295'],
  [['--rate', '0'], 'a number from 0.01 to 100; 10 is the load of today'],
  [['--rate', '101'], 'a number from 0.01 to 100; 10 is the load of today'],
  [['--rate', ' '], 'a number from 0.01 to 100; 10 is the load of today'],
  [['--history', '-1'], 'a number of hours from 0 to 720'],
  [['--history', '721'], 'a number of hours from 0 to 720'],
  [['--history', 'NaN'], 'a number of hours from 0 to 720'],
  [['--start', '2024-12-31T23:59:59Z'], 'unix seconds or a date such as 2026-10-15T12:00:00Z, from 2025 to 2100'],
  [['--start', '2100-01-01T00:00:01Z'], 'unix seconds or a date such as 2026-10-15T12:00:00Z, from 2025 to 2100'],
  [['--start', 'soon'], 'unix seconds or a date such as 2026-10-15T12:00:00Z, from 2025 to 2100'],
  [['--lost-per-million', '-1'], 'a whole number from 0 to 1000000'],
  [['--lost-per-million', '1000001'], 'a whole number from 0 to 1000000'],
  [['--forks', '-1'], 'a number of forks an hour from 0 to 3600'],
  [['--forks', '3601'], 'a number of forks an hour from 0 to 3600'],
  [['--regime-after', '1.5'], 'a whole number from -31622400 to 31622400'],
  [['--regime-after', '31622401'], 'a whole number from -31622400 to 31622400'],
  [['--gap', '60'], 'FROM..TO in whole seconds, such as 60..90'],
  [['--gap', '60..x'], 'FROM..TO in whole seconds, such as 60..90'],
  [['--gap', '90..60'], 'a gap must end after its start'],
  [['--gap', '60..60'], 'a gap must end after its start'],
  [['--gap', '0..99999999'], 'a whole number from -31622400 to 31622400'],
  [gaps(101), 'at most 100 gaps'],
])('%j is refused with the valid form', (args, message) => {
  expect(() => parsed(...args)).toThrow(`argument '${args.at(-1)}' is invalid. ${message}`)
})

test.each([
  [{ seed: 1 }, '--seed can only be used with --source demo: a recording is played unchanged'],
  [
    { gap: [{ fromS: 0, toS: 1 }], history: 0, lostPerMillion: 0 },
    '--history, --gap, --lost-per-million can only be used with --source demo',
  ],
  [{ start: 0, rate: 1, forks: 0, regimeAfter: 0 }, '--start, --rate, --forks, --regime-after can only be used with --source demo'],
])('a recording with %j is refused', (options, message) => {
  expect(() => checkSource({ source: 'recording:a.avro', ...options })).toThrow(message)
})
test.each(['', 'lives', 'rpc:http://a.example/key', 'recording:', 'demo '])('the source %j is refused', (source) => {
  expect(() => checkSource({ source })).toThrow(`--source ${source} is not supported`)
})
test('the live chain with options of the demo or a speed is refused', () => {
  expect(() => checkSource({ source: 'live', frames: 3 })).not.toThrow()
  expect(() => checkSource({ source: 'live', speed: 1 })).toThrow('--speed cannot be used with --source live')
  expect(() => checkSource({ source: 'live', seed: 1 })).toThrow(
    '--seed can only be used with --source demo: the live chain cannot be changed',
  )
})
test.each(['demo', 'recording:a.avro'])('the source %s is accepted', (source) => {
  expect(() => checkSource({ source, speed: 1 })).not.toThrow()
})
