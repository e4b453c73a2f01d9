import { progressText, showProgress } from '../../../topology/cli/output/progress.ts'

const shown = (terminal: boolean) => {
  const lines: string[] = []
  const painted: string[] = []
  let now = 0
  const progress = showProgress(
    { terminal, printNotice: (line) => lines.push(line) },
    { what: 'replays', unit: 'frames' },
    () => now,
    (text) => painted.push(text),
  )
  const at = (ms: number): void => {
    now = ms
  }
  return { lines, painted, progress, at }
}

test('shows rate, share and time left', () => {
  expect(progressText(1_200, 'frames', 3_000, 0.3)).toBe('1200 frames  400/s  30 %  7 s left')
  expect(progressText(1_200, 'frames', 3_000, undefined)).toBe('1200 frames  400/s')
  expect(progressText(0, 'frames', 0, 0)).toBe('0 frames  0/s')
  expect(progressText(10, 'MB', 600_000, 0.5)).toBe('10 MB  0/s  50 %  10 min left')
})

test('prints nothing for short work', () => {
  for (const terminal of [true, false]) {
    const { lines, painted, progress, at } = shown(terminal)
    at(400)
    progress.at(5, 0.5)
    progress.hide()
    expect([lines, painted]).toEqual([[], []])
  }
})

test('repaints one line on a terminal, and clears it', () => {
  const { lines, painted, progress, at } = shown(true)
  for (const ms of [600, 700, 1_200]) {
    at(ms)
    progress.at(ms, ms / 2_400)
  }
  progress.hide()
  progress.hide()
  expect(lines).toEqual([])
  expect(painted).toEqual([
    '\r\x1b[2Kreplays  600 frames  1000/s  25 %  2 s left',
    '\r\x1b[2Kreplays  1200 frames  1000/s  50 %  1 s left',
    '\r\x1b[2K',
  ])
})

test('prints occasional plain lines without a terminal', () => {
  const { lines, painted, progress, at } = shown(false)
  for (const ms of [5_000, 10_000, 15_000, 20_000]) {
    at(ms)
    progress.at(ms)
  }
  progress.hide()
  expect(painted).toEqual([])
  expect(lines).toEqual(['replays  10000 frames  1000/s', 'replays  20000 frames  1000/s'])
})
