// Wrong options, commands and arguments: each is refused as wrong usage, with what is valid.
import type { Mistake } from './mistake.ts'

const MINT = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const ODDS_ID = `solana:7.~@aaaaaaaa:odds:${MINT}:true_graduation:0123456789abcdef`
const NOT_NUMBERS = ['x', '', '-1', '1e99']

/** Wrong values by option, for the commands that have it. */
const WRONG: readonly (readonly [commands: readonly (readonly string[])[], option: string, values: readonly string[]])[] = [
  [[['up'], ['capture'], ['record', '--out', 'r.avro']], '--rate', [...NOT_NUMBERS, '0', '101']],
  [[['up'], ['record', '--out', 'r.avro']], '--seed', [...NOT_NUMBERS, '1.5', '4294967296']],
  [[['up'], ['capture']], '--speed', [...NOT_NUMBERS, '0', 'fast']],
  [[['up']], '--history', [...NOT_NUMBERS, '721']],
  [[['up']], '--start', ['yesterday', '2024-01-01', '5', '2101-01-01']],
  [[['up']], '--gap', ['60', '90..60', 'a..b', '60-90', '1..99999999']],
  [[['up']], '--lost-per-million', [...NOT_NUMBERS, '1000001']],
  [[['up']], '--forks', [...NOT_NUMBERS, '3601']],
  [[['up']], '--regime-after', ['x', '1.5', '99999999']],
  [[['up'], ['capture']], '--frames', [...NOT_NUMBERS, '0', '1.5']],
  [[['history'], ['sandbox'], ['dev', 'd.ts']], '--port', [...NOT_NUMBERS, '65536', '80.5']],
  [[['replay', 'r.avro']], '--print', ['cats', '']],
  [[['replay', 'r.avro']], '--from', ['now', 'solana', '1.2.3']],
  [[['replay', 'r.avro']], '--to', ['now', 'solana:x']],
  [[['record', '--source', 'log', '--out', 'r.avro']], '--from', ['now', '-1y', 'eth:1']],
  [[['buy', '/v1/launches/recent', '--server', 'http://127.0.0.1:1']], '--max-usd', ['x', '-1', '1e9x']],
  [
    [
      ['settlements', 'list'],
      ['alerts', 'list'],
    ],
    '--state',
    ['lost'],
  ],
  [[['dev', 'd.ts']], '--hours', [...NOT_NUMBERS, '0', '49']],
  [[['dev', 'd.ts']], '--delay-s', [...NOT_NUMBERS, '1.5', '86401']],
  [[['grade', 'p.csv']], '--seed', [...NOT_NUMBERS, '1.5', '4294967296']],
  [[['grade', 'p.csv']], '--resamples', [...NOT_NUMBERS, '39', '10001']],
  [[['train']], '--every', [...NOT_NUMBERS, '0', '1.5', '721']],
  [[['train']], '--until', ['now', '2026-13-01']],
]

const ofOptions: readonly Mistake[] = WRONG.flatMap(([commands, option, values]) =>
  commands.flatMap((command) =>
    values.map((value): Mistake => {
      const argv = [...command, `${option}=${value}`]
      return {
        what: argv.join(' '),
        argv,
        code: 2,
        messages: [value === '' ? option : new RegExp(`${option}|${value.replace(/[.]/g, '\\.')}`)],
      }
    }),
  ),
)

