import type { OutgoingRequest, VendorOutcome } from '../../../engine/model/effect-payloads.ts'
import type { OutgoingOptions, StreamedResponse } from '../../../ports/http-client-port.ts'
import type { SaveOutcome } from '../../../ports/uploaded-files-port.ts'
import { uploadPath } from '../../../uploads/upload-path.ts'
import type { ChatDependencies } from '../../dependencies.ts'
import { readRefusal } from '../http/read-refusal.ts'
import { type ReadFile, readUpload } from '../http/read-upload.ts'

/** Bytes of a file that comes from a vendor. */
const mostBytes = 5 * 1024 * 1024

/** Bytes of an upload that goes to one: what those that write recordings down take at most. */
const mostUploadBytes = 25 * 1024 * 1024

/** Owner of the files, and the client that fetches them. */
export interface FileTerms {
  /** The folder of the conversation among the uploads. */
  readonly owner: string
  /** Sends one request that counts; undefined when the turn may send no more. */
  stream(request: OutgoingRequest, options: OutgoingOptions): Promise<StreamedResponse | undefined>
}

type Files = Pick<ChatDependencies, 'files' | 'publicUrl' | 'ports'>

/** The file behind an address: an upload of this conversation, else what the address answers. Throws for people. */
export async function readVendorFile(
  address: string,
  timeoutMs: number,
  { owner, stream }: FileTerms,
  { files }: Files,
): Promise<ReadFile | undefined> {
  const upload = files && (await readUpload(address, { owner, files, mostBytes: mostUploadBytes }))
  if (upload || !/^https?:\/\//i.test(address)) return upload
  // What comes from a flow goes where flows may go.
  const response = await stream({ method: 'GET', url: address, headers: [], timeoutMs }, {})
  if (!response || response.status < 200 || response.status > 299) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return { filename: `audio.${extensionOf(address)}`, content: Buffer.concat(chunks) }
}

function extensionOf(address: string): string {
  const [, extension = 'webm'] =
    /\.(flac|m4a|mp3|mp4|mpeg|mpga|oga|ogg|wav|webm)(?:[?#]|$)/i.exec(address) ?? []
  return extension.toLowerCase()
}

/** Keeps what comes as a file of the conversation; the text of the outcome is its address. */
export async function saveVendorFile(
  request: OutgoingRequest,
  extension: string,
  { owner, stream }: FileTerms,
  { files, publicUrl, ports }: Files,
): Promise<VendorOutcome> {
  if (!files)
    return noRoom('This service keeps no files: it was started without UPLOADS_DIR and UPLOADS_S3_URL')
  if (publicUrl === undefined)
    return noRoom('The address of this service is not known: PUBLIC_URL is not set')
  const response = await stream(request, { isTrusted: true })
  if (!response) return noRoom('The turn has made all the outgoing calls that it may')
  const { status, body } = response
  if (status < 200 || status > 299) return { kind: 'response', status, text: await readRefusal(body) }
  if (!mayBeSound(response)) return noRoom(await describeOther(response))
  const place = { owner, name: `${ports.createId('upload')}.${extension}`, isPrivate: false }
  const saved = await files.save(place, body, mostBytes)
  if (saved !== 'saved') return noRoom(whyNot[saved])
  return { kind: 'response', status, text: `${publicUrl}/uploads/${uploadPath(place)}` }
}

/** A server that does not say what it sends is believed to send what it was asked for. */
function mayBeSound({ contentType = '' }: StreamedResponse): boolean {
  return /^(?:audio\/|application\/octet-stream|$)/i.test(contentType)
}

/** Reads on, so that the connection is free again. */
async function describeOther(response: StreamedResponse): Promise<string> {
  await readRefusal(response.body)
  const [type = 'something else'] = /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(response.contentType ?? '') ?? []
  return `The service sent ${type} in place of a recording`
}

const noRoom = (reason: string): VendorOutcome => ({ kind: 'no room', reason })

const full = 'There is no room for more files'

const whyNot: Record<Exclude<SaveOutcome, 'saved'>, string> = {
  exists: full,
  'too large': `The file has more than ${mostBytes} bytes`,
  'owner full': 'This conversation has no room for more files',
  full,
  'disk full': full,
  erased: 'The files of this conversation were erased',
}
