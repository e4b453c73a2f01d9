// Newline-delimited JSON on a socket, with a line limit.
import type { Socket } from 'node:net'

/** Limit of a line, in both directions. A status has about 1 KB. */
export const LINE_BYTES_MAX = 64 * 1024

/** Calls `take` with each line, and `tooLong` once when a line exceeds the limit; nothing is read after that. */
export const eachLine = (socket: Socket, take: (line: string) => void, tooLong: () => void): void => {
  let held = Buffer.alloc(0)
  const read = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk])
    for (let end = held.indexOf(10); end >= 0 && end <= LINE_BYTES_MAX; end = held.indexOf(10)) {
      const line = held.toString('utf8', 0, end)
      held = held.subarray(end + 1)
      take(line)
    }
    if (held.length <= LINE_BYTES_MAX) return
    socket.off('data', read)
    tooLong()
  }
  socket.on('data', read)
}
