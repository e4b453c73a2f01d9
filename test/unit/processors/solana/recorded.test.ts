// What a node's record of a block has and lacks, and the bytes that a program appended to its events.

import { newLayoutsOf } from '../../../../processors/chains/decoder.ts'
import { decoder } from '../../../../processors/chains/solana/decoder.ts'
import { appendedTo } from '../../../../processors/chains/solana/events/appended.ts'
import { LAYOUTS } from '../../../../processors/chains/solana/events/layouts.ts'
import { readEvent } from '../../../../processors/chains/solana/events/read-event.ts'
import { type BlockRecord, faultOf, recordOf } from '../../../../processors/chains/solana/recorded.ts'
import { rawRecordCodec } from '../../../../schemas/codecs.ts'
import type { RawFrame, TipRow } from '../../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../../../topology/engine/limits.ts'
import { Task } from '../../../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../../../topology/launch-risk.ts'
import { bytesOf, framesOf, open, openJson, readJson, sequences, vectors } from './fixtures.ts'

const recordIn = (...jsons: unknown[]): BlockRecord =>
  recordOf({ transactions: jsons.flatMap((json) => openJson(json).blocks.flatMap(({ transactions }) => transactions)) })
const launch = readJson('create+buy-52ar89rg')
const withMeta = (json: Record<string, unknown>, meta: object) => ({ ...json, meta: { ...(json.meta as object), ...meta } })

/** The decoder's row after these frames. */
const tipAfter = (...frames: RawFrame[]): TipRow => {
  const task = new Task(LAUNCH_RISK.decode(1), 0, DEFAULT_LIMITS)
  task.begin({ input: 0, exchange: 0 })
  for (const [offset, body] of frames.entries())
    task.step({ offset, key: Buffer.alloc(0), value: rawRecordCodec.encode({ sequence: offset + 1, body }) })
  const store = task.store(decoder.processor.name)
  return store.type.decode(store.pagesOf('solana')[0]?.value as Buffer).tip as TipRow
}

describe('the record of a block', () => {
  test('is usable with calls, and with logs alone, which is reported', () => {
    expect(recordIn(launch)).toMatchObject({ events: 2, missing: 0, withoutCalls: 0, traded: 1, withoutBalances: 0 })
    const logged = recordIn(withMeta(launch, { innerInstructions: null }))
    expect([logged.events, logged.withoutCalls, faultOf(logged)]).toEqual([2, 1, undefined])
  })
  test('is refused without calls and logs, whether they are null or empty', () => {
    for (const innerInstructions of [null, []])
      expect(faultOf(recordIn(withMeta(launch, { innerInstructions, logMessages: null })))).toMatch(
        /neither inner instructions nor logs: 2 calls/,
      )
  })
  test('is refused without token balances', () => {
    expect(faultOf(recordIn(withMeta(launch, { preTokenBalances: [], postTokenBalances: [] })))).toMatch(/no token balances/)
  })
  test('is not judged by one call without its event beside others that have theirs, nor without calls', () => {
    const silent = withMeta(launch, { innerInstructions: null, logMessages: null })
    expect([faultOf(recordIn(launch, silent)), faultOf(recordIn())]).toEqual([undefined, undefined])
  })
})

describe('appended bytes', () => {
  test('are what the parser leaves behind the newest known layout, of every known event', () => {
    for (const { program, event, ...vector } of [...vectors, ...sequences.flatMap(({ events }) => events)])
      for (const more of [0, 8, 600]) {
        const bytes = Buffer.concat([bytesOf({ program, event, ...vector }), Buffer.alloc(more)])
        const read = readEvent(program, bytes)
        const fields = LAYOUTS.find((layout) => layout.program === program && layout.event === event)?.fields
        const appended = read.ok && read.value.fields.size === fields?.length ? read.value.tail.length : 0
        expect([event, more, appendedTo({ program, bytes })?.[1] ?? 0]).toEqual([event, more, appended])
      }
  })

  test('are named with the first slot that has them, once for each event and length', () => {
    const [frame] = framesOf(open('trades-2026-10/multi_hop_swap-g1fC9wYK.json.gz')) as [RawFrame]
    const tip = tipAfter(frame, { ...frame, number: frame.number + 1, hash: 'next' })
    expect(newLayoutsOf(tip)).toEqual([
      ['pump_amm.BuyEvent', 8, 460_910_106],
      ['pump.TradeEvent', 8, 460_910_106],
    ])
  })
})

test('the tip tells since when no call has had its event, until one has, and when calls were last unseen', () => {
  const [seen, silent, logged] = [
    launch,
    withMeta(launch, { innerInstructions: null, logMessages: null }),
    withMeta(launch, { innerInstructions: [] }),
  ]
    .flatMap((json) => framesOf(openJson(json)))
    .map((frame, n) => ({ ...frame, number: n, blockTime: 100 + n, hash: String(n) })) as [RawFrame, RawFrame, RawFrame]
  expect(tipAfter(seen)).toMatchObject({ missingEvents: 0, blindSince: null, callsUnseenAt: null })
  expect(tipAfter(seen, silent)).toMatchObject({ missingEvents: 2, deadLetters: 2, blindSince: 101 })
  expect(tipAfter(silent, logged)).toMatchObject({ blindSince: null, callsUnseenAt: 102 })
})
