import { createHmac } from 'node:crypto'
import { Type } from '../../../../schemas/type.ts'
import { closed, Word } from '../account-fields.ts'
import { defineVendor } from './vendor-type.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A key that logs users in to the widget of a help desk: nothing is ever sent with it. */
export const zendeskAccount = defineVendor(
  Type.Object({ conversationsKeyId: Word, conversationsSecretKey: Word }, closed),
  ({ conversationsKeyId: kid, conversationsSecretKey: secret }) => ({
    baseUrl: '',
    secrets: [secret],
    grant: () => undefined,
    sign(claims) {
      const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${encode(claims)}`
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
    },
  }),
)
