// Allowed targets of alerts: only the public internet, checked as text, by name, and at each connection.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { alertLimits } from '../../../../query-api/alerts/limits.ts'
import { isPublicAddress } from '../../../../query-api/alerts/target/addresses.ts'
import { resolveTarget } from '../../../../query-api/alerts/target/resolving.ts'
import { openSender } from '../../../../query-api/alerts/target/sender.ts'
import { hostOf, urlProblem } from '../../../../query-api/alerts/target/target-url.ts'
import { startLocal } from '../../../tools/local-server.ts'

const STRICT = { allowsLoopback: false }
const SANDBOX = { allowsLoopback: true }
const MESSAGE = { headers: { 'Content-Type': 'application/json' }, body: '{}' }
const never = new AbortController().signal

/** Refused as text, whatever the resolver answers. */
const HOSTILE_TEXT: readonly string[] = [
  'http://example.com/hook',
  'ftp://example.com/hook',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user:password@example.com/hook',
  'https://user@example.com/hook',
  'https://localhost/hook',
  'https://LOCALHOST/hook',
  'https://localhost./hook',
  'https://a.localhost/hook',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://printer.local/hook',
  'https://router.lan/hook',
  'https://intranet/hook',
  'https://nas.home.arpa/hook',
  'https://127.0.0.1/hook',
  'https://127.1/hook',
  'https://2130706433/hook',
  'https://0x7f000001/hook',
  'https://0x7f.0.0.1/hook',
  'https://0177.0.0.1/hook',
  'https://0177.0x0.1/hook',
  'https://127.0.0.1./hook',
  'https://１２７.０.０.１/hook',
  'https://0.0.0.0/hook',
  'https://10.1.2.3/hook',
  'https://172.16.0.1/hook',
  'https://172.31.255.255/hook',
  'https://192.168.1.1/hook',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/hook',
  'https://198.18.0.1/hook',
  'https://192.0.2.1/hook',
  'https://224.0.0.1/hook',
  'https://255.255.255.255/hook',
  'https://[::1]/hook',
  'https://[::]/hook',
  'https://[::ffff:127.0.0.1]/hook',
  'https://[::ffff:7f00:1]/hook',
  'https://[::127.0.0.1]/hook',
  'https://[64:ff9b::7f00:1]/hook',
  'https://[64:ff9b:1::a00:1]/hook',
  'https://[2002:7f00:1::]/hook',
  'https://[2001:0:7f00:1::]/hook',
  'https://[fe80::1]/hook',
  'https://[fc00::1]/hook',
  'https://[fd12:3456::1]/hook',
  'https://[ff02::1]/hook',
  'https://[2001:db8::1]/hook',
  'https://example.com:25/hook',
  'https://example.com:22/hook',
  'example.com/hook',
  '//example.com/hook',
]

/** Addresses of names that are valid as text. */
const HOSTILE_ADDRESSES: readonly string[] = [
  ...['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.100.100.200', '192.168.0.1', '0.0.0.0', '224.0.0.251'],
  ...['::1', '::ffff:10.0.0.1', 'fe80::1', 'fd00::1', '64:ff9b::a00:1', '2002:a00:1::', 'ff02::1'],
]

/** A server in a thread of its own: it says its port, and then each request. */
const ANSWERS_AFTER_100_MS = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:http').createServer((request, response) => {
    request.resume()
    parentPort.postMessage('asked')
    setTimeout(() => response.end('ok'), 100)
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

