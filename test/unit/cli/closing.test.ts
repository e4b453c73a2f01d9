// Shutdown: every step runs, and an error names its step.
import { EngineError } from '../../../schemas/errors.ts'
import { reportFailure } from '../../../topology/cli/main.ts'
import { Closing } from '../../../topology/cli/start/closing.ts'

const given = (slowMs?: number) => {
  const lines: string[] = []
  const ended: string[] = []
  const closing = new Closing((line) => lines.push(line), slowMs)
  const step = (name: string, failure?: unknown): void =>
    closing.add(name, async () => {
      ended.push(name)
      if (failure !== undefined) throw failure
    })
  return { lines, ended, closing, step }
}

test('runs in the reverse order of startup, also after a failure', async () => {
  const { ended, closing, step } = given()
  step('log')
  step('history', new EngineError('history_down', 'it does not answer', { retriable: true }))
  step('server')
  await expect(closing.run()).rejects.toMatchObject({ code: 'history_down', message: "'history' failed to stop: it does not answer" })
  expect(ended).toEqual(['server', 'history', 'log'])
})

test('names the step of a bug next to its stack', async () => {
  const { closing, step } = given()
  step('folds', new TypeError('x is not a function'))
  const failure = await closing.run().catch((thrown: unknown) => thrown)
  const lines: string[] = []
  expect(reportFailure(failure, (line) => lines.push(line))).toBe(3)
  expect(lines.join('\n')).toMatch(/TypeError: 'folds' failed to stop: x is not a function\n\s+at /)
})

test('throws the first failure and reports the others', async () => {
  const { lines, closing, step } = given()
  step('log', new Error('second'))
  step('view', new Error('first'))
  await expect(closing.run()).rejects.toThrow("'view' failed to stop: first")
  expect(lines).toEqual(["'log' failed to stop: second"])
})

test('throws the failure of the work and reports later ones', async () => {
  const { lines, ended, closing, step } = given()
  step('log', new Error('still busy'))
  await expect(closing.after(() => Promise.reject(new Error('the work failed')))).rejects.toThrow('the work failed')
  expect(lines).toEqual(["'log' failed to stop: still busy"])
  expect(ended).toEqual(['log'])
})

test('throws the failure of the work as it is where a step waits for the same work', async () => {
  const refused = () => new EngineError('node_blind', 'the node has no logs', { retriable: false })
  const { lines, ended, closing, step } = given()
  const [one, other] = [refused(), refused()]
  step('source', one)
  await expect(closing.after(() => Promise.reject(one))).rejects.toMatchObject({ message: 'the node has no logs' })
  step('source', other)
  await closing.run(other)
  expect([one.message, other.message, lines, ended]).toEqual(['the node has no logs', 'the node has no logs', [], ['source', 'source']])
})

test('names a slow step', async () => {
  const { lines, closing } = given(5)
  closing.add('folds', () => new Promise((resolve) => setTimeout(resolve, 50)))
  closing.add('status', async () => {})
  await closing.run()
  expect(lines).toEqual(["stopping: waiting for 'folds'"])
})
