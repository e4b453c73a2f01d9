// A page of a stranger that the user happens to open, in a real browser: it tries to read from, and start something on, a port of this
// machine. The page is on a name of the stranger; the browser resolves all his names to this machine.
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../tools/browser.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'

/** The stranger's own page, and a name that he points to this machine once his page has loaded (DNS rebinding). */
const NAMES = { page: 'evil.example', rebound: 'rebound.example' } as const
/** Time for the slowest way to fail; all run at once. */
const WAIT_MS = 3_000
const PAGE_PATH = '/page'
const PAGE = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<body>'

interface Attempt {
  readonly path: string
  /** Absent: GET. */
  readonly post?: string
}

export interface LocalPort {
  readonly name: string
  readonly port: number
  /** New ones at each call, each of which a program could send with success. */
  attempts(): Promise<readonly Attempt[]>
  /** Status of answers to requests of pages. */
  readonly refusedWith: number
  /** Matches what programs read there. */
  readonly content: RegExp
  /** What requests have started so far. */
  started(): unknown
}

export interface Outcome {
  /** All that the page could read. */
  readonly got: readonly string[]
  /** Statuses that the port answered, as the browser saw them. */
  readonly statuses: readonly number[]
}

/** Script: tries every way of a page to send the attempts to `base`, and returns what it could read. */
const TRY_ALL = `async ({ base, attempts, waitMs }) => {
  const got = []
  const note = (what) => (text) => void got.push(what + ': ' + text)
  const add = (tag, changes) => document.body.appendChild(Object.assign(document.createElement(tag), changes))
  const read = (frame) => { try { return frame.contentDocument.documentElement.textContent } catch { return '' } }
  const frame = (name, src) => {
    const element = add('iframe', { name, ...(src && { src }) })
    element.onload = () => note('frame')(read(element))
  }
  const send = async (what, url, init) => {
    try { note(what)(await (await fetch(url, init)).text()) } catch {}
  }
  window.onerror = (message) => note('script')(message)
  let n = 0
  for (const { path, post } of attempts) {
    const url = base + path
    const name = 'f' + n++
    frame(name)
    const form = add('form', { action: url, target: name, method: post === undefined ? 'GET' : 'POST' })
    if (post === undefined) {
      for (const tag of ['script', 'img']) add(tag, { src: url, onload: () => note(tag)('loaded') })
      add('link', { rel: 'stylesheet', href: url })
      frame(name + 'src', url)
      for (const mode of ['cors', 'no-cors']) send(mode, url, { mode })
      new EventSource(url).onmessage = ({ data }) => note('events')(data)
    } else {
      form.enctype = 'text/plain'
      // The name and value of a field are sent as NAME=VALUE: valid JSON with one more member.
      form.append(Object.assign(document.createElement('input'), { name: post.slice(0, -1) + ',"x":"', value: '"}' }))
      for (const type of ['text/plain', 'application/json']) {
        const init = { method: 'POST', body: post, headers: { 'Content-Type': type } }
        send('cors ' + type, url, init)
        if (type === 'text/plain') send('no-cors', url, { ...init, mode: 'no-cors' })
      }
      navigator.sendBeacon(url, new Blob([post], { type: 'text/plain' }))
    }
    form.submit()
    const socket = new WebSocket(url.replace('http', 'ws'))
    socket.onmessage = ({ data }) => note('socket')(data)
    socket.onopen = () => note('socket')('open')
  }
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  return got
}`

export class ForeignPage {
  readonly #browser: Browser
  readonly #server: LocalServer

  private constructor(browser: Browser, server: LocalServer) {
    this.#browser = browser
    this.#server = server
  }
  static async open(): Promise<ForeignPage> {
    const server = await startLocal(
      createServer((_request, response) => void response.setHeader('content-type', 'text/html').end('<body>')),
    )
    const rules = Object.values(NAMES).map((name) => `MAP ${name} 127.0.0.1`)
    return new ForeignPage(await launchBrowser(`--host-resolver-rules=${rules.join(',')}`), server)
  }
  async close(): Promise<void> {
    await this.#browser.close()
    await this.#server.close()
  }
  /** From the stranger's own origin. @param host by which the page addresses this machine. */
  async tryFromOutside(port: LocalPort, host: '127.0.0.1' | 'localhost' | '[::1]', through = port.port): Promise<Outcome> {
    const page = await this.#browser.newPage()
    await page.goto(`http://${NAMES.page}:${new URL(this.#server.url).port}/`)
    return this.#try(page, port, `http://${host}:${through}`)
  }
  /** From a page that was loaded from the same name and port, before the name was pointed to this machine. */
  async tryRebound(port: LocalPort): Promise<Outcome> {
    const tunnel = await tunnelTo(port.port, PAGE_PATH)
    const page = await this.#browser.newPage()
    const base = `http://${NAMES.rebound}:${tunnel.port}`
    await page.goto(`${base}${PAGE_PATH}`)
    const outcome = await this.#try(page, port, base)
    tunnel.close()
    return outcome
  }
  async #try(page: Page, { attempts }: LocalPort, base: string): Promise<Outcome> {
    const statuses: number[] = []
    page.on('response', (response) => {
      if (response.url().startsWith(`${base}/`)) statuses.push(response.status())
    })
    const call = `(${TRY_ALL})(${JSON.stringify({ base, attempts: await attempts(), waitMs: WAIT_MS })})`
    const got = await page.evaluate<string[]>(call)
    await page.close()
    return { got, statuses }
  }
}

interface Tunnel {
  readonly port: number
  close(): void
}

/** A tunnel such as that of `ssh -L`: another port that leads to `port`. @param page a path that is answered with an empty page instead. */
export const tunnelTo = async (port: number, page?: string): Promise<Tunnel> => {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', (first) => {
      if (page !== undefined && first.toString().startsWith(`GET ${page} `)) return void socket.end(PAGE)
      const beyond = connect(port, '127.0.0.1')
      sockets.add(beyond)
      beyond.on('error', () => socket.destroy())
      beyond.write(first)
      socket.pipe(beyond)
      beyond.pipe(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
