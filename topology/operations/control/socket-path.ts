// Finds the path of a data directory's control socket, within the length limit of socket paths.
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../../../schemas/errors.ts'

export const SOCKET_FILE = 'control.sock'
/** sun_path has 104 bytes on macOS and 108 on Linux, including the terminating zero. */
const PATH_BYTES_MAX = 103

/** A path to listen on or connect to; valid until `release` is called. */
export interface SocketPath {
  readonly path: string
  release(): void
}

/**
 * On Linux, a path over the limit is shortened through a descriptor of its directory (/proc/self/fd).
 * @throws EngineError `control_path_long`; any error of opening the directory.
 */
export const socketPathOf = (dataDir: string, platform: NodeJS.Platform = process.platform): SocketPath => {
  const path = join(dataDir, SOCKET_FILE)
  if (Buffer.byteLength(path) <= PATH_BYTES_MAX) return { path, release: () => {} }
  if (platform === 'linux') {
    const directory = openSync(dataDir, 'r')
    return { path: `/proc/self/fd/${directory}/${SOCKET_FILE}`, release: () => closeSync(directory) }
  }
  const words = `${path} has ${Buffer.byteLength(path)} bytes, a socket path at most ${PATH_BYTES_MAX}: set MINTFOLD_DATA_DIR to a shorter path.`
  throw new EngineError('control_path_long', words, { facts: { path } })
}
