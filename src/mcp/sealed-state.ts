import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** A question that waits: where its answer belongs. */
export interface OpenQuestion {
  readonly publicId: string
  readonly sessionId: string
  /** Of the session, which an answer ends; empty for an answer that is given elsewhere, and only looked for. */
  readonly version: string
}

/** Parts that a state is bound to: with others it is not opened. */
export type Bound = readonly string[]

/** Seals questions, so that clients hold them and can neither read nor change them, nor bring them elsewhere. */
export interface StateSeal {
  seal(question: OpenQuestion, bound: Bound): string
  /** Undefined for what was not sealed here, or is bound to something else. */
  open(state: string, bound: Bound): OpenQuestion | undefined
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** A seal by a secret of the operator; without one states end with the process. */
export function createStateSeal(secret: string | undefined): StateSeal {
  const key = new Uint8Array(hkdfSync('sha256', secret ?? randomBytes(32), '', 'mcp state', 32))
  return {
    seal({ publicId, sessionId, version }, bound) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv).setAAD(digestOf(bound))
      const text = [sessionId, version, publicId].join('\n')
      const sealed = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat(sealed).toString('base64url')
    },
    open(state, bound) {
      const bytes = Buffer.from(state, 'base64url')
      if (bytes.length < ivBytes + tagBytes) return undefined
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(digestOf(bound)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        const opened = [decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]
        const [sessionId = '', version = '', ...publicId] = Buffer.concat(opened).toString().split('\n')
        return { sessionId, version, publicId: publicId.join('\n') }
      } catch {
        return undefined
      }
    },
  }
}

/** Each part counts by its length: no two lists have one digest. */
function digestOf(bound: Bound): Buffer {
  const hash = createHash('sha256')
  for (const part of bound) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest()
}
