import type { Mail, MailOutcome } from '../engine/model/effect-payloads.ts'

/** Sends mails of flows. */
export interface Mailer {
  /** Never rejects. */
  send(mail: ResolvedMail, signal?: AbortSignal): Promise<MailOutcome>
  /** A mail as it goes over the wire. */
  compose(mail: ComposedMail): Promise<Uint8Array>
  close(): Promise<void>
}

/** A mail with its sender's account and its files at hand. */
export interface ResolvedMail extends Omit<Mail, 'attachments' | 'credentialsId'> {
  readonly account: MailAccount
  readonly attachments: readonly { readonly filename: string; readonly content: Uint8Array }[]
}

/** A mail that others deliver. */
export interface ComposedMail extends Omit<ResolvedMail, 'account'> {
  readonly from: MailAccount['from']
}

export interface MailAccount {
  readonly host: string
  readonly port: number
  readonly username?: string
  readonly password?: string
  /** TLS from the first byte; undefined for what the port usually means. */
  readonly isTlsEnabled?: boolean
  /** No TLS at all, not even when it is offered. */
  readonly ignoresTls?: boolean
  readonly from: { readonly email: string; readonly name?: string }
}
