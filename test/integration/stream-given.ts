// The stream of flags with a clock that tests move, and clients that read it.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type Serving, serve } from '../../query-api/http/server.ts'
import { faultsAs } from '../tools/shapes/check.ts'
import { until } from '../tools/until.ts'
import { flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

export const PATH = '/v1/stream/flags'

interface Event {
  readonly id: string | undefined
  readonly event: string
  readonly data: Record<string, unknown>
}
/** Component of the published schemas by name of the event. */
const COMPONENTS: Readonly<Record<string, string>> = { flag: 'StreamedFlag', retracted: 'StreamedRetraction', skipped: 'StreamedGap' }
const eventsIn = (text: string): Event[] =>
  text
    .split('\n\n')
    .slice(1)
    .filter((block) => /^event: /m.test(block))
    .map((block) => {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
      const event = fields.get('event') ?? ''
      expect([event, faultsAs('StreamEvent', Object.fromEntries(fields))]).toEqual([event, []])
      const data = JSON.parse(fields.get('data') ?? '{}') as Record<string, unknown>
      expect([event, faultsAs(COMPONENTS[event] ?? event, data)]).toEqual([event, []])
      return { id: fields.get('id'), event, data }
    })

/** A client that keeps what it read. */
export const listen = async (serving: Serving, lastId?: string, query = '') => {
  const asked = request(serving.url + PATH + query, { agent: false, headers: lastId === undefined ? {} : { 'Last-Event-ID': lastId } })
  asked.on('error', () => undefined)
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const read = { text: '', isOver: false }
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    read.text += chunk
  })
  response.on('error', () => undefined)
  response.on('end', () => {
    read.isOver = true
  })
  return {
    response,
    read,
    events: () => eventsIn(read.text),
    until: (enough: () => boolean) => until(enough, { seen: () => read.text }),
    stop: () => asked.destroy(),
  }
}

export const given = async () => {
  const closing = new AbortController()
  const limited: string[] = []
  const observer = { request: () => {}, sale: () => {}, streams: () => {}, limited: (by: string) => void limited.push(by) }
  const api = harness({ around: { closing: closing.signal, observer } })
  /** A flag of a new mint, `ageS` old, in the slot of its second, or of another second. */
  const flagged = (byte: number, ageS: number, flags: readonly string[] = ['curve_drained'], slotAgeS = ageS): void => {
    const at = api.time.nowMs / 1_000 - ageS
    const position = { number: 1_000_000 + at - NOW_S + ageS - slotAgeS, tx: byte, firstSeenAt: at }
    const rows = flags.map((flag) => flagRow(flag, { ...position, findingId: `finding-${byte}-${flag}` }))
    api.view.put(key(byte), liveState({ launch: launchRow({ at: at - 60, name: `Coin ${byte}` }), flags: rows }))
  }
  const passed = (s: number): void => {
    api.time.nowMs += s * 1_000
    api.view.setStatus({ folded: { number: 1_000_000 + api.time.nowMs / 1_000 - NOW_S, time: api.time.nowMs / 1_000 } })
  }
  passed(0)
  const serving = await serve(api.app, { host: '127.0.0.1', port: 0 })
  const idOf = (byte: number): string => `solana:${[...api.view.flagsSince(0)].find(({ mint }) => mint === key(byte))?.number}.${byte}.0.0`
  return { ...api, flagged, passed, serving, closing, limited, idOf }
}
