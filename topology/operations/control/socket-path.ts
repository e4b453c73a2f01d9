// Where the control socket of a data directory is, within what a socket's name may be.
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../../../schemas/errors.ts'

export const SOCKET_FILE = 'control.sock'
/** sun_path has 104 bytes on macOS and 108 on Linux, one of them for the end. */
const PATH_BYTES_MAX = 103

/** A name to listen on or connect to; it holds while `release` was not called. */
export interface SocketPath {
  readonly path: string
  release(): void
}

/**
 * A longer name is said shorter through a descriptor of its directory, where the platform has one.
 * @throws EngineError `control_path_long`; whatever opening the directory throws.
 */
export const socketPathOf = (dataDir: string, platform: NodeJS.Platform = process.platform): SocketPath => {
  const path = join(dataDir, SOCKET_FILE)
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return { path, release: () => {} }
  if (platform === 'linux') {
    const directory = openSync(dataDir, 'r')
    return { path: `/proc/self/fd/${directory}/${SOCKET_FILE}`, release: () => closeSync(directory) }
  }
  const words = `${path} has ${Buffer.byteLength(path)} bytes, and the name of a socket at most ${PATH_BYTES_MAX}: set MINTFOLD_DATA_DIR to a shorter path.`
  throw new EngineError('control_path_long', words, { facts: { path } })
}