describe('hostile targets', () => {
  test.each(HOSTILE_TEXT)('%s is refused as text, and no request is made to it', async (url) => {
    expect(urlProblem(url, 'generic', STRICT)).toEqual(expect.stringMatching(/^(URL|Input) should /))
    const asked: string[] = []
    const sender = openSender(async (host) => {
      asked.push(host)
      return []
    }, STRICT)
    expect(await sender.send({ ...MESSAGE, url }, never)).toEqual({ kind: 'failed', reason: 'target_forbidden', waitMs: 0 })
    await sender.close()
    expect(asked).toEqual([])
  })

  test.each(HOSTILE_ADDRESSES)(
    'a name that resolves to %s is refused, also next to a public address, when subscribing and when sending',
    async (address) => {
      const url = 'https://hook.example.com:8443/'
      expect(urlProblem(url, 'generic', STRICT)).toBeNull()
      for (const addresses of [[address], ['93.184.215.14', address]]) {
        expect(await resolveTarget(hostOf(new URL(url)), async () => addresses, STRICT)).toEqual({ kind: 'forbidden' })
        const sender = openSender(async () => addresses, STRICT)
        expect(await sender.send({ ...MESSAGE, url }, never)).toMatchObject({ reason: 'target_forbidden' })
        await sender.close()
      }
    },
  )

  test('a name that is public when subscribing and resolves to this machine later reaches nothing', async () => {
    let connections = 0
    const server = createServer((_request, response) => response.end())
    server.on('connection', () => {
      connections += 1
    })
    const local = await startLocal(server)
    const { port } = server.address() as AddressInfo
    const answers = [['93.184.215.14'], ['127.0.0.1']]
    const resolve = async (): Promise<readonly string[]> => answers.shift() ?? ['127.0.0.1']
    expect(await resolveTarget('rebind.example.com', resolve, STRICT)).toMatchObject({ kind: 'public' })
    const sender = openSender(resolve, STRICT)
    expect(await sender.send({ ...MESSAGE, url: `https://rebind.example.com:${port}/` }, never)).toMatchObject({
      reason: 'target_forbidden',
    })
    await sender.close()
    await local.close()
    expect(connections).toBe(0)
  })

  test('a redirect elsewhere is a failure, and is not followed', async () => {
    const paths: string[] = []
    const server = createServer((request, response) => {
      paths.push(request.url ?? '')
      response.writeHead(307, { Location: '/elsewhere' }).end()
    })
    const local = await startLocal(server)
    const sender = openSender(async () => [], SANDBOX)
    expect(await sender.send({ ...MESSAGE, url: `${local.url}/hook` }, never)).toEqual({ kind: 'failed', reason: 'status 307', waitMs: 0 })
    await sender.close()
    await local.close()
    expect(paths).toEqual(['/hook'])
  })

  test('an answer that arrives in time is a delivery, though this process was stopped until after the time', async () => {
    const time = jest.replaceProperty(alertLimits, 'requestMsMax', 300 as never)
    const server = new Worker(ANSWERS_AFTER_100_MS, { eval: true })
    const sender = openSender(async () => [], SANDBOX)
    try {
      const [port] = (await once(server, 'message')) as [number]
      const isAsked = once(server, 'message')
      const outcome = sender.send({ ...MESSAGE, url: `http://127.0.0.1:${port}/hook` }, never)
      await isAsked
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
      expect(await outcome).toMatchObject({ kind: 'delivered', body: 'ok' })
    } finally {
      time.restore()
      await sender.close()
      await server.terminate()
    }
  })

  test('only a limited part of an endless response is read', async () => {
    let sent = 0
    const server = createServer((_request, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && sent < 64 * 1024 * 1024 && response.write(Buffer.alloc(16_384))) sent += 16_384
        if (!response.destroyed && sent < 64 * 1024 * 1024) response.once('drain', more)
      }
      more()
    })
    const local = await startLocal(server)
    const sender = openSender(async () => [], SANDBOX)
    expect(await sender.send({ ...MESSAGE, url: local.url }, never)).toMatchObject({ kind: 'delivered' })
    await sender.close()
    await local.close()
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })
})

describe('a sandbox', () => {
  test.each(['http://127.0.0.1:9000/hook', 'http://localhost:9000/hook', 'https://[::1]/hook', 'http://127.0.0.2/hook'])(
    'accepts %s, which is refused elsewhere',
    (url) => {
      expect(urlProblem(url, 'generic', SANDBOX)).toBeNull()
      expect(urlProblem(url, 'generic', STRICT)).not.toBeNull()
    },
  )
  test.each(['http://10.0.0.1/', 'http://example.com/', 'https://169.254.169.254/', 'http://user@127.0.0.1/', 'ftp://127.0.0.1/'])(
    'refuses %s too',
    (url) => {
      expect(urlProblem(url, 'generic', SANDBOX)).not.toBeNull()
    },
  )
})

describe('webhooks of Discord', () => {
  const token = 'a'.repeat(68)
  test.each([
    `https://discord.com/api/webhooks/123456789012345678/${token}`,
    `https://ptb.discord.com/api/v10/webhooks/123456789012345678/${token}`,
  ])('%s is one', (url) => expect(urlProblem(url, 'discord', STRICT)).toBeNull())
  test.each([
    `https://discord.com.evil.com/api/webhooks/123456789012345678/${token}`,
    `https://evil.com/discord.com/api/webhooks/123456789012345678/${token}`,
    'https://discord.com/api/users/@me',
    `https://discord.com/api/webhooks/1/${token}/../../users`,
  ])('%s is not', (url) => expect(urlProblem(url, 'discord', STRICT)).toContain('Discord webhook'))
})

test('a public address is one of global unicast, in either family', () => {
  for (const address of ['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001::1'])
    expect(isPublicAddress(address)).toBe(true)
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), (four, six) => {
      expect(isPublicAddress(`::ffff:${four}`)).toBe(false)
      const isGlobal = /^[23][0-9a-f]{3}:/i.test(six)
      if (!isGlobal) expect(isPublicAddress(six)).toBe(false)
    }),
  )
})
