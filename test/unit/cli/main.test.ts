import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '../../../schemas/errors.ts'
import { type Register, UsageError } from '../../../topology/cli/command.ts'
import { main } from '../../../topology/cli/main.ts'
import { createIo, type RealIo } from '../../../topology/cli/output/io.ts'
import { LAUNCHPAD, useLaunchpad } from '../../../topology/launchpad-in-use.ts'
import { type FakeEdges, fakeEdges } from './fake-edges.ts'

/** A command `check [--level <n>]` that runs `act`, next to one that must not be loaded. */
const run = async (
  argv: string[],
  act: (io: RealIo) => void | Promise<void> = () => undefined,
  env: Readonly<Record<string, string>> = {},
): Promise<FakeEdges & { code: number }> => {
  const edges = fakeEdges({ MINTFOLD_HOST: '::1', ...env })
  const io = createIo(edges)
  const register: Register = (command) => {
    command
      .description('Checks at length.')
      .option('--level <n>', 'how hard')
      .action(() => act(io))
  }
  const commands = {
    [argv[0] === 'doctor' ? 'doctor' : 'check']: { summary: 'checks', load: async () => ({ register }) },
    replay: { summary: 'replays', load: () => Promise.reject(new Error('loaded without being called')) },
  }
  return { ...edges, code: await main(argv, io, commands) }
}

describe('the exit code is', () => {
  test('0 when the command succeeds, 1 when its check found something', async () => {
    expect((await run(['check'])).code).toBe(0)
    expect((await run(['check'], (io) => io.setExitCode(1))).code).toBe(1)
  })

  test('2 for invalid usage, in one line', async () => {
    const { code, written } = await run(['check'], () => {
      throw new UsageError('--level is wrong')
    })
    expect([code, written.stderr]).toEqual([2, 'mintfold: --level is wrong\n'])
  })

  test('3 for an environment failure, in one line', async () => {
    const { code, written } = await run(['check'], () => Promise.reject(new EngineError('port_in_use', 'port 1 is in use: take another')))
    expect([code, written.stderr]).toEqual([3, 'mintfold: port 1 is in use: take another\n'])
  })

  test('3 for a bug, with its stack', async () => {
    const { code, written } = await run(['check'], () => {
      throw new TypeError('broken')
    })
    expect(code).toBe(3)
    expect(written.stderr).toMatch(/a bug, please report.*\nTypeError: broken\n\s+at /)
  })
})

describe('invalid arguments', () => {
  test.each([
    [['chekc'], "unknown command 'chekc'; the nearest is 'check'"],
    [['check', '--lvel', '3'], 'Did you mean --level?'],
    [['check', '--n', '3'], "unknown option '--n'\n(Did you mean --level?)"],
    [['check', '--level'], "option '--level <n>' argument missing"],
    [['check', 'more'], 'too many arguments'],
    [['--levl'], "unknown option '--levl'"],
    [[], 'Usage: mintfold'],
    [['constructor'], "unknown command 'constructor' (--help lists all)"],
  ])('%j is invalid usage with a message', async (argv, message) => {
    const { code, written } = await run(argv)
    expect(code).toBe(2)
    expect(written.stderr).toContain(message)
    expect(written.stdout).toBe('')
  })
})

describe('help', () => {
  test('of the program lists every command, and loads none', async () => {
    const { code, written } = await run(['--help'])
    expect(code).toBe(0)
    expect(written.stdout).toMatch(/check +checks\n +replay +replays/)
    expect(written.stderr).toBe('')
  })

  test.each([[['check', '--help']], [['help', 'check']]])('of a command: %j', async (argv) => {
    const { code, written } = await run(argv)
    expect(code).toBe(0)
    expect(written.stdout).toContain('--level <n>')
    expect(written.stdout).toContain('Checks at length.')
  })

  test('the version is that of the package', async () => {
    expect((await run(['--version'])).written.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('--env-file', () => {
  let dir = ''
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintfold-env-'))
  })
  afterAll(() => rm(dir, { recursive: true }))

  test.each([
    ['before', (file: string) => ['--env-file', file, 'check']],
    ['after', (file: string) => ['check', `--env-file=${file}`]],
  ])('%s the command, its values are read, and the environment wins', async (_where, argv) => {
    const file = join(dir, 'env')
    writeFileSync(file, '# a comment\nMINTFOLD_PORT=8500\nMINTFOLD_HOST=127.0.0.1\n')
    const seen: unknown[] = []
    await run(argv(file), (io) => void seen.push(io.env.MINTFOLD_PORT, io.env.MINTFOLD_HOST))
    expect(seen).toEqual(['8500', '::1'])
  })

  test('a missing file is invalid usage', async () => {
    const { code, written } = await run(['check', '--env-file', join(dir, 'none')])
    expect(code).toBe(2)
    expect(written.stderr).toContain('--env-file: there is no file')
  })
})

describe('the launchpad of curves', () => {
  const FACTORIES = { ALT_FACTORIES: `0x${'77'.repeat(20)}` }
  afterEach(() => useLaunchpad(null))

  test.each(['check', 'doctor'])('is that of the settings before %s starts, because commands compare stores by it', async (command) => {
    let make: string | null = null
    const act = (): void => {
      make = LAUNCHPAD.make
    }
    expect((await run([command], act, FACTORIES)).code).toBe(0)
    expect(make).toMatch(/^[0-9a-f]{16}$/)
  })
  test('a command refuses invalid settings, and doctor starts and reports them', async () => {
    const wrong = { ALT_FACTORIES: 'nonsense' }
    const { code, written } = await run(['check'], undefined, wrong)
    expect([code, written.stderr]).toEqual([2, expect.stringContaining('("nonsense" is not one)')])
    expect((await run(['doctor'], undefined, wrong)).code).toBe(0)
  })
})
