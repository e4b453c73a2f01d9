// Findings that the API recomputes from the log: results, and refusals that keep requests short.
import { altConclusionCodec, conclusionCodec } from '../../schemas/codecs.ts'
import type { Conclusion } from '../../schemas/types.ts'
import { recomputerOn } from '../../topology/cli/commands/explain/subject-chains.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { keptOf } from '../../topology/operations/explain/stored.ts'
import type { KeptFinding } from '../../topology/ports/history.ts'
import { playAltDemo } from '../fixtures/alt-demo.ts'
import { forkedMinute } from '../fixtures/own-log.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw, foldToEnd, standingConclusionsOn } from '../live.ts'

const log = createMemoryLog({ partitions: 3 })
const NO_ALT = { rpcUrl: null, wsUrl: null, checkUrl: null, addresses: null }
const NODES = { accountsUrl: null, liveAlt: NO_ALT, notice: () => {} }
let conclusions: readonly Conclusion[] = []
const storedOf = (one: Conclusion | undefined): KeptFinding => keptOf(one as Conclusion) as KeptFinding

beforeAll(async () => {
  await appendRaw(log, forkedMinute.bodies, 0)
  await foldToEnd(log, DEFAULT_LIMITS)
  await playAltDemo(log, { blocks: 1_500, seed: 1, rate: 10 })
  const texts = [
    ...(await standingConclusionsOn(log, TOPICS.flags, conclusionCodec)),
    ...(await standingConclusionsOn(log, CURVE_RISK.operations.explain.reads.flags, altConclusionCodec)),
  ]
  conclusions = texts.map((text) => JSON.parse(text) as Conclusion)
})

test('recomputes findings of both chains, with their events and signatures', async () => {
  const recomputer = recomputerOn(log, NODES)
  expect(new Set(conclusions.map(({ chain }) => chain)).size).toBe(2)
  for (const one of conclusions) {
    const stored = storedOf(one)
    const { verdict, events } = await recomputer.recompute(one.id, stored)
    expect([one.id, verdict]).toEqual([one.id, { recomputed: 'same' }])
    expect(events?.map(({ event_id }) => event_id)).toEqual(stored.events)
    expect(events?.every(({ signature, position, event_id }) => signature !== '' && event_id.startsWith(`${position}@`))).toBe(true)
  }
})

test('compares a finding without version and events, as only the stores know it, as far as possible', async () => {
  const { detectorVersion: _, events: __, ...known } = storedOf(conclusions[0])
  const { verdict, events } = await recomputerOn(log, NODES).recompute(conclusions[0]?.id ?? '', known)
  expect([verdict, events?.length]).toEqual([{ recomputed: 'same' }, storedOf(conclusions[0]).events.length])
})

test('names what differs', async () => {
  const stored = { ...storedOf(conclusions[0]), flag: 'another', mintAgeS: (storedOf(conclusions[0]).mintAgeS ?? 0) + 1 }
  const { verdict } = await recomputerOn(log, NODES).recompute(conclusions[0]?.id ?? '', stored)
  expect(verdict).toMatchObject({ recomputed: 'differs', differences: [{ field: 'flag' }, { field: 'mint_age_at_flag_s' }] })
})

test('recomputes one finding at a time, over few frames and briefly; otherwise the result is null with the reason', async () => {
  const id = conclusions[0]?.id ?? ''
  const stored = storedOf(conclusions[0])
  const recomputer = recomputerOn(log, NODES)
  const [first, second] = await Promise.all([
    recomputer.recompute(id, stored),
    recomputer.recompute(conclusions[1]?.id ?? '', storedOf(conclusions[1])),
  ])
  expect([first.verdict.recomputed, second.verdict]).toEqual(['same', expect.objectContaining({ recomputed: null })])
  for (const limits of [{ framesMax: 2 }, { msMax: -1 }]) {
    const { verdict } = await recomputerOn(log, NODES, limits).recompute(id, stored)
    expect(verdict).toEqual({ recomputed: null, recomputed_reason: expect.stringContaining('use mintfold explain') })
  }
  expect((await recomputer.recompute('solana:1.~@a:b:c', stored)).verdict.recomputed).toBeNull()
})

test('without a node a bundle lists its events and states that nothing is proven', async () => {
  const one = conclusions.find(({ id }) => id.includes(':bundle-dumped:')) ?? conclusions[0]
  const answer = await recomputerOn(log, NODES).bundle(one?.id ?? '', storedOf(one))
  const { events, left_out, our_word } = JSON.parse(answer.ok ? answer.text : '{}') as Record<string, readonly { readonly proof: null }[]>
  expect(events?.length).toBe(Math.min(8, storedOf(one).events.length))
  expect((events?.length ?? 0) + (left_out?.length ?? 0)).toBe(storedOf(one).events.length)
  expect([events?.every(({ proof }) => proof === null), our_word]).toEqual([true, ['all of it: nothing is proven here']])
})
