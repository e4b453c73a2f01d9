// What `mintfold buy` prints for people: what is sold, why a poor wallet is refused, and an answer that is readable on a terminal.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bs58 from 'bs58'
import { Command } from 'commander'
import { register } from '../../../topology/cli/commands/buy/buy.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { startLocal } from '../../tools/local-server.ts'
import { startWorld, type World } from './world.ts'

let world: World
let dataDir = ''
beforeAll(async () => {
  world = await startWorld()
  dataDir = await mkdtemp(join(tmpdir(), 'mintfold-buy-'))
})
afterAll(async () => {
  await world.close()
  await rm(dataDir, { recursive: true, force: true })
})

interface Run {
  out: string
  stderr: string
  failure: unknown
}
const buy = async (server: string, wallet: string, outTerminal = false): Promise<Run> => {
  const ran: Run = { out: '', stderr: '', failure: undefined }
  const program = new Command().exitOverride()
  register(program.command('buy'), {
    out: async (text) => {
      ran.out += String(text)
    },
    printNotice: (line) => {
      ran.stderr += `${line}\n`
    },
    env: { MINTFOLD_DATA_DIR: dataDir },
    ...{ terminal: false, outTerminal, stop: new AbortController().signal, setExitCode: () => undefined },
  })
  await program.parseAsync(['buy', '/v1/card', '--server', server, '--wallet', wallet], { from: 'user' }).catch((failure: unknown) => {
    ran.failure = failure
  })
  return ran
}

test('prints the coverage in the terms before it signs', async () => {
  const terms = await world.terms(`${world.shop.url}/v1/card`)
  const accepts = terms.accepts.map((entry) => ({ ...entry, amount: '9000000' }))
  const sold = { ...terms, accepts, extensions: { mintfold: { info: { coverage: 'thin' } } } }
  const server = await startLocal(createServer((_request, response) => void response.writeHead(402).end(JSON.stringify(sold))))
  const { stderr, failure } = await buy(server.url, world.sandbox.walletFile)
  expect(stderr).toMatch(/^sells {4}coverage thin: not observed live/m)
  expect(failure).toMatchObject({ name: 'UsageError', message: expect.stringContaining('--max-usd') })
  await server.close()
})

test('tells a wallet without USDC which wallet the sandbox funds', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' })
  const [secret, address] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const wallet = { ...(await readWallet(world.sandbox.walletFile)), address: bs58.encode(address), secretKey: [...secret, ...address] }
  const file = join(dataDir, 'own.json')
  await writeFile(file, JSON.stringify(wallet))
  const { failure } = await buy(world.shop.url, file)
  expect(failure).toMatchObject({ code: 'purchase_failed', message: expect.stringContaining(`The wallet ${wallet.address} has no USDC`) })
  expect(failure).toMatchObject({ message: expect.stringContaining(`a sandbox funds only ${join(dataDir, 'wallet.json')}`) })
})

test('indents the answer on a terminal, and leaves it as received otherwise', async () => {
  const server = await startLocal(createServer((_request, response) => void response.end('{"free":1}')))
  expect((await buy(server.url, '', true)).out).toBe('{\n  "free": 1\n}\n')
  expect((await buy(server.url, '')).out).toBe('{"free":1}\n')
  await server.close()
})
