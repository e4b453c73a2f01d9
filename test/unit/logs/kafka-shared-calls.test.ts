import { SharedCalls } from '../../../topology/logs/kafka/shared-calls.ts'

const given = () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const calls = new SharedCalls(async (name) => {
    begun.push(name)
    const nth = begun.length
    await new Promise<void>((resolve) => ends.push(resolve))
    if (name === 'fails') throw new Error('refused')
    return nth
  })
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { begun, ends, calls, turn }
}

test('all that ask while a call runs share the next one, which begins after they asked', async () => {
  const { begun, ends, calls, turn } = given()
  const first = calls.of('a')
  await turn()
  const later = [calls.of('a'), calls.of('a')]
  await turn()
  expect(begun).toEqual(['a'])
  ends[0]?.()
  expect(await first).toBe(1)
  await turn()
  ends[1]?.()
  expect(await Promise.all(later)).toEqual([2, 2])
})
test('calls of other names run at the same time', async () => {
  const { begun, ends, calls, turn } = given()
  const all = [calls.of('a'), calls.of('b')]
  await turn()
  expect(begun).toEqual(['a', 'b'])
  for (const end of ends) end()
  expect(await Promise.all(all)).toEqual([1, 2])
})
test('a call that fails fails for those that share it, and not for the next', async () => {
  const { ends, calls, turn } = given()
  const failing = [calls.of('fails'), calls.of('fails')].map((call) => expect(call).rejects.toThrow('refused'))
  await turn()
  const next = expect(calls.of('fails')).rejects.toThrow('refused')
  ends[0]?.()
  await Promise.all(failing)
  await turn()
  ends[1]?.()
  await next
})
