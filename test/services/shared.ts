// One broker and one registry for all test files of a jest run: started by the first file that asks, stopped at the end of the run.
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { describeGiven } from './describe-given.ts'
import { type KafkaPlace, type KafkaServices, NO_KAFKA } from './kafka.ts'

/** Set by jest-setup for all test files. */
export const PLACE_VARIABLE = 'TEST_KAFKA_PLACE'
export const JAVA_VARIABLE = 'TEST_KAFKA_JAVA'
export const SOCKET_VARIABLE = 'TEST_KAFKA_SOCKET'
/** Socket of the places for files that keep a processor busy. */
export const SLOTS_VARIABLE = 'TEST_SLOTS_SOCKET'

export type SharedKafka = Pick<KafkaServices, 'brokers' | 'registryUrl'>

/** The jest process's response to a test file: the services, or why there are none. */
export type SharedAnswer = { readonly ok: true; readonly services: SharedKafka } | { readonly ok: false; readonly reason: string }

/** A start downloads about 190 MB if the user's cache is empty. */
export const START_MS_MAX = 180_000

/** The services; the first call starts them. */
export const sharedKafka = async (): Promise<SharedKafka> => {
  const socket = createConnection(process.env[SOCKET_VARIABLE] ?? '')
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await once(socket, 'end')
  const answer = JSON.parse(text) as SharedAnswer
  if (!answer.ok) throw new Error(answer.reason)
  return answer.services
}

const place = (): KafkaPlace => (process.env[PLACE_VARIABLE] ?? 'none') as KafkaPlace

/**
 * A group of tests that need a broker. Without one they are skipped and counted with a notice on stderr; with KAFKA_TESTS=required they
 * fail instead.
 */
export const describeKafka = (name: string, tests: () => void): void => describeAt(name, tests, place() !== 'none')

/** A group of tests that kill, stop and start their own brokers; it needs Java. */
export const describeOwnBroker = (name: string, tests: () => void): void => describeAt(name, tests, process.env[JAVA_VARIABLE] === 'yes')

const describeAt = (name: string, tests: () => void, isThere: boolean): void =>
  describeGiven(name, tests, { isThere, lack: NO_KAFKA, variable: 'KAFKA_TESTS' })
