import { lazyModule } from '../../../lib/lazy-module.ts'
import type { HttpClient, OutgoingContent, StreamedResponse } from '../../../ports/http-client-port.ts'
import type { DirectFile } from '../../../ports/uploaded-files-port.ts'
import { BucketError } from './bucket-error.ts'
import { type ListedObject, readListing } from './read-listing.ts'

const aws4fetch = lazyModule<typeof import('aws4fetch')>('aws4fetch')

interface BucketOptions {
  /** The bucket itself, in whichever style its server takes. */
  readonly url: string
  /** Undefined: what the address tells, else `us-east-1`. */
  readonly region: string | undefined
  readonly keyId: string
  readonly secretKey: string
  readonly http: Pick<HttpClient, 'stream'>
}

/** A part of an object; both ends are included. */
interface BytePart {
  readonly start: number
  readonly end: number
}

export interface StoredContent extends OutgoingContent {
  /** In hexadecimal digits: the server keeps nothing that arrives as something else. */
  readonly sha256: string
}

interface Asked {
  readonly method: 'HEAD' | 'GET' | 'PUT' | 'DELETE'
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly content?: OutgoingContent
  readonly limitMs?: number
  readonly maxBytes?: number
}

/** Time for an answer without a file. */
const answerMs = 15_000

/** Pace of a slow server. */
const bytesPerMs = 32

/** Time of a visitor to read a file: whoever reads nothing for long is cut off before. */
const readMs = 60 * 60 * 1000

/**
 * Objects of one bucket, asked for over the HTTP client as requests that the operator has chosen the address of. Throws a
 * BucketError for what the server refuses, or does not answer in time.
 */
export class Bucket {
  readonly #root: string
  readonly #account: {
    readonly accessKeyId: string
    readonly secretAccessKey: string
    readonly service: 's3'
    readonly region?: string
  }
  readonly #http: BucketOptions['http']
  #knowsConditions = true

  constructor({ url, region, keyId, secretKey, http }: BucketOptions) {
    this.#root = url.replace(/\/+$/, '')
    this.#account = {
      accessKeyId: keyId,
      secretAccessKey: secretKey,
      service: 's3',
      ...(region && { region }),
    }
    this.#http = http
  }

  /** Whether the bucket is there, and may be asked for what it has. */
  async check(limitMs: number): Promise<void> {
    await this.#textOf({ method: 'GET', query: { 'list-type': '2', prefix: 'probe-' }, limitMs })
  }

  /** Bytes of an object; undefined where there is none. */
  async sizeOf(key: string): Promise<number | undefined> {
    const response = await this.#ask({ method: 'HEAD', key })
    const text = await readAll(response, 'HEAD')
    const { status, contentLength } = response
    if (status === 404) return undefined
    if (status >= 300 || contentLength === undefined) throw new BucketError('HEAD', { status, text })
    return contentLength
  }

  /** The content of an object, or a part of it. */
  async *read(key: string, part?: BytePart): AsyncGenerator<Uint8Array> {
    const headers = part ? { range: `bytes=${part.start}-${part.end}` } : {}
    const terms = { limitMs: readMs, maxBytes: Number.MAX_SAFE_INTEGER }
    const response = await this.#ask({ method: 'GET', key, headers, ...terms })
    const { status } = response
    if (status === (part ? 206 : 200)) yield* response.body
    else throw new BucketError('GET', { status, text: status < 300 ? '' : await readAll(response, 'GET') })
  }

  /** Keeps an object unless there is one, where the server knows of conditions; else in its place. */
  async create(key: string, content: StoredContent): Promise<'created' | 'exists'> {
    const headers = { 'x-amz-content-sha256': content.sha256, ...asBytes }
    const limitMs = answerMs + content.bytes / bytesPerMs
    const asked = { method: 'PUT', key, content, limitMs } as const
    if (this.#knowsConditions) {
      const answer = await this.#textOf(
        { ...asked, headers: { ...headers, 'if-none-match': '*' } },
        [409, 412],
      )
      return answer === undefined ? 'exists' : 'created'
    }
    await this.#textOf({ ...asked, headers })
    return 'created'
  }

  /** Keeps an object and erases it again, and learns whether the server knows of conditions. */
  async tryOut(key: string, content: OutgoingContent): Promise<void> {
    const asked = { method: 'PUT', key, content, headers: { ...asBytes, 'if-none-match': '*' } } as const
    this.#knowsConditions = (await this.#textOf(asked, [501])) !== undefined
    if (!this.#knowsConditions) await this.#textOf({ ...asked, headers: asBytes })
    await this.remove(key)
  }

  /** Keeps an object, also in the place of another. */
  async put(key: string, content: OutgoingContent): Promise<void> {
    await this.#textOf({ method: 'PUT', key, headers: asBytes, content })
  }

  async remove(key: string): Promise<void> {
    await this.#textOf({ method: 'DELETE', key }, [404])
  }

  /** Every object whose key begins so. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    let token: string | undefined
    do {
      const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) }
      const { objects, nextToken } = readListing((await this.#textOf({ method: 'GET', query })) ?? '')
      yield* objects
      // It would be asked for ever.
      if (nextToken !== undefined && nextToken === token)
        throw new BucketError('GET', { reason: 'it lists the same page again' })
      token = nextToken
    } while (token !== undefined)
  }

  /** The address that takes one file of this type and size for so many seconds, and no other. */
  async presign(key: string, { type, bytes, seconds }: DirectFile): Promise<string> {
    const headers = { 'content-type': type, 'content-length': String(bytes) }
    const query = { 'X-Amz-Expires': String(seconds) }
    const signed = await this.#sign(
      { method: 'PUT', key, query, headers },
      { signQuery: true, allHeaders: true },
    )
    return String(signed.url)
  }

  /** The answer as a text; undefined for one of the statuses that say no. */
  async #textOf(asked: Asked, refusals: readonly number[] = []): Promise<string | undefined> {
    const response = await this.#ask(asked)
    const text = await readAll(response, asked.method)
    if (refusals.includes(response.status)) return undefined
    if (response.status >= 300) throw new BucketError(asked.method, { status: response.status, text })
    return text
  }

  /** A PUT is sent once: what has arrived of one whose answer was lost must not be taken for another's. */
  async #ask(asked: Asked): Promise<StreamedResponse> {
    const { method, content, limitMs = answerMs, maxBytes } = asked
    const signed = await this.#sign(asked)
    const headers: [string, string][] = [...signed.headers, ['accept-encoding', 'identity']]
    const request = { method, url: String(signed.url), headers, timeoutMs: limitMs }
    const terms = { isTrusted: true, isDirect: true, content, ...(maxBytes !== undefined && { maxBytes }) }
    return this.#http
      .stream(request, { ...terms, ...(method !== 'PUT' && { mayRepeat: () => true }) })
      .catch((cause: Error) => {
        throw new BucketError(method, { reason: cause.message })
      })
  }

  #sign(
    { method, key, query = {}, headers = {} }: Asked,
    how: { readonly signQuery?: boolean; readonly allHeaders?: boolean } = {},
  ) {
    const url = new URL(key === undefined ? this.#root : `${this.#root}/${key}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const { AwsV4Signer } = aws4fetch()
    return new AwsV4Signer({ ...this.#account, ...how, method, url: String(url), headers }).sign()
  }
}

/** Type of all that this service keeps: it says itself what it gives out. */
const asBytes = { 'content-type': 'application/octet-stream' }

async function readAll({ body }: StreamedResponse, method: string): Promise<string> {
  try {
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  } catch (cause) {
    throw new BucketError(method, { reason: (cause as Error).message })
  }
}
