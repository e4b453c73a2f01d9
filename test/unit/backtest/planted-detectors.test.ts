// The guards on user detectors, measured: 200 planted cheats are caught, 200 honest detectors pass.
import { CHEATS } from '../../fixtures/planted-detectors/cheats.ts'
import { isEffective, type Judged, killed } from '../../fixtures/planted-detectors/killed.ts'

const OF_A_KIND = 20
const HONEST = 200

let all: Promise<readonly Judged[]> | undefined
const judged = (): Promise<readonly Judged[]> => {
  all ??= killed({ seed: 1, market: { seed: 1, rate: 20, seconds: 60 }, cheats: OF_A_KIND, honest: HONEST })
  return all
}
const shown = ({ kind, reason, source }: Judged): string => `${kind}: ${reason}\n${source}`

test.each(Object.keys(CHEATS))('each effective cheat of the kind %s is refused or flips', async (kind) => {
  const cheats = (await judged()).filter((one) => one.kind === kind)
  expect(cheats).toHaveLength(OF_A_KIND)
  expect(cheats.filter((one) => !isEffective(one)).map(shown)).toEqual([])
  expect(cheats.filter(({ is }) => is === 'passed').map(shown)).toEqual([])
})

test('no honest detector is refused or flips, and most fire', async () => {
  const honest = (await judged()).filter(({ kind }) => kind === 'honest')
  expect(honest).toHaveLength(HONEST)
  expect(honest.filter(({ is }) => is !== 'passed').map(shown)).toEqual([])
  expect(honest.filter(({ firings }) => firings > 0).length).toBeGreaterThan(HONEST * 0.8)
})

test('cheats are classified by kind', async () => {
  const reasonsOf = async (kind: string): Promise<string[]> =>
    (await judged()).filter((one) => one.kind === kind).map(({ reason }) => reason)
  for (const reason of await reasonsOf('memory between calls'))
    expect(reason).toMatch(/remembers|depends on order|read-only|not extensible|writes/)
  for (const reason of await reasonsOf('wall clock and chance')) expect(reason).toMatch(/is refused: a detector is a pure function of rows/)
  for (const reason of await reasonsOf('files and modules')) expect(reason).toMatch(/cannot be imported|cannot be loaded|is refused/)
  for (const reason of await reasonsOf('changed input')) expect(reason).toMatch(/writes to its input|read-only/)
  expect((await reasonsOf('outcome table')).filter((reason) => !/knows (?:addresses|dates)/.test(reason))).toEqual([])
})
