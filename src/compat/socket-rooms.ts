import type { WebSocket } from 'ws'

/** Interval of pings that show whether a client is still there. */
const pingMs = 30_000

export type Rooms = ReturnType<typeof createRooms>

/** Sockets of clients, by the id that they wait for. */
export function createRooms() {
  const rooms = new Map<string, Set<WebSocket>>()
  const socketsOf = (id: string) => [...(rooms.get(id) ?? [])]
  return {
    ids: () => [...rooms.keys()],
    socketsOf,
    /** Until the socket closes. */
    add(id: string, socket: WebSocket): void {
      const room = rooms.get(id) ?? new Set()
      rooms.set(id, room.add(socket))
      socket.once('close', () => {
        room.delete(socket)
        if (room.size === 0) rooms.delete(id)
      })
    },
    send(id: string, text: string): void {
      for (const socket of socketsOf(id)) socket.send(text)
    },
  }
}

/** Ends a connection that did not answer since it was asked last. */
export function keepAlive(socket: WebSocket): void {
  let isThere = true
  const timer = setInterval(() => {
    if (!isThere) return socket.terminate()
    isThere = false
    socket.ping()
  }, pingMs)
  timer.unref()
  socket.on('pong', () => {
    isThere = true
  })
  socket.once('close', () => clearInterval(timer))
}
