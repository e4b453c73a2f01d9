// Before all test files: finds out where a Kafka broker can run, and opens a socket through which test files ask to start it.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasRoom } from '../../topology/data-dir/disk-room.ts'
import { ROOT } from '../tools/project-files.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { serveSlots } from '../tools/slots.ts'
import { findKafka, hasJava, type KafkaServices, startKafka } from './kafka.ts'
import { PROGRAMS } from './programs.ts'
import { JAVA_VARIABLE, PLACE_VARIABLE, type SharedAnswer, SLOTS_VARIABLE, SOCKET_VARIABLE } from './shared.ts'

/** What jest-teardown has to end. */
export interface JestServices {
  stop(): Promise<void>
}

export const JEST_SERVICES = Symbol.for('mintfold.test.services')

/** Of the files in dear-files.json: more at a time start up to 15 processes, and exceed their time limits on a slow machine. */
const BUSY_FILES_MAX = 2
const BUNDLE_ALL = join(ROOT, 'topology/cli/bundle-all.mjs')
const MEMORY_DISK = '/dev/shm'
/** Tests hold some hundred megabytes at once. */
const ROOM_BYTES = 4 * 2 ** 30

/**
 * Puts temporary files of tests into a memory file system, if the machine has enough memory and TMPDIR is not set: thousands of small
 * files on a disk took a tenth of the processor time. Kills of processes behave the same there; soaks and benches use the disk.
 */
const useMemory = (): (() => void) => {
  const isNamed = process.env.TMPDIR !== undefined
  if (isNamed || !existsSync(MEMORY_DISK) || freemem() < 2 * ROOM_BYTES || !hasRoom(MEMORY_DISK, ROOM_BYTES)) return () => {}
  const dir = mkdtempSync(join(MEMORY_DISK, 'mintfold-tests-'))
  process.env.TMPDIR = dir
  return () => removeDirectory(dir)
}

/** @param run of jest; without arguments it has all test files, whose programs are bundled in one pass. */
const setUp = async (run: { readonly nonFlagArgs: readonly string[] }): Promise<void> => {
  if (run.nonFlagArgs.length === 0) await promisify(execFile)(process.execPath, [BUNDLE_ALL, ...PROGRAMS])
  const clear = useMemory()
  const address = await findKafka()
  const socketPath = join(mkdtempSync(join(tmpdir(), 'mintfold-services-')), 'socket')
  let started: Promise<KafkaServices> | undefined
  // Programs that tests start must not find a broker in their environment.
  if (address === 'environment') started = startKafka(address)
  for (const name of ['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL']) delete process.env[name]
  const answer = async (): Promise<SharedAnswer> => {
    started ??= startKafka(address)
    try {
      const { brokers, registryUrl } = await started
      return { ok: true, services: { brokers, registryUrl } }
    } catch (failure) {
      return { ok: false, reason: String(failure) }
    }
  }
  const server = createServer(async (socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(await answer()))
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  server.unref()
  const slotsPath = `${socketPath}-slots`
  const slots = await serveSlots(slotsPath, BUSY_FILES_MAX)
  process.env[SLOTS_VARIABLE] = slotsPath
  process.env[PLACE_VARIABLE] = address
  process.env[SOCKET_VARIABLE] = socketPath
  process.env[JAVA_VARIABLE] = hasJava() ? 'yes' : 'no'
  const services: JestServices = {
    stop: async () => {
      server.close()
      slots.close()
      const running = await started?.catch(() => undefined)
      await running?.stop()
      clear()
    },
  }
  Object.assign(globalThis, { [JEST_SERVICES]: services })
}

export default setUp
