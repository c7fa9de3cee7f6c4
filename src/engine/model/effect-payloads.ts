/** Code of a flow that only a sandbox can run. */
export interface CodeJob {
  /** The body of a function, with identifiers in place of its references. */
  readonly body: string
  /** Whether it may await. */
  readonly isAsync: boolean
  /** Values of the identifiers, and the only thing that the code can reach. */
  readonly globals: readonly (readonly [name: string, value: unknown])[]
  /** Whether it has `setVariable(name, value)`. */
  readonly mayAssign: boolean
  /** Whether it has `fetch(address, init)`, which gives the text of the response. */
  readonly mayFetch: boolean
  /** The function of a model that this is, and its call. */
  readonly tool?: { readonly name: string; readonly callId: string }
}

/** Outcome of code, and the milliseconds that it ran, waits left out; none when it never did. */
export type CodeResult = { readonly ranMs?: number } & (
  | {
      readonly ok: true
      /** Copied out: plain data, with dates. */
      readonly value: unknown
      /** Arguments of the calls of `setVariable`, in order. */
      readonly assigned: readonly (readonly [name: string, value: unknown])[]
    }
  | {
      readonly ok: false
      /** Message for the author. */
      readonly message: string
      /** Thrown by the code itself, cut off by a limit, or never run as too much waits. */
      readonly reason: 'thrown' | 'limit' | 'busy'
    }
)

/** A request that a flow sends to another system. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string
  /** Body in place of text. */
  readonly bytes?: Uint8Array
  /** Time for the response, its body included. */
  readonly timeoutMs: number
}

/** Headers about a file; undefined for one that is missing. */
export interface FileHeaders {
  readonly contentType: string | undefined
  readonly contentLength: string | undefined
  readonly contentDisposition: string | undefined
}

/** Outcome of a request. */
export type RequestOutcome =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly text: string
      /** A server's description of a file that it does not send; of an answer to `HEAD` alone. */
      readonly file?: FileHeaders
    }
  | { readonly kind: 'timeout' }
  /** Flows of this kind send nothing here: a preview. */
  | { readonly kind: 'off'; readonly reason: string }
  /** The turn has sent all that it may. */
  | { readonly kind: 'spent'; readonly reason: string }
  /** The address is not for flows to reach: nothing was sent. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string; readonly cause?: string }

/** A mail that a flow sends; the sender is that of the credentials. */
export interface Mail {
  readonly credentialsId: string
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly bcc: readonly string[]
  readonly replyTo?: string
  readonly subject?: string
  readonly text?: string
  readonly html?: string
  /** Addresses of uploads of this service. */
  readonly attachments: readonly string[]
  /** Sent from a mailbox of Gmail, which the credentials are of. */
  readonly gmail?: GmailTerms
}

interface GmailTerms {
  /** One of the addresses of the mailbox; undefined for its own. */
  readonly from?: string
  readonly threadId?: string
  /** The id of a label that the mail gets in the mailbox. */
  readonly label?: string
}

/** Outcome of a mail. The details are for the author and hold no secret. */
export type MailOutcome =
  | { readonly kind: 'sent'; readonly details: object }
  | { readonly kind: 'failed'; readonly message: string; readonly details: object }
  /** Nothing was tried: no such credentials, a budget, a duplicate, an attachment that is not this conversation's. */
  | { readonly kind: 'refused'; readonly message: string }

/** A question to a language model, in the one format that they share. */
export interface CompletionRequest {
  /** The type of the block, which says whose accounts fit. */
  readonly blockType: string
  readonly credentialsId: string | undefined
  /** The body of `POST /chat/completions`, before it is brought into the format of the server. */
  readonly body: Readonly<Record<string, unknown>>
  /** Asked for by flows that want more than the format that all share. */
  readonly dialect?: 'responses'
  /** JSON Schema of the answer, for servers that take one. */
  readonly schema?: object
}

/** Outcome of a completion. */
export type CompletionOutcome =
  | { readonly kind: 'answer'; readonly body: unknown }
  | { readonly kind: 'failed'; readonly message: string; readonly details?: string }
  | { readonly kind: 'no account' }

/**
 * A call to a vendor's service with an account that the operator configured. The account adds its address and its
 * secret, which the flow never sees.
 */
export interface VendorCall {
  /** The type of the account, and of the block. */
  readonly vendor: string
  /** Undefined for the default account of the vendor. */
  readonly credentialsId: string | undefined
  /** Which of the keys of the account is meant, where it holds several. */
  readonly purpose?: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** Path behind the address of the account, with its query. */
  readonly path: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Sent as JSON. */
  readonly json?: unknown
  /** The field of the JSON that holds a name for the visitor, which says nothing about who that is. */
  readonly visitorField?: string
  /** Sent as the fields of a form. */
  readonly form?: readonly (readonly [name: string, value: string])[]
  /** Sent beside a file, as a form in parts: the file behind an address, which may be an upload of the conversation. */
  readonly file?: { readonly field: string; readonly address: string }
  /** Keeps what comes as a file of the conversation, with this extension: its address takes the place of the text. */
  readonly saveAs?: string
  /** The field of the form by which the vendor, when it calls back, names the conversation: sealed, and live only. */
  readonly referenceField?: string
  /** Time for the response, its body included. */
  readonly timeoutMs: number
  /** The format in which the answer can be streamed to the client; asked for with `"response_mode": "streaming"`. */
  readonly streamFormat?: 'dify'
  /** Milliseconds for which a response of another turn, to the same account, is as good. */
  readonly reuseMs?: number
}

/** Outcome of a call to a vendor; a secret that its service repeated is masked. */
export type VendorOutcome =
  | (RequestOutcome & {
      /** Public facts about the account that the flow may read. */
      readonly facts?: Readonly<Record<string, string>> | undefined
    })
  | { readonly kind: 'no account' }
  /** Nothing was sent, or what came could not be kept. */
  | { readonly kind: 'no room'; readonly reason: string }

/** A token that the client shows to a vendor: claims, signed with an account that the operator configured. */
export interface TokenRequest {
  /** The type of the account, and of the block. */
  readonly vendor: string
  readonly credentialsId: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
}

export type TokenOutcome =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'no account' }
