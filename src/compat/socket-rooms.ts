import type { WebSocket } from 'ws'

/** Interval of pings that show whether a client is still there. */
const pingMs = 30_000

/** Sockets of clients, by the id that they wait for. */
export interface Rooms {
  ids(): readonly string[]
  socketsOf(id: string): readonly WebSocket[]
  /** Until the socket closes. */
  add(id: string, socket: WebSocket): void
  send(id: string, text: string): void
}

export function createRooms(): Rooms {
  const rooms = new Map<string, Set<WebSocket>>()
  const socketsOf = (id: string) => [...(rooms.get(id) ?? [])]
  return {
    ids: () => [...rooms.keys()],
    socketsOf,
    add(id, socket) {
      const room = rooms.get(id) ?? new Set()
      rooms.set(id, room.add(socket))
      socket.once('close', () => {
        room.delete(socket)
        if (room.size === 0) rooms.delete(id)
      })
    },
    send(id, text) {
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
