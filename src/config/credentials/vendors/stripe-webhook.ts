import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import type { VendorWebhook } from '../../../ports/credentials-port.ts'

/** Seconds by which the moment of a signature may differ from now. */
const tolerance = 300

/** Signatures of one event that are looked at: one for each secret, while an old one is being replaced. */
const mostSignatures = 10

const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'

/** Webhook of Stripe, by the secret of its signatures. */
export function createStripeWebhook(secret: string): VendorWebhook {
  const key = hmac(secret, 'references')
  return {
    // Equal texts need equal seals: a repeated request with another body is refused.
    seal(text) {
      const nonce = hmac(key, text).subarray(0, nonceBytes)
      const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes })
      const sealed = Buffer.concat([nonce, sealing.update(text), sealing.final(), sealing.getAuthTag()])
      return sealed.toString('base64url')
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      opening.setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = opening.update(bytes.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, opening.final()]).toString()
      } catch {
        return undefined
      }
    },
    isSigned({ signature, text }, now) {
      const parts = signature.split(',').map((part) => part.trim().split('='))
      const [, moment = ''] = parts.find(([name]) => name === 't') ?? []
      if (!/^\d{1,12}$/.test(moment) || Math.abs(now / 1000 - Number(moment)) > tolerance) return false
      const expected = hmac(secret, `${moment}.${text}`)
      const given = parts.filter(([name]) => name === 'v1').slice(0, mostSignatures)
      return given.some(([, hex = '']) => isEqual(Buffer.from(hex, 'hex'), expected))
    },
  }
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

const isEqual = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)
