import type { StartChatBody, StartPreviewChatBody } from '../../schemas/start-chat.ts'

/** What the service can do with a conversation. Every answer is the finished JSON of a response. */
export interface Chat {
  /** Starts a session on a published flow (docs/api.md 4.1). Throws `ServiceError`. */
  startPublished(request: StartPublishedRequest): Promise<Buffer>
  /** Starts a session on a definition that comes along (docs/api.md 4.2). Throws `ServiceError`. */
  startPreview(request: StartPreviewRequest): Promise<Buffer>
}

export interface StartPublishedRequest {
  readonly publicId: string
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  readonly body: StartChatBody
}

export interface StartPreviewRequest {
  readonly flowId: string
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  readonly body: StartPreviewChatBody
}
