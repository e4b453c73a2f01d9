// Places that processes share: at most so many hold one at a time. A process holds its place as long as its connection, so that a dead one
// gives it back.
import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'

/** Serves `places` places on a socket; the longest waiting process gets the next free one. */
export const serveSlots = async (socketPath: string, places: number): Promise<Server> => {
  const waiting: Socket[] = []
  let free = places
  const next = (): void => {
    for (; free > 0 && waiting.length > 0; free--) {
      const socket = waiting.shift() as Socket
      socket.on('close', () => {
        free++
        next()
      })
      socket.write('go')
    }
  }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('close', () => {
      const at = waiting.indexOf(socket)
      if (at >= 0) waiting.splice(at, 1)
    })
    waiting.push(socket)
    next()
  })
  server.listen(socketPath)
  await once(server, 'listening')
  server.unref()
  return server
}

/** Resolves once a place is free. @returns gives it back */
export const takeSlot = async (socketPath: string): Promise<() => void> => {
  const socket = createConnection(socketPath)
  await once(socket, 'data')
  return () => socket.destroy()
}
