// The open connections of a server: how many a caller may have, and which are closed to make room for others.
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type CallerKey, callerKeys, canonicalAddress, type TrustedProxies } from './caller-address.ts'
import { BUSY_SHARE, CallerCounts } from './caller-counts.ts'

/** An answer that its client has not read for this long since the pool was full may be cut. */
const UNREAD_MS = 5_000
/** After a search that found nothing to cut, none begins for this time: a flood of connections causes few of them. */
const SEARCH_PAUSE_MS = 100

interface Connection {
  readonly socket: Socket
  readonly holder: Holder
  /** Answers to requests whose headers have arrived; none: the connection is idle. */
  readonly answers: Set<ServerResponse>
  /** When a search first found its answer complete but not read: milliseconds of `performance.now()`. */
  unreadSinceMs: number | undefined
  readonly release: () => void
}

/** An IPv4 address, an IPv6 /48, or all trusted proxies together. */
class Holder {
  readonly key: string
  readonly open = new Set<Connection>()
  /** Without a request, the longest idle first. */
  readonly idle = new Set<Connection>()

  constructor(key: string) {
    this.key = key
  }
}

export interface ConnectionLimits {
  readonly proxies: TrustedProxies
  readonly perAddressMax: number
  readonly max: number
}

/**
 * From three quarters of `max` on, each new connection closes an idle one of the caller that holds most. At `max`, a caller that has none also
 * displaces a request that has not arrived completely, or an answer that its client does not read, of the caller that holds most. A request
 * that has arrived is never cut; if nothing else is left, the new connection is closed. Trusted proxies carry many callers: they have no
 * limit of their own, always count as a caller that has none, and lose idle connections last.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #counts: CallerCounts
  readonly #open = new Map<Socket, Connection>()
  readonly #holders = new Map<string, Holder>()
  readonly #proxies = new Holder('proxies')
  /** Holders with an idle connection, except proxies, by their number of connections. */
  readonly #idleBySize: Set<Holder>[] = []
  #searchAgainAtMs = 0

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits
    this.#counts = new CallerCounts({ perCaller: limits.perAddressMax })
    server.on('connection', (socket: Socket) => this.#admit(socket))
    server.on('request', ({ socket }, response) => this.#begin(socket, response))
  }
  #admit(socket: Socket): void {
    const address = canonicalAddress(socket.remoteAddress ?? '') ?? ''
    const isProxy = this.#limits.proxies.trusts(address)
    const hasNone = isProxy || this.#counts.of(address) === 0
    const release = isProxy ? () => {} : this.#counts.take(address)
    if (typeof release === 'string') return void socket.destroy()
    if (!this.#makeRoom(hasNone)) {
      release()
      return void socket.destroy()
    }
    const holder = isProxy ? this.#proxies : this.#holderOf(address)
    const connection: Connection = { socket, holder, answers: new Set(), unreadSinceMs: undefined, release }
    this.#open.set(socket, connection)
    this.#change(holder, () => {
      holder.open.add(connection)
      holder.idle.add(connection)
    })
    socket.once('close', () => this.#drop(connection))
  }
  #holderOf(address: string): Holder {
    const { key } = callerKeys(address).at(-1) as CallerKey
    const holder = this.#holders.get(key) ?? new Holder(key)
    this.#holders.set(key, holder)
    return holder
  }
  #begin(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    const { answers, holder } = connection
    answers.add(response)
    this.#change(holder, () => holder.idle.delete(connection))
    response.once('close', () => {
      answers.delete(response)
      connection.unreadSinceMs = undefined
      if (answers.size === 0 && holder.open.has(connection)) this.#change(holder, () => holder.idle.add(connection))
    })
  }
  /** True if one more connection may open. */
  #makeRoom(hasNone: boolean): boolean {
    const { max } = this.#limits
    if (this.#open.size < max * BUSY_SHARE) return true
    this.#close(this.#idleOfLargest())
    if (this.#open.size < max) return true
    return hasNone && (this.#cutOne() || this.#close(firstIdle(this.#proxies)))
  }
  #cutOne(): boolean {
    const nowMs = performance.now()
    if (nowMs < this.#searchAgainAtMs) return false
    const isCut = this.#close(this.#ofLargest(isArriving)) || this.#close(this.#ofLargest(isUnread(nowMs)))
    if (!isCut) this.#searchAgainAtMs = nowMs + SEARCH_PAUSE_MS
    return isCut
  }
  #idleOfLargest(): Connection | undefined {
    for (let size = this.#idleBySize.length - 1; size > 0; size--)
      for (const holder of this.#idleBySize[size] ?? []) return firstIdle(holder)
    return undefined
  }
  /** The oldest connection for which `is` holds, of the largest holder that has one. Looks at all connections: only for a full pool. */
  #ofLargest(is: (connection: Connection) => boolean): Connection | undefined {
    let found: Connection | undefined
    for (const { open } of this.#holders.values()) if (open.size > (found?.holder.open.size ?? 0)) found = find(open, is) ?? found
    return found
  }
  #close(connection: Connection | undefined): boolean {
    if (connection === undefined) return false
    this.#drop(connection)
    connection.socket.destroy()
    return true
  }
  /** Idempotent. */
  #drop(connection: Connection): void {
    const { socket, holder, release } = connection
    if (!this.#open.delete(socket)) return
    this.#change(holder, () => {
      holder.open.delete(connection)
      holder.idle.delete(connection)
    })
    if (holder.open.size === 0) this.#holders.delete(holder.key)
    release()
  }
  #change(holder: Holder, change: () => void): void {
    if (holder.idle.size > 0) this.#idleBySize[holder.open.size]?.delete(holder)
    change()
    if (holder.idle.size === 0 || holder === this.#proxies) return
    const { size } = holder.open
    const alike = this.#idleBySize[size] ?? new Set()
    this.#idleBySize[size] = alike.add(holder)
  }
}

const firstIdle = ({ idle }: Holder): Connection | undefined => idle.values().next().value

const find = (connections: Iterable<Connection>, is: (connection: Connection) => boolean): Connection | undefined => {
  for (const connection of connections) if (is(connection)) return connection
  return undefined
}

const every = (connection: Connection, is: (answer: ServerResponse) => boolean): boolean => Array.from(connection.answers).every(is)

/** What is sold by POST, or has a body of undeclared length, is read whole before; any other GET is answered without its body. */
const isArriving = (connection: Connection): boolean =>
  every(connection, ({ req }) => (req.method === 'POST' || req.headers['transfer-encoding'] !== undefined) && !req.complete)

const isUnread =
  (nowMs: number) =>
  (connection: Connection): boolean => {
    if (!every(connection, ({ writableEnded }) => writableEnded)) return false
    connection.unreadSinceMs ??= nowMs
    return nowMs - connection.unreadSinceMs >= UNREAD_MS
  }
