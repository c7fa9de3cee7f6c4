import type { ChannelAccount } from '../channels/messenger-table.ts'
import type { OutgoingRequest } from '../engine/model/effect-payloads.ts'
import type { MailAccount } from './mailer-port.ts'

/** Accounts that the operator configures for flows, by id. Their secrets are only sent to the systems they are for. */
export interface Credentials {
  mailAccount(id: string, scope: CredentialScope): MailAccount | undefined
  model(id: string, type: string, scope: CredentialScope): ModelAccount | undefined
  vendor(id: string, type: string, scope: CredentialScope): VendorAccount | undefined
  /** Verification of calls back to an account; no flow gets it. */
  webhook(id: string, type: string): VendorWebhook | undefined
  /** An account at a messenger; no flow gets it. */
  channel(id: string): ChannelAccount | undefined
}

/** An account at a vendor's service, as what it adds to a request. */
export interface VendorAccount {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Ends each address, with its question mark. */
  readonly query?: string
  /** Values that are masked in every answer of the service. */
  readonly secrets: readonly string[]
  /** Proof of the account; undefined without a key for this purpose. */
  grant(purpose: string | undefined): VendorGrant | undefined
  /** Fetches a token that each request has to carry, where a key is not enough. */
  readonly login?: VendorLogin
  /** Responses that later calls may be answered with, by address. */
  readonly recent: Map<string, { readonly text: string; readonly at: number }>
  /** Signs claims as a JSON web token, where the account is for that. */
  sign?(claims: Readonly<Record<string, unknown>>): string
  /** Set where the vendor calls back. */
  readonly webhook?: VendorWebhook
}

/** Verification of a vendor that calls back, and the name it has for a conversation in place of the id. */
export interface VendorWebhook {
  /** Seals a text, the same way each time. */
  seal(text: string): string
  /** The text that was sealed; undefined for anything else. */
  open(sealed: string): string | undefined
  /** Whether a call was signed by the vendor, and not long ago. `now` is in milliseconds since 1970. */
  isSigned(call: { readonly signature: string; readonly text: string }, now: number): boolean
}

/** Exchange that yields the token for requests of an account. Moments are in milliseconds since 1970. */
export interface VendorLogin {
  /** The token that was fetched last, while it is good. */
  current(now: number): string | undefined
  /** The request for a token. */
  request(now: number): Omit<OutgoingRequest, 'timeoutMs'>
  /** Takes the token from the response to that request; undefined for any other response. */
  keep(text: string, now: number): string | undefined
}

export interface VendorGrant {
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Fields of the JSON body. */
  readonly json?: Readonly<Record<string, unknown>>
  /** Public facts about the account that the flow may read. */
  readonly facts?: Readonly<Record<string, string>>
}

/** Owner of a turn that uses credentials. */
export interface CredentialScope {
  /** Id of a published flow; a draft's own id proves nothing. */
  readonly flowId: string | undefined
  /** Workspace of the published flow; a draft has none. */
  readonly workspaceId: string | undefined
  readonly kind: 'live' | 'trusted preview' | 'preview'
}

export interface ModelAccount {
  readonly apiKey: string
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Takes the key in place of the header that the format of the model has for it. */
  readonly keyHeader?: string
  /** Ends each address, with its question mark. */
  readonly query?: string
}
