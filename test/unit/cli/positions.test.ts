// Positions in a log as typed: a slot, a position, or a time before the newest frame.
import { formatPosition } from '../../../schemas/position.ts'
import { fromEdge, fromPosition, toEdge, toPosition } from '../../../topology/cli/commands/recordings/positions.ts'

test.each([
  ['solana:332254908', 'solana:332254908.0.0.0', 'solana:332254908.~'],
  ['solana:332254908.17.3.2', 'solana:332254908.17.3.2', 'solana:332254908.17.3.2'],
  ['solana:332254908.~', 'solana:332254908.~', 'solana:332254908.~'],
])('%s as a start is %s and as an end is %s', (text, from, to) => {
  expect([formatPosition(fromPosition(text)), formatPosition(toPosition(text))]).toEqual([from, to])
  expect([fromEdge(text), toEdge(text)]).toEqual([
    { text, at: { position: fromPosition(text) } },
    { text, at: { position: toPosition(text) } },
  ])
})
test.each([
  ['-90s', 90],
  ['-30m', 1_800],
  ['-1h', 3_600],
  ['-2d', 172_800],
  ['-0s', 0],
])('%s is this many seconds before the newest frame: %i', (text, agoS) => {
  expect([fromEdge(text), toEdge(text)]).toEqual([
    { text, at: { agoS } },
    { text, at: { agoS } },
  ])
  expect(() => fromPosition(text)).toThrow(`${text} is not a position: write it as solana:332254908`)
})
test.each(['', '332254908', 'slot 5', 'solana:', 'solana:05.~', 'base:5.~', '1h', '-1', '-1w', '-h', '-1.5h', '- 1h', '-1234567s'])(
  '%j is refused with the valid forms',
  (text) => {
    expect(() => fromEdge(text)).toThrow(`${text} is neither a position nor a time before the newest frame: write solana:332254908, or -1h`)
    expect(() => toEdge(text)).toThrow(`${text} is neither a position`)
  },
)
