import type { FastifyReply, FastifyRequest } from 'fastify'

/** Characters from which a body counts as long: what is made of many such at once would fill the memory. */
export const longBody = 256 * 1024

/** Characters of all long bodies together that are being answered: what is made of one takes several times as much. */
const mostCharacters = 64 * 1024 * 1024

/** Keeps those who send long bodies from filling the memory together. */
export interface LongBodies {
  /** False while others have all the room. A single one always has enough. */
  takeRoom(request: FastifyRequest, characters: number): boolean
  /** Gives the room of a request back, which may have none. */
  giveBack(request: FastifyRequest): void
  /** Has the room of a request given back when it is answered, or given up. */
  giveBackAfter(request: FastifyRequest, reply: FastifyReply): void
}

export function createLongBodies(most = mostCharacters): LongBodies {
  const rooms = new Map<FastifyRequest, number>()
  let taken = 0

  function giveBack(request: FastifyRequest): void {
    taken -= rooms.get(request) ?? 0
    rooms.delete(request)
  }

  return {
    takeRoom(request, characters) {
      if (taken > 0 && taken + characters > most) return false
      rooms.set(request, characters)
      taken += characters
      return true
    },
    giveBack,
    giveBackAfter(request, { raw }) {
      if (rooms.size === 0 || !rooms.has(request)) return
      if (raw.closed) giveBack(request)
      else raw.once('close', () => giveBack(request))
    },
  }
}
