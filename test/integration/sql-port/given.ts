// An embedded ClickHouse with a file beside it that no user may get, and the requests that try.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { HistoryTarget } from '../../../topology/history/target.ts'

export const DATABASE = 'mintfold'
const ATTACKS = fileURLToPath(new URL('../../data/sql-attacks/', import.meta.url))
const REQUEST_MS_MAX = 60_000
const BODY_BYTES_MAX = 4_000
const BOUNDARY = 'XXBOUNDXX'

export interface Attempt {
  readonly note?: string
  readonly method?: string
  readonly path?: string
  /** The query string. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly gzip?: string
  readonly multipart?: Readonly<Record<string, string>>
}
export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: string
}

export const headersOf = ({ username, password }: Pick<HistoryTarget, 'username' | 'password'>): Record<string, string> => ({
  'x-clickhouse-user': username,
  'x-clickhouse-key': password,
})
export const basicOf = ({ username, password }: Pick<HistoryTarget, 'username' | 'password'>): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})

/** Status 0: the connection was closed without a response. @param leaveMs closes the connection after this time */
export const send = (
  at: string,
  attempt: Attempt,
  login: Readonly<Record<string, string>> = {},
  leaveMs = REQUEST_MS_MAX,
): Promise<Answer> => {
  const { method = 'POST', path = '/', url = '', headers, body, gzip, multipart } = attempt
  const parts = multipart && { url: `${url}&t_structure=${encodeURIComponent(multipart.t_structure ?? '')}&t_format=${multipart.t_format}` }
  const all = {
    ...login,
    ...headers,
    ...(multipart && { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }),
  }
  const { hostname, port } = new URL(at)
  return new Promise((resolve) => {
    const nothing = (): void => resolve({ status: 0, text: '', headers: '' })
    const asking = request(
      { host: hostname, port, method, path: `${path}?${parts?.url ?? url}`, headers: all, agent: false },
      (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
          else response.destroy()
        })
        const { statusCode: status = 0, rawHeaders } = response
        response.on('close', () => resolve({ status, text: Buffer.concat(chunks).toString('latin1'), headers: rawHeaders.join('\n') }))
      },
    )
    const clock = setTimeout(() => asking.destroy(), leaveMs)
    asking.on('error', nothing).on('close', () => clearTimeout(clock))
    asking.end(method === 'GET' ? undefined : multipart ? multipartOf(multipart.t ?? '') : gzip ? gzipSync(gzip) : body)
  })
}
const multipartOf = (rows: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="t"; filename="t"\r\nContent-Type: text/plain\r\n\r\n${rows}\r\n--${BOUNDARY}--\r\n`

/** Counts connections to a port of this machine, and gives each an answer that a schema registry could give. */
export const givenSink = async () => {
  let hits = 0
  const server = createServer((socket) => {
    hits++
    socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n{"id":1}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { port, hits: () => hits, close: () => server.close() }
}

export interface GivenSecret {
  /** A directory of its own, outside of the engine's. */
  readonly dir: string
  readonly path: string
  isIn(answer: Answer): boolean
  attacks(file: 'read-a-file' | 'others', sink?: number): readonly Attempt[]
  remove(): void
}

/** A file with a secret. */
export const givenSecret = (): GivenSecret => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-secret-'))
  const path = join(dir, 'canary')
  const secret = 'canary-7f3a91c2'
  writeFileSync(path, `${secret}\n`)
  const forms = [secret, secret.replaceAll('-', '_'), Buffer.from(secret).toString('hex').toUpperCase()]
  const bytes = Buffer.from(path)
  const values: Readonly<Record<string, string>> = {
    '@PATH@': path,
    '@DIR@': dir,
    '@URI2@': encodeURIComponent(encodeURIComponent(path)),
    '@URI@': encodeURIComponent(path),
    '@HEX@': bytes.toString('hex'),
    '@BASE64@': bytes.toString('base64'),
    '@BYTES@': [...bytes].join(),
    '@LENGTH@': String(path.length),
  }
  return {
    dir,
    path,
    isIn: ({ text, headers }) => forms.some((form) => (text + headers).includes(form)),
    attacks: (file, sink = 0) =>
      readFileSync(join(ATTACKS, `${file}.jsonl`), 'utf8')
        .trimEnd()
        .replaceAll(/@\w+@/g, (name) => values[name] ?? String(sink))
        .split('\n')
        .map((line) => JSON.parse(line) as Attempt),
    remove: () => rmSync(dir, { recursive: true }),
  }
}

/** The statements that make a view and its storage, as the writer. */
export const TABLES: readonly string[] = [
  `CREATE DATABASE IF NOT EXISTS ${DATABASE} ENGINE = Atomic`,
  `CREATE TABLE ${DATABASE}.launches_log (a UInt64, s String) ENGINE = MergeTree ORDER BY a`,
  `INSERT INTO ${DATABASE}.launches_log SELECT number, toString(number) FROM numbers(1000)`,
  `CREATE VIEW ${DATABASE}.launches DEFINER = ${DATABASE} SQL SECURITY DEFINER AS SELECT * FROM ${DATABASE}.launches_log`,
]
