// The view of `dev` while files are saved, evaluated, broken and fixed, in any order.
import { UsageError } from '../../../../schemas/errors.ts'
import type { Answer, DevFinding } from '../../../../topology/backtest/dev/answer.ts'
import { Session, type View } from '../../../../topology/cli/commands/dev/session.ts'

const findingOf = (mint: string, at: number): DevFinding => ({
  ...{ mint, name: '', symbol: '', position: `solana:${at}.0.0.0`, at, ageS: 0, evidence: '{}', label: null },
})
const answerOf = (...mints: readonly string[]): Answer =>
  ({ findings: mints.map((mint, at) => findingOf(mint, 100 + at)), from: 0, to: 200 }) as unknown as Answer

const given = () => {
  let ask = 0
  const checks: { readonly pass: (isChecked: boolean) => void; readonly fail: (failure: Error) => void }[] = []
  const mores: number[] = []
  const whys: string[] = []
  const session = new Session({
    ask: () => ++ask,
    more: () => void mores.push(ask),
    check: () => new Promise((pass, fail) => checks.push({ pass, fail })),
    changed: (_, why) => void whys.push(why),
  })
  const answered = (save: number, ...mints: readonly string[]): void =>
    session.receive({ type: 'answered', requestNumber: save, answer: answerOf(...mints), calls: 1, tookMs: 1 })
  const settle = async (act: () => void): Promise<void> => {
    act()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { session, checks, mores, whys, answered, settle }
}
const shownIn = ({ shown }: View) =>
  shown && { save: shown.save, isOld: shown.isOld, mints: shown.answer.findings.map(({ mint }) => mint).join(''), counts: shown.counts }

test('shows findings before the types are checked, and compares them with those of the previous save', async () => {
  const { session, checks, answered, settle, whys } = given()
  session.saved()
  expect(session.view).toMatchObject({ save: 1, isAsking: true, shown: undefined, types: 'checking' })
  answered(1, 'a', 'b')
  expect(shownIn(session.view)).toMatchObject({ save: 1, isOld: false, mints: 'ab', counts: { same: 2 } })
  await settle(() => checks[0]?.pass(true))
  expect(session.view.types).toBe('right')
  session.saved()
  expect(shownIn(session.view)).toMatchObject({ save: 1, isOld: true, mints: 'ab' })
  answered(2, 'b', 'c')
  expect(shownIn(session.view)).toMatchObject({ save: 2, isOld: false, counts: { gone: 1, other: 1, new: 1 } })
  expect(whys).toEqual(['saved', 'answered', 'typed', 'saved', 'answered'])
})

test('keeps the findings of the last valid save after type errors and failures, marked as old, for comparison', async () => {
  const { session, checks, answered, settle } = given()
  session.saved()
  answered(1, 'a')
  await settle(() => checks[0]?.pass(true))
  session.saved()
  answered(2, 'a', 'b')
  await settle(() => checks[1]?.fail(new UsageError('mine.ts:3:1: wrong')))
  expect(session.view).toMatchObject({ types: { wrong: 'mine.ts:3:1: wrong' }, fault: null })
  expect(shownIn(session.view)).toMatchObject({ save: 1, isOld: true, mints: 'a' })
  session.saved()
  session.receive({ type: 'failed', requestNumber: 3, message: 'throws' })
  await settle(() => checks[2]?.pass(true))
  expect(session.view).toMatchObject({ fault: 'throws', isAsking: false })
  expect(shownIn(session.view)).toMatchObject({ save: 1, isOld: true })
  session.saved()
  answered(4, 'a', 'c')
  expect(session.view.fault).toBeNull()
  expect(shownIn(session.view)).toMatchObject({ save: 4, isOld: false, counts: { same: 1, new: 1, gone: 0 } })
})

test('ignores late results of an overwritten save, and runs one check at a time', async () => {
  const { session, checks, answered, settle } = given()
  session.saved()
  session.saved()
  session.saved()
  answered(1, 'old')
  expect(session.view).toMatchObject({ isAsking: true, shown: undefined })
  expect(checks).toHaveLength(1)
  await settle(() => checks[0]?.fail(new UsageError('of the first text')))
  expect(session.view.types).toBe('checking')
  expect(checks).toHaveLength(2)
  await settle(() => checks[1]?.pass(false))
  expect(session.view.types).toBe('unchecked')
  answered(3, 'new')
  expect(shownIn(session.view)).toMatchObject({ save: 3, mints: 'new' })
})

test('evaluates newer rows; a save that fails on them keeps its findings and is not evaluated again', () => {
  const { session, mores, answered } = given()
  session.saved()
  session.arrived()
  answered(1, 'a')
  session.arrived()
  expect(mores).toEqual([1, 1])
  session.receive({ type: 'failed', requestNumber: 1, message: 'throws' })
  expect(shownIn(session.view)).toMatchObject({ save: 1, isOld: true, mints: 'a' })
  session.arrived()
  expect(mores).toEqual([1, 1])
})
