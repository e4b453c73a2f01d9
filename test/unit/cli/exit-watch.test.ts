// `--exit` ends when all work is done, prints what it waits for, and times out.
import { untilDealtWith } from '../../../topology/cli/start/exit-watch.ts'

const given = (awaits: (at: number) => string | null, progress: (at: number) => string) => {
  const lines: string[] = []
  let ms = 0
  const stop = new AbortController()
  const ending = untilDealtWith(
    { awaits: () => awaits(ms / 1_000), progress: () => progress(ms / 1_000) },
    // Each read of this clock advances it by one second.
    { printNotice: (line) => lines.push(line), stop: stop.signal, idleSMax: 15, nowMs: () => (ms += 1_000) },
  )
  return { lines, stop, ending }
}

test('ends at once and prints nothing if there is nothing to wait for', async () => {
  const { lines, ending } = given(
    () => null,
    () => '',
  )
  await ending
  expect(lines).toEqual([])
})

test('prints what it waits for, and gives up without progress with advice', async () => {
  const { lines, ending } = given(
    () => 'the history: port 8403 is taken',
    () => 'same',
  )
  await expect(ending).rejects.toMatchObject({
    code: 'exit_stalled',
    message:
      '--exit waited 15 s without progress for the history: port 8403 is taken. Committed work is kept: fix the cause and start again, or omit --exit.',
  })
  expect(lines).toEqual(['--exit is waiting for the history: port 8403 is taken'])
})

test('waits longer than the limit while there is progress', async () => {
  const { ending } = given(
    (at) => (at < 40 ? 'the folds' : null),
    (at) => String(Math.floor(at / 12)),
  )
  await ending
})

test('ends when stopped', async () => {
  const { stop, ending } = given(
    () => 'the folds',
    () => 'same',
  )
  stop.abort()
  await ending
})
