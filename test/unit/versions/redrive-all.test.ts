// A redrive of several chains gives one report.
import { EngineError } from '../../../schemas/errors.ts'
import { redriveAll } from '../../../topology/versions/redrive-all.ts'
import type { Redriven } from '../../../topology/versions/stores.ts'

const done = (corrected: number): Redriven => ({ ok: true, report: { corrected, lettersRead: 1, lettersDead: 0 } })
const failed: Redriven = { ok: false, reason: 'the disk is full' }
const empty = new EngineError('nothing_to_redrive', 'nothing was folded yet')

/** The chains in order, and their results. */
const redriven = async (...answers: readonly (Redriven | undefined | Error)[]) => {
  const asked: number[] = []
  const answer = await redriveAll([...answers.keys()], async (chain) => {
    asked.push(chain)
    const one = answers[chain]
    if (one instanceof Error) throw one
    return one
  }).catch((failure: unknown) => failure)
  return { asked, answer }
}

test('sums the reports, and leaves that of one chain unchanged', async () => {
  expect(await redriven(done(3))).toEqual({ asked: [0], answer: done(3) })
  const answer = { ok: true, report: { corrected: 7, lettersRead: 2, lettersDead: 0 } }
  expect(await redriven(done(3), done(4))).toEqual({ asked: [0, 1], answer })
})

test('has no report if another process owns one of them', async () => {
  expect(await redriven(done(3), { ok: true, report: null })).toEqual({ asked: [0, 1], answer: { ok: true, report: null } })
  expect(await redriven({ ok: true, report: null }, done(3))).toEqual({ asked: [0, 1], answer: { ok: true, report: null } })
})

test('ends at the first chain that fails, and at a stop', async () => {
  expect(await redriven(done(3), failed, done(4))).toEqual({ asked: [0, 1], answer: failed })
  expect(await redriven(undefined, done(4))).toEqual({ asked: [0], answer: undefined })
})

test('skips chains without folded frames, unless there is no other', async () => {
  expect(await redriven(empty, done(4))).toEqual({ asked: [0, 1], answer: done(4) })
  expect(await redriven(done(3), empty)).toEqual({ asked: [0, 1], answer: done(3) })
  expect(await redriven(empty, empty)).toEqual({ asked: [0, 1], answer: empty })
  const busy = new EngineError('stores_busy', 'the stores are being rebuilt')
  expect(await redriven(busy, done(4))).toEqual({ asked: [0], answer: busy })
})
