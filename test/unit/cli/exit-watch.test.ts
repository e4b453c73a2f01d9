// `--exit` ends when all is dealt with, says for what it waits, and does not wait without end.
import { untilDealtWith } from '../../../topology/cli/start/exit-watch.ts'

const given = (awaits: (at: number) => string | null, progress: (at: number) => string) => {
  const said: string[] = []
  let ms = 0
  const stop = new AbortController()
  const ending = untilDealtWith(
    { awaits: () => awaits(ms / 1_000), progress: () => progress(ms / 1_000) },
    // Each look at this clock takes a second.
    { say: (line) => said.push(line), stop: stop.signal, idleSMax: 15, nowMs: () => (ms += 1_000) },
  )
  return { said, stop, ending }
}

test('given nothing that is waited for, then it ends at once and says nothing', async () => {
  const { said, ending } = given(
    () => null,
    () => '',
  )
  await ending
  expect(said).toEqual([])
})

test('given something that does not move, then it is said, and given up with what to do', async () => {
  const { said, ending } = given(
    () => 'the history: port 8403 is taken',
    () => 'same',
  )
  await expect(ending).rejects.toMatchObject({
    code: 'exit_stalled',
    message:
      '--exit waited 15 s without progress for the history: port 8403 is taken. Committed work is kept: fix the cause and start again, or omit --exit.',
  })
  expect(said).toEqual(['--exit is waiting for the history: port 8403 is taken'])
})

test('given something slow that moves, then it is waited for longer than the limit', async () => {
  const { ending } = given(
    (at) => (at < 40 ? 'the folds' : null),
    (at) => String(Math.floor(at / 12)),
  )
  await ending
})

test('given a stop, then it ends', async () => {
  const { stop, ending } = given(
    () => 'the folds',
    () => 'same',
  )
  stop.abort()
  await ending
})
