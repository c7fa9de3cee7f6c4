import type { WebhookPayload } from '../conversation-store.ts'
import type { SessionRow } from '../conversations/conversation-table.ts'

type Kept = Pick<SessionRow, 'text' | 'payload'>

/** JSON has no control characters, so that these can stand for what is left out of it. */
const [idMark, hashMark, payloadMark] = ['\u0001', '\u0002', '\u0003']

/** Characters before the hash of a session's program, and those of the hash. */
const beforeHash = '[["'
const hashLength = 43

/** Hashes that are known by their numbers; later ones stay where they are. */
const mostHashes = 1000

/** Sessions as shorter texts: without their ids, which they are kept by, and with a number for the version that many share. */
export class ShortSessions {
  readonly #hashes: string[] = []
  readonly #numbers = new Map<string, number>()

  write(id: string, { text, payload }: Kept): string {
    const short = this.#withoutHash(withoutId(`"${id}"`, text))
    return payload ? `${payloadMark}${payload.number} ${payload.text.length} ${payload.text}${short}` : short
  }

  read(id: string, short: string): { readonly text: string; readonly payload: WebhookPayload | undefined } {
    if (!short.startsWith(payloadMark)) return { text: this.#whole(id, short), payload: undefined }
    const [number = '', length = ''] = short.slice(1, 40).split(' ', 2)
    const start = number.length + length.length + 3
    const end = start + Number(length)
    const payload = { number: Number(number), text: short.slice(start, end) }
    return { text: this.#whole(id, short.slice(end)), payload }
  }

  #withoutHash(text: string): string {
    const start = text.indexOf(beforeHash) + beforeHash.length
    const end = start + hashLength
    if (start < beforeHash.length || text[end] !== '"') return text
    const number = this.#numberOf(text.slice(start, end))
    return number === undefined ? text : `${text.slice(0, start)}${hashMark}${number}${text.slice(end)}`
  }

  #numberOf(hash: string): number | undefined {
    const known = this.#numbers.get(hash)
    if (known !== undefined || this.#hashes.length === mostHashes) return known
    this.#numbers.set(hash, this.#hashes.length)
    return this.#hashes.push(hash) - 1
  }

  #whole(id: string, short: string): string {
    const at = short.indexOf(idMark)
    const text = at < 0 ? short : `${short.slice(0, at)}"${id}"${short.slice(at + 1)}`
    const start = text.indexOf(hashMark)
    if (start < 0) return text
    const end = text.indexOf('"', start)
    return `${text.slice(0, start)}${this.#hashes[Number(text.slice(start + 1, end))]}${text.slice(end)}`
  }
}

function withoutId(quoted: string, text: string): string {
  const at = text.indexOf(quoted)
  return at < 0 ? text : `${text.slice(0, at)}${idMark}${text.slice(at + quoted.length)}`
}
