import type { GenerateUploadUrlBody, GenerateUploadUrlResponse } from '../../schemas/upload.ts'
import type { ChatDependencies } from '../conversations/dependencies.ts'
import { type OpenSession, openSession } from '../conversations/session/open-session.ts'
import type { UploadRules } from '../engine/model/block-handler.ts'
import { ServiceError } from '../lib/errors.ts'
import type { Caller } from '../ports/caller.ts'
import type { OnFlow } from '../ports/request-log-port.ts'
import type { FilePlace, UploadedFiles } from '../ports/uploaded-files-port.ts'
import { checkUploadType, uploadConstraintsOf } from './upload-constraints.ts'
import { allUsed, megabytes, noRoom, notOffered, saidTooLarge, tooMuch } from './upload-errors.ts'
import { ownerOfPath, uploadPath } from './upload-path.ts'
import { signGrant } from './upload-token.ts'

export interface UploadRequest {
  readonly caller: Caller
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  /** The address under which the request reached this service: the base of links when PUBLIC_URL is not set. */
  readonly ownUrl: string
  readonly onFlow?: OnFlow | undefined
  /** Whether the caller sends the file with the type that the answer names, and to any server. */
  readonly mayGoDirect?: boolean
  readonly body: GenerateUploadUrlBody
}

/** Dependencies of upload offers. */
export interface UploadUrlDependencies {
  readonly chat: Omit<ChatDependencies, 'results' | 'log'>
  readonly files: Pick<UploadedFiles, 'roomFor' | 'direct'>
  readonly secret: string | Buffer
  /** Bytes of one file. */
  readonly fileBytes: number
}

/** A person who leads a conversation is sent what a messenger lets its visitor send. */
const anyFile: UploadRules = { extensions: undefined, visibility: 'Auto', maxBytes: undefined }

/** Validity of an upload address. */
const grantMs = 10 * 60 * 1000

/**
 * Returns the signed address for a file of the waiting input (docs/api.md, "Uploads"). The input decides about the files;
 * of the name in the request, only a known extension counts.
 *
 * Throws BAD_REQUEST for a file that is not asked for and where the address of this service is unknown, FORBIDDEN
 * for a foreign origin and for a preview without the token, SERVICE_UNAVAILABLE when no more files can be kept.
 */
export async function createUploadUrl(
  request: UploadRequest,
  { chat, files, secret, fileBytes }: UploadUrlDependencies,
): Promise<GenerateUploadUrlResponse> {
  const { fileSize = 0 } = request.body
  const open = await findSession(request, chat)
  refuseStrangers(open)
  const isForPerson = request.caller.kind === 'channel' && open.conversation.pause !== undefined
  const rules = isForPerson ? anyFile : uploadConstraintsOf(open.conversation, chat)
  const { type, extension } = checkUploadType(request.body, rules)
  const maxBytes = Math.min(fileBytes, rules.maxBytes ?? fileBytes)
  if (fileSize > maxBytes) throw saidTooLarge(maxBytes)
  const owner = ownerOfPath(open)
  const name = `${chat.ports.createId('upload')}.${extension}`
  const place = { owner, name, isPrivate: rules.visibility === 'Private' }
  const grant = { place, maxBytes, expiresAt: chat.ports.now() + grantMs }
  const folder = `${chat.publicUrl ?? usableUrl(request.ownUrl)}/uploads`
  const direct = await takeRoom({ place, bytes: fileSize, type }, request, files)
  return {
    presignedUrl: direct ?? `${folder}/${signGrant(grant, secret)}`,
    formData: {},
    fileType: type,
    maxFileSize: megabytes(maxBytes),
    fileUrl: `${folder}/${uploadPath(place)}`,
  }
}

interface OfferedFile {
  readonly place: FilePlace
  readonly type: string
  /** As the client says; 0 where it does not. */
  readonly bytes: number
}

/** The address to send the file to without this service, where that is wanted and the size is known; else undefined. */
async function takeRoom(
  { place, type, bytes }: OfferedFile,
  { mayGoDirect = false }: UploadRequest,
  files: UploadUrlDependencies['files'],
): Promise<string | undefined> {
  const isDirect = mayGoDirect && Number.isSafeInteger(bytes) && bytes > 0
  const seconds = grantMs / 1000
  const room =
    isDirect && files.direct
      ? await files.direct(place, { type, bytes, seconds })
      : await files.roomFor(place.owner, bytes)
  if (room === 'owner full') throw tooMuch('BAD_REQUEST')
  if (room === 'full') throw noRoom(allUsed)
  return typeof room === 'object' ? room.url : undefined
}

async function findSession(
  { body, origin, caller, onFlow }: UploadRequest,
  deps: UploadUrlDependencies['chat'],
): Promise<OpenSession> {
  try {
    return await openSession({ sessionId: body.sessionId, origin, onFlow, caller }, deps)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'NOT_FOUND') throw error
    throw notOffered("Can't find session", '/sessionId', 'is of no session that lives: start one anew')
  }
}

/** An anonymous preview could otherwise use this service as a file server. */
function refuseStrangers({ stored: { session } }: OpenSession): void {
  if (session.kind === 'live' || session.isTrusted) return
  throw new ServiceError('FORBIDDEN', 'Files are taken in previews that were started with the preview token')
}

/** A request may come without a host, or with one that makes no address. */
function usableUrl(url: string): string {
  if (/^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(url) && URL.canParse(url)) return url
  const message =
    'The address of this service is not known: send it as Host, or start the service with PUBLIC_URL'
  throw new ServiceError('BAD_REQUEST', message)
}
