import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { findEvents } from '../../../../processors/chains/solana/events/find-events.ts'
import { deflateBody, encodeBody } from '../../../../processors/chains/solana/frame.ts'
import { PUMP, PUMP_AMM } from '../../../../processors/chains/solana/programs.ts'
import { toBase58 } from '../../../../schemas/keys.ts'
import type { FrameTransaction } from '../../../../schemas/types.ts'
import { bytesOf, framesOf, frameTransaction, manifest, open, openJson, readJson, vectorOf } from './fixtures.ts'

const ROUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
const pump = toBase58(PUMP)
const amm = toBase58(PUMP_AMM)
const trade = bytesOf(vectorOf('TradeEvent'))
const data = `Program data: ${trade.toString('base64')}`
const template = frameTransaction(open('tx/buy-3mpAjSPh.json.gz'))

/** A transaction with this log, whose inner instructions were not kept. */
const logged = (logs: string[]): FrameTransaction => ({ ...template, inner: null, logs })
const positions = (logs: string[]): (string | number)[][] =>
  findEvents(logged(logs)).events.map(({ program, outer, inner }) => [program, outer, inner])

/** A transaction file, read without its inner instructions. */
const withoutCalls = (name: string) => {
  const json = readJson(name)
  return openJson({ ...json, meta: { ...(json.meta as object), innerInstructions: null } })
}

describe('events from the log', () => {
  const names = manifest.filter(({ encoding }) => encoding !== 'sol-token-listener-normalized').map(({ file }) => file.replace('.json', ''))

  test.each(names)('%s without inner instructions gives the same events at the same positions from the log', (name) => {
    const calls = findEvents(frameTransaction(open(`tx/${name}.json.gz`))).events
    const log = findEvents(frameTransaction(withoutCalls(name)))
    const position = ({ program, outer, inner, bytes }: (typeof calls)[number]) => ({ program, outer, inner, hex: bytes.toString('hex') })
    expect(log.events.map(position)).toEqual(calls.map(position))
    expect([log.problems, calls.length > 0]).toEqual([[], true])
  })

  test('the log is not read if inner instructions were kept, so no event is counted twice', () => {
    const both = { ...template, logs: [`Program ${pump} invoke [1]`, data, `Program ${pump} success`] }
    expect(findEvents(both).events).toHaveLength(1)
    expect(findEvents({ ...both, inner: [] }).events).toHaveLength(0)
  })

  test('a data line belongs to the program on top of the stack', () => {
    const called = [
      `Program ${ROUTER} invoke [1]`,
      `Program ${pump} invoke [2]`,
      data,
      `Program ${pump} success`,
      `Program ${ROUTER} success`,
    ]
    expect(positions(called)).toEqual([['pump', 0, 1]])
    const returned = [
      `Program ${ROUTER} invoke [1]`,
      `Program ${pump} invoke [2]`,
      `Program ${pump} success`,
      data,
      `Program ${ROUTER} success`,
    ]
    expect(positions(returned)).toEqual([])
    expect(positions([`Program ${amm} invoke [1]`, data])).toEqual([['pump_amm', 0, 0]])
    expect(positions([data])).toEqual([])
  })

  test('lines that only resemble calls or data have no effect', () => {
    const lines = [
      `Program ${ROUTER} invoke [1]`,
      `Program log: Program ${pump} invoke [2]`,
      `Program log: ${data}`,
      data,
      `Program ${pump} invoke [2] x`,
      data,
    ]
    expect(positions(lines)).toEqual([])
  })

  test('a truncated log gives the events before the cut and a dead letter for the rest', () => {
    const cut = [`Program ${pump} invoke [1]`, data, `Program ${pump} invoke [2]`, `Program ${pump} success`, 'Log truncated']
    expect(positions(cut)).toEqual([['pump', 0, 1]])
    const body = encodeBody({ transactions: [logged(cut)], transfers: [], failedOthers: 0, transactionsTotal: 1, balances: [] })
    const [frame] = framesOf(open('tx/buy-3mpAjSPh.json.gz'))
    const decoded = decodeFrame({ ...(frame as NonNullable<typeof frame>), body: deflateBody(body) })
    expect(decoded.events.filter(({ type }) => type !== 'balance')).toHaveLength(1)
    expect(decoded.deadLetters).toMatchObject([{ code: 'log_truncated', at: { outer: 0, inner: 0 } }])
  })

  test('a data line that is not base64 is an error, unless it belongs to another program', () => {
    expect(findEvents(logged([`Program ${pump} invoke [1]`, 'Program data: !!'])).problems).toMatchObject([{ code: 'bad_encoding' }])
    expect(findEvents(logged([`Program ${ROUTER} invoke [1]`, 'Program data: !!'])).problems).toEqual([])
  })

  test('a top-level instruction that logs nothing still counts in the outer index of later events', () => {
    const at = template.instructions.findIndex(({ program }) => toBase58(template.keys[program] as never) === ROUTER)
    const keys = [...template.keys, PUMP]
    const instruction = { program: keys.length - 1, accounts: Buffer.alloc(0), data: Buffer.alloc(0) }
    const silent = { program: 0, accounts: Buffer.alloc(0), data: Buffer.alloc(0) }
    const tx = { ...logged([`Program ${pump} invoke [1]`, data]), keys, instructions: [silent, silent, instruction] }
    expect([at, findEvents(tx).events.map(({ outer, inner }) => [outer, inner])]).toEqual([-1, [[2, 0]]])
  })

  test('the log of a failed transaction gives no events', () => {
    expect(findEvents({ ...logged([`Program ${pump} invoke [1]`, data]), failed: true })).toEqual({ events: [], problems: [] })
  })
})
