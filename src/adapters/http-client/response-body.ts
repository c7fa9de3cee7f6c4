import { pipeline, Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { HttpClientError } from './http-client-error.ts'

export type Bytes = AsyncIterable<Uint8Array>

/** More of them, one inside the other, only make a bomb. */
const maxEncodings = 3

/** Gives out each piece as it comes, and what there is of a body that was cut short, as browsers do. */
const zlib = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }

const decoders: Readonly<Record<string, (firstByte: number) => Transform>> = {
  gzip: () => createGunzip(zlib),
  'x-gzip': () => createGunzip(zlib),
  // By its standard it has a header, by the habit of many servers it has none.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate(zlib) : createInflateRaw(zlib)),
  br: () => createBrotliDecompress(brotli),
}

/** Decompresses a body as it arrives; neither the input nor the output may exceed a number of bytes. */
export function decodeBody(body: Bytes, contentEncoding: string, maxBytes: number): Bytes {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim())
    .reverse()
  const plain = bound(body, maxBytes)
  // A response in an unknown encoding is passed on undecoded.
  if (encodings.some((encoding) => !Object.hasOwn(decoders, encoding))) return plain
  if (encodings.length > maxEncodings) throw new HttpClientError('The response is compressed too many times')
  return encodings.reduce<Bytes>((bytes, encoding) => bound(decode(bytes, encoding), maxBytes), plain)
}

/** The whole of a body as text. */
export async function readText(body: Bytes): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return new TextDecoder().decode(Buffer.concat(chunks))
}

async function* bound(body: Bytes, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new HttpClientError('The response is too large')
    yield chunk
  }
}

async function* decode(body: Bytes, encoding: string): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  const first = await iterator.next()
  if (first.done) return
  const decoder = decoders[encoding]?.(first.value[0] ?? 0)
  const whole = Readable.from(startWith(first.value, { [Symbol.asyncIterator]: () => iterator }))
  // Errors of the source reach the reader of the decoder.
  if (decoder) yield* pipeline(whole, decoder, () => {})
}

async function* startWith(first: Uint8Array, rest: Bytes): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}
