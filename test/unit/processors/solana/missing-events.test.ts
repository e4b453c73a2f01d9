// Calls that succeeded and whose events the record of their transaction does not have.
import { solana } from '../../../../processors/chains/solana/chain.ts'
import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { linesOfFile } from '../../../../processors/chains/solana/decode-lines.ts'
import { FrameDecoding } from '../../../../processors/verify/frame-decoding.ts'
import { TapeCheck } from '../../../../processors/verify/tape-check.ts'
import { decodeBase58 } from '../../../../schemas/base58.ts'
import { toBase58 } from '../../../../schemas/keys.ts'
import { framesOf, openJson, readJson } from './fixtures.ts'

interface Call {
  readonly data?: string
}
interface Meta {
  innerInstructions: { readonly index: number; readonly instructions: readonly Call[] }[] | null
  logMessages: string[] | null
}
type Json = Record<string, unknown>
const metaOf = (json: Json): Meta => json.meta as Meta
const withMeta = (json: Json, meta: Partial<Meta>): Json => ({ ...json, meta: { ...metaOf(json), ...meta } })
const decoded = (json: Json) => {
  const [frame] = framesOf(openJson(json))
  if (frame === undefined) throw new Error('no frame')
  return { ...decodeFrame(frame), frame }
}
/** The coins of which events are missing, with the calls. */
const missingIn = (json: Json): string[] =>
  decoded(json).events.flatMap((event) => (event.type === 'missingEvent' ? [`${event.call} ${toBase58(event.mint).slice(0, 4)}`] : []))
const codesIn = (json: Json): string[] => decoded(json).deadLetters.map(({ code }) => code)
const errorsIn = (json: Json): string[] => [...linesOfFile(openJson(json))].flatMap((line) => ('error' in line ? [line.error] : []))

/** A launch with a buy by the launchpad's own instructions, and a sale that another program called. */
const launch = readJson('create+buy-52ar89rg')
const wrapped = readJson('amm_sell-58hytiDB')
const isEvent = ({ data }: Call): boolean =>
  decodeBase58(data ?? '')
    ?.toString('hex')
    .startsWith('e445a52e51cb9a1d') ?? false
const withoutEvents = (json: Json): Json =>
  withMeta(json, {
    innerInstructions: (metaOf(json).innerInstructions ?? []).map(({ index, instructions }) => ({
      index,
      instructions: instructions.filter((call) => !isEvent(call)),
    })),
  })

describe('a successful call without its event', () => {
  test('is a dead letter with the reason, and its coin is named on the tape', () => {
    const silent = withoutEvents(launch)
    expect(missingIn(launch)).toEqual([])
    expect(missingIn(silent).map((text) => text.split(' ')[0])).toEqual(['create', 'buy'])
    expect(new Set(missingIn(silent).map((text) => text.split(' ')[1])).size).toBe(1)
    expect(decoded(silent).deadLetters.map(({ reason }) => reason)).toEqual([
      'create of pump succeeded, but the record of its transaction has 0 of its 1 events',
      'buy of pump succeeded, but the record of its transaction has 0 of its 1 events',
    ])
    expect(decoded(silent).incomplete).toBeUndefined()
  })

  test('is found in inner calls too', () => {
    expect(missingIn(wrapped)).toEqual([])
    expect(missingIn(withoutEvents(wrapped)).map((text) => text.split(' ')[0])).toEqual(['sell'])
  })

  test('is found if neither calls nor log were recorded; of wrapped calls no coin can be told, and the frame is not whole', () => {
    const blind = { innerInstructions: null, logMessages: null }
    expect(missingIn(withMeta(launch, blind)).map((text) => text.split(' ')[0])).toEqual(['create', 'buy'])
    expect(missingIn(withMeta(launch, { innerInstructions: [], logMessages: null })).length).toBe(2)
    for (const innerInstructions of [null, []]) {
      const unseen = withMeta(wrapped, { innerInstructions, logMessages: null })
      expect([codesIn(unseen), missingIn(unseen)]).toEqual([['event_missing'], []])
    }
    const { frame, incomplete } = decoded(withMeta(wrapped, blind))
    expect(incomplete).toMatch(/neither inner calls nor log/)
    const check = new TapeCheck(solana)
    const whole = { ...frame, whole: true, vouched: true }
    expect(check.frame(whole).map(({ finding }) => finding)).toContain('unreadable')
    expect(new FrameDecoding(solana.decoder).decode(whole).deadLetters.length).toBe(1)
  })

  test('is told by the log if calls were not recorded: null, or an empty list beside a log with calls', () => {
    for (const innerInstructions of [null, []]) {
      const logged = withMeta(launch, { innerInstructions })
      expect(decoded(logged).events).toEqual(decoded(launch).events)
      expect([codesIn(logged), codesIn(withMeta(wrapped, { innerInstructions }))]).toEqual([[], []])
      const isData = (line: string): boolean => line.startsWith('Program data: ')
      const silent = { innerInstructions, logMessages: (metaOf(wrapped).logMessages ?? []).filter((line) => !isData(line)) }
      expect([codesIn(withMeta(wrapped, silent)), decoded(withMeta(wrapped, silent)).incomplete]).toEqual([
        ['event_missing'],
        expect.stringContaining('Sell succeeded without its event'),
      ])
    }
  })

  test('after the cut of a log names its coin if only own calls follow', () => {
    const log = metaOf(launch).logMessages ?? []
    const lastData = log.findLastIndex((line) => line.startsWith('Program data: '))
    const cut = withMeta(launch, { innerInstructions: null, logMessages: [...log.slice(0, lastData), 'Log truncated'] })
    expect([codesIn(cut), missingIn(cut).map((text) => text.split(' ')[0]), decoded(cut).incomplete]).toEqual([
      ['log_truncated', 'event_missing'],
      ['buy'],
      undefined,
    ])
  })

  test('gives the same problems in the lines of decode', () => {
    for (const json of [launch, wrapped, withoutEvents(launch), withoutEvents(wrapped)]) expect(errorsIn(json)).toEqual(codesIn(json))
  })

  test('is no false alarm where a program names the launchpad, moves no coins and has neither inner calls nor log', () => {
    const idle = withMeta(wrapped, {
      innerInstructions: [],
      logMessages: null,
      preTokenBalances: [],
      postTokenBalances: [],
    } as Partial<Meta>)
    expect(framesOf(openJson(idle)).flatMap((frame) => decodeFrame(frame).deadLetters)).toEqual([])
  })

  test('is no false alarm in a failed transaction', () => {
    expect(
      codesIn({ ...withoutEvents(launch), meta: { ...metaOf(withoutEvents(launch)), err: { InstructionError: [0, 'Custom'] } } }),
    ).toEqual([])
  })
})
