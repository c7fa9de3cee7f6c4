import type { CallDependencies, DownloadedMedia, MediaReference } from '../messenger.ts'

/** Thrown for a file that the messenger doesn't give, or gives no more: to ask again changes nothing. */
export class MediaGoneError extends Error {}

/** Thrown where a file can't be asked for: the messenger is away or fails, and gives it later. */
export class MessengerAwayError extends Error {}

/** The largest that any messenger gives. */
const maxBytes = 100_000_000

const timeoutMs = 120_000

/** Begins to download from an address that a messenger named. */
export async function download(
  media: MediaReference,
  source: {
    readonly url: string
    readonly headers?: readonly (readonly [name: string, value: string])[]
    /** The operator's address of the API: what lies elsewhere is reached through the guard. */
    readonly baseUrl: string
  },
  { http, closing }: CallDependencies,
): Promise<DownloadedMedia> {
  const { url, headers = [], baseUrl } = source
  const isTrusted = URL.canParse(url) && new URL(url).origin === new URL(baseUrl).origin
  const request = { method: 'GET', url, headers, timeoutMs }
  const response = await http
    .stream(request, { signal: closing, isTrusted, maxBytes })
    .catch((error: Error) => {
      throw new MessengerAwayError(error.message)
    })
  if (response.status !== 200) {
    for await (const _ of response.body) break
    const message = `The messenger does not give the file: the answer was ${response.status}`
    throw response.status < 500 ? new MediaGoneError(message) : new MessengerAwayError(message)
  }
  const size = media.size ?? response.contentLength
  return {
    type: media.type ?? response.contentType ?? 'application/octet-stream',
    ...(media.name !== undefined && { name: media.name }),
    ...(size !== undefined && { size }),
    body: response.body,
  }
}
