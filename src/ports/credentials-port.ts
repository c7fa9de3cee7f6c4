import type { OutgoingRequest } from '../engine/model/effect-payloads.ts'
import type { MailAccount } from './mailer-port.ts'

/** Accounts that the operator lends to flows, by id. What they hold never leaves the service but to the systems they are for. */
export interface Credentials {
  mailAccount(id: string, borrower: CredentialScope): MailAccount | undefined
  model(id: string, type: string, borrower: CredentialScope): ModelAccount | undefined
  vendor(id: string, type: string, borrower: CredentialScope): VendorAccount | undefined
  /** What an account is called back with; no flow is given it. */
  webhook(id: string, type: string): VendorWebhook | undefined
}

/** An account at a vendor's service, as what it adds to a request. */
export interface VendorAccount {
  /** Without a slash at the end. */
  readonly baseUrl: string
  /** Ends each address, with its question mark. */
  readonly query?: string
  /** What is masked in everything that the service answers. */
  readonly secrets: readonly string[]
  /** What proves the account; undefined where it has no key for this purpose. */
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

/** How a vendor that calls back is known, and how it names a conversation without learning its id. */
export interface VendorWebhook {
  /** Seals a text, the same way each time. */
  seal(text: string): string
  /** The text that was sealed; undefined for anything else. */
  open(sealed: string): string | undefined
  /** Whether a call was signed by the vendor, and not long ago. `now` is in milliseconds since 1970. */
  isSigned(call: { readonly signature: string; readonly text: string }, now: number): boolean
}

/** How an account gets the token that its requests carry. Moments are in milliseconds since 1970. */
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
  /** What the flow may know of the account. */
  readonly facts?: Readonly<Record<string, string>>
}

/** Who wants to use credentials. */
export interface CredentialScope {
  /** Of a published flow; a draft proves nothing by what it calls itself. */
  readonly flowId: string | undefined
  /** Of the published flow; a draft proves none. */
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