/** Unknown commands and options, missing and surplus arguments, and sources. */
const BY_HAND: readonly (readonly [argv: readonly string[], messages: readonly (string | RegExp)[], doctor?: Mistake['doctor']])[] = [
  [['upp'], ["unknown command 'upp'", "the nearest is 'up'"]],
  [['docter'], ["the nearest is 'doctor'"]],
  [['Replay', 'x'], ["the nearest is 'replay'"]],
  [['nonsense'], ["unknown command 'nonsense'", '--help lists all']],
  [
    ['up', '--sed', '1'],
    ["unknown option '--sed'", '--seed'],
  ],
  [
    ['up', '--hours', '1'],
    ["unknown option '--hours'", 'Did you mean --history?'],
  ],
  [['sql'], ['the query is empty']],
  [['sql', '--access', 'SELECT 1'], ['--access takes no query']],
  [['sql', ''], ['the query is empty']],
  [['sql', 'SELECT', '1'], ['too many arguments']],
  [['replay'], ["missing required argument 'files'"]],
  [['restore'], ["missing required argument 'file'"]],
  [['dev'], ["missing required argument 'detector'"]],
  [
    ['record', '--tape', '--source', 'demo:alt', '--out', 'r'],
    ['--tape writes the history of --source demo', '--tape-out'],
  ],
  [
    ['record', '--tape', '--frames', '9', '--out', 'r'],
    ['--frames, --from and --to cannot be used with --tape', '--history HOURS'],
  ],
  [['record', '--tape', '--history', '0', '--out', 'r'], ['--history 0 has nothing to write']],
  [['train', '--every', '6', '--until', '2026-11-26'], ['--every trains on the current history']],
  [['grade'], ["missing required argument 'file'"]],
  [['grade', 'a.csv', 'b.csv'], ['too many arguments']],
  [['backup'], ["required option '--out <file>' not specified"]],
  [['record'], ["required option '--out <recording>' not specified"]],
  [['import', 'x'], ["required option '--out <recording>' not specified"]],
  [['why', MINT], ["missing required argument 'field'"]],
  [
    ['why', MINT, 'odds.rug'],
    ['there are no odds.rug', 'odds.rug_within_300s'],
  ],
  [
    ['why', MINT, 'odds', '--model', 'm.json'],
    ['--model needs --in FILE', 'the models of the log'],
  ],
  [['why', MINT, 'holders', '--model', 'm.json'], ['--model can only be used with the field odds']],
  [['why', `0x${'a'.repeat(40)}`, 'odds'], ['launches of chain alt have no odds']],
  [['explain', ODDS_ID, ODDS_ID], ['explain takes findings, or one id of odds']],
  [['explain', ODDS_ID, '--said', 'f.jsonl'], ['--said and --bundle cannot be used with an id of odds']],
  [['explain', ODDS_ID.replace(':odds:', ':'), '--model', 'm.json'], ['--model can only be used with an id of odds']],
  [['verify-tape'], ['takes files or --history']],
  [['verify-tape', '--history', 'x'], ['takes files or --history']],
  [['alerts', 'test'], ["missing required argument 'id'"]],
  [['alerts', 'cancel'], ["missing required argument 'id'"]],
  [
    ['alerts', 'cancel', 'sub_x'],
    ['has no alerts of mintfold', 'MINTFOLD_DATA_DIR'],
  ],
  [['dead-letters', 'show'], ["missing required argument 'id'"]],
  [['up', 'demo'], ['too many arguments']],
  [['doctor', '--source'], ["option '--source <source>' argument missing"]],
  [
    ['up', '--source', 'nowhere'],
    ['--source nowhere is not supported', 'demo, live or recording:PATH'],
    { message: 'nowhere', args: ['--source', 'nowhere'] },
  ],
  [
    ['up', '--source', 'recording:'],
    ['--source recording: is not supported'],
    { message: 'recording:PATH', args: ['--source', 'recording:'] },
  ],
  [['up', '--source', 'log'], ['--source log is not supported'], { message: '--source log', args: ['--source', 'log'] }],
  [['up', '--source', 'live', '--speed', '2'], ['--speed cannot be used with --source live']],
  [['up', '--source', 'live', '--seed', '2'], ['--seed can only be used with --source demo']],
  [['up', '--source', 'recording:a', '--seed', '2', '--rate', '2'], ['--seed, --rate can only be used with --source demo']],
  [['record', '--out', 'r.avro', '--from', '-1h'], ['--from and --to can only be used with --source log']],
  [['buy', 'v1/launches/recent'], [/path|\/v1/]],
  [['buy', '/v1/launches/recent', '--server', 'not a url'], ['--server']],
  [['--env-file', '/none/at/all', 'up'], ['--env-file: there is no file /none/at/all']],
  [['--env-file', '/', 'up'], ['--env-file: / is a directory']],
]

export const wrongOptions = (): readonly Mistake[] => [
  ...ofOptions,
  ...BY_HAND.map(([argv, messages, doctor]): Mistake => ({ what: argv.join(' '), argv, code: 2, messages, ...(doctor && { doctor }) })),
]
