// The duration in a log line: milliseconds, to a tenth.
import { access } from '../../../query-api/middleware/access.ts'

test('a request that took 12.34 ms has 12.3 in its line', async () => {
  const lines: object[] = []
  let close = (): void => {}
  const res = { statusCode: 200, writableFinished: true, once: (_event: string, then: () => void) => (close = then) }
  const ctx = { res, req: { socket: { bytesWritten: 7 } }, method: 'GET', state: {}, ip: '192.0.2.1', respond: false, response: {} }
  const observer = { request: () => {}, limited: () => {} }
  const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(1_012.34)
  try {
    await access({ info: (facts: object) => void lines.push(facts) } as never, observer as never, () => '/')(ctx as never, async () => {})
    close()
  } finally {
    clock.mockRestore()
  }
  expect(lines).toMatchObject([{ ms: 12.3, status: 200, bytes: 0, method: 'GET', route: '/' }])
})
