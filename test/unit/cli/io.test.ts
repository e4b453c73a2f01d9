import { createIo } from '../../../topology/cli/output/io.ts'
import { fakeEdges } from './fake-edges.ts'

const failure = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`write ${code}`), { code })

describe('the edges of a command', () => {
  test('data goes to stdout, messages to stderr', async () => {
    const edges = fakeEdges()
    const io = createIo(edges)
    await io.out('{"a":1}\n')
    io.printNotice('1 line')
    expect(edges.written).toEqual({ stdout: '{"a":1}\n', stderr: '1 line\n' })
  })

  test('signals keep their default if the command does not use stop', () => {
    const edges = fakeEdges()
    createIo(edges)
    expect(edges.signal('SIGINT')).toBe(false)
  })

  test('on a signal, stop fires once and nothing exits', () => {
    const edges = fakeEdges()
    const { stop } = createIo(edges)
    expect(stop.aborted).toBe(false)
    edges.signal('SIGTERM')
    expect(stop.aborted).toBe(true)
    expect(edges.exits).toEqual([])
  })

  test('a duplicate Ctrl-C, as forwarded by npm, counts once; a later one exits at once', () => {
    jest.useFakeTimers()
    try {
      const edges = fakeEdges()
      createIo(edges).stop.throwIfAborted()
      edges.signal('SIGINT')
      jest.advanceTimersByTime(500)
      edges.signal('SIGINT')
      expect(edges.exits).toEqual([])
      jest.advanceTimersByTime(1)
      edges.signal('SIGINT')
      expect(edges.exits).toEqual([130])
    } finally {
      jest.useRealTimers()
    }
  })

  test('a command that does not stop is ended within 10 s, with a message', () => {
    jest.useFakeTimers()
    try {
      const edges = fakeEdges()
      const { stop } = createIo(edges)
      edges.signal('SIGTERM')
      jest.advanceTimersByTime(10_000)
      expect(stop.aborted).toBe(true)
      expect(edges.exits).toEqual([3])
      expect(edges.written.stderr).toContain('did not stop within 9.5 s')
    } finally {
      jest.useRealTimers()
    }
  })

  test('a command that extends its stop has that much more time', () => {
    jest.useFakeTimers()
    try {
      const edges = fakeEdges()
      const io = createIo(edges)
      io.extendStop?.(5_000)
      io.stop.throwIfAborted()
      edges.signal('SIGTERM')
      jest.advanceTimersByTime(14_000)
      expect(edges.exits).toEqual([])
      jest.advanceTimersByTime(1_000)
      expect(edges.written.stderr).toContain('did not stop within 14.5 s')
    } finally {
      jest.useRealTimers()
    }
  })

  test('if the reader closes stdout, the process ends quietly with the code so far', async () => {
    const edges = fakeEdges({}, failure('EPIPE'))
    const io = createIo(edges)
    io.setExitCode(1)
    void io.out('line\n')
    await new Promise(setImmediate)
    expect(edges.exits).toEqual([1])
    expect(edges.written.stderr).toBe('')
  })

  test('if the disk behind stdout is full, the write fails as an environment failure', async () => {
    const edges = fakeEdges({}, failure('ENOSPC'))
    await expect(createIo(edges).out('line\n')).rejects.toMatchObject({ name: 'EngineError', code: 'output_failed' })
    expect(edges.exits).toEqual([])
  })

  test('variables of the environment override those of a file', () => {
    const io = createIo(fakeEdges({ MINTFOLD_PORT: '1' }))
    io.addEnv({ MINTFOLD_PORT: '2', MINTFOLD_HOST: '::1' })
    expect(io.env).toMatchObject({ MINTFOLD_PORT: '1', MINTFOLD_HOST: '::1' })
  })
})
