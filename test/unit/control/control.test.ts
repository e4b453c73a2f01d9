// The control socket: answers, limits, and responses to garbage.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../../../schemas/errors.ts'
import { askControl } from '../../../topology/operations/control/client.ts'
import { LINE_BYTES_MAX } from '../../../topology/operations/control/lines.ts'
import { CONNECTIONS_MAX, type ControlHandler, type ControlServer, serveControl } from '../../../topology/operations/control/server.ts'
import { SOCKET_FILE, socketPathOf } from '../../../topology/operations/control/socket-path.ts'

let dataDir = ''
let server: ControlServer | undefined
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mintfold-control-'))
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(dataDir, { recursive: true })
})

const handlers: Record<string, ControlHandler> = {
  status: (args) => ({ pid: 7, ...args }),
  steps: (_args, { progress }) => {
    for (const done of [1, 2]) progress({ done })
    return { done: 3 }
  },
  full: () => Promise.reject(new EngineError('backup_failed', 'no space')),
  bug: () => {
    throw new TypeError('broken')
  },
  wait: (_args, { stop }) => new Promise((resolve) => stop.addEventListener('abort', () => resolve({ stopped: true }))),
}
const open = async (): Promise<void> => {
  server = await serveControl(dataDir, handlers)
}
/** Responses of the server to these bytes, until it closes or has sent `lines` lines. */
const sayRaw = (bytes: string | Buffer, lines = 1): Promise<unknown[]> =>
  new Promise((resolve, reject) => {
    const socket = connect(join(dataDir, SOCKET_FILE))
    let text = ''
    const end = (): void => {
      socket.destroy()
      resolve(
        text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      )
    }
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (text.split('\n').length > lines) end()
    })
    socket.on('close', end)
    socket.on('error', reject)
  })

describe('a command', () => {
  test('receives its arguments, reports progress, and returns its result', async () => {
    await open()
    expect(await askControl({ dataDir, command: 'status', args: { deep: true } })).toEqual({ pid: 7, deep: true, command: 'status' })
    const reports: object[] = []
    expect(await askControl({ dataDir, command: 'steps', progress: (what) => reports.push(what) })).toEqual({ done: 3 })
    expect(reports).toEqual([{ done: 1 }, { done: 2 }])
  })
  test.each([
    ['full', 'backup_failed', 'no space'],
    ['bug', 'bug', 'broken'],
    ['nope', 'unknown_command', 'the commands are status, steps, full, bug, wait'],
    ['constructor', 'unknown_command', 'the commands are status'],
  ])('%s fails with its error, and the next command is answered', async (command, error, message) => {
    await open()
    const failure = await askControl({ dataDir, command }).catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 'control_failed', facts: { error }, message: expect.stringContaining(message) })
    expect(await askControl({ dataDir, command: 'status' })).toMatchObject({ pid: 7 })
  })
  test('is stopped when its connection ends and when the server closes', async () => {
    await open()
    const stop = new AbortController()
    const asking = askControl({ dataDir, command: 'wait', stop: stop.signal })
    setTimeout(() => stop.abort(), 50)
    await expect(asking).rejects.toMatchObject({ code: 'control_failed' })
    const other = askControl({ dataDir, command: 'wait' }).catch((thrown: unknown) => thrown)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await server?.close()
    server = undefined
    expect(await other).toMatchObject({ code: 'control_unreachable' })
  })
})

describe('the socket', () => {
  test('is restricted to its user, and removed on close', async () => {
    await open()
    expect(statSync(join(dataDir, SOCKET_FILE)).mode & 0o777).toBe(0o600)
    await server?.close()
    server = undefined
    expect(existsSync(join(dataDir, SOCKET_FILE))).toBe(false)
  })
  test('of a killed process is replaced', async () => {
    writeFileSync(join(dataDir, SOCKET_FILE), '')
    await open()
    expect(await askControl({ dataDir, command: 'status' })).toMatchObject({ pid: 7 })
  })
  test('without a listener or a directory is unreachable', async () => {
    for (const dir of [dataDir, join(dataDir, 'none')])
      await expect(askControl({ dataDir: dir, command: 'status' })).rejects.toMatchObject({ code: 'control_unreachable' })
  })
  test('with too long a path works on Linux, through a descriptor of its directory, and is refused elsewhere', async () => {
    dataDir = join(dataDir, 'd'.repeat(200))
    mkdirSync(dataDir)
    expect(() => socketPathOf(dataDir, 'darwin')).toThrow(expect.objectContaining({ code: 'control_path_long' }))
    if (process.platform !== 'linux') return
    await open()
    expect(await askControl({ dataDir, command: 'status' })).toMatchObject({ pid: 7 })
  })
})

describe('garbage', () => {
  test.each([
    ['invalid JSON', 'hello\n', 'bad_request'],
    ['no command', '{}\n', 'bad_request'],
    ['bytes', Buffer.from([0, 255, 254, 10]), 'bad_request'],
    ['an overlong line', `${'x'.repeat(LINE_BYTES_MAX + 1)}\n`, 'line_too_long'],
    ['an endless line', 'x'.repeat(LINE_BYTES_MAX + 2), 'line_too_long'],
  ])('%s is answered with a reason, and other clients are served', async (_what, bytes, error) => {
    await open()
    expect(await sayRaw(bytes)).toMatchObject([{ ok: false, error }])
    expect(await askControl({ dataDir, command: 'status' })).toMatchObject({ pid: 7 })
  })
  test('a second command is refused while the first runs', async () => {
    await open()
    expect(await sayRaw('{"command":"wait"}\n{"command":"status"}\n')).toMatchObject([{ error: 'busy' }])
  })
  test('connections beyond the limit are closed, and later ones accepted again', async () => {
    await open()
    const sockets = Array.from({ length: CONNECTIONS_MAX }, () => connect(join(dataDir, SOCKET_FILE)))
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('connect', resolve))))
    await new Promise((resolve) => setTimeout(resolve, 50))
    await expect(askControl({ dataDir, command: 'status' })).rejects.toMatchObject({ code: 'control_unreachable' })
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await askControl({ dataDir, command: 'status' })).toMatchObject({ pid: 7 })
  })
})
