import { createHash } from 'node:crypto'
import type { OpenSession } from '../conversations/session/open-session.ts'
import { currentFrameOf } from '../engine/model/conversation.ts'
import { typeFor } from '../engine/values/file-types.ts'
import type { FilePlace } from '../ports/uploaded-files-port.ts'

/** Names the folder of a result, which does not give the result away. */
export function resultOwner(resultId: string): string {
  return digest(resultId)
}

/** Owner of an upload: the result that the answer will go to; a preview has none, and owns it itself. */
export function ownerOfPath({ stored, conversation }: OpenSession): string {
  return ownerOf(currentFrameOf(conversation).resultId, stored.session.id)
}

/** The folder of what a result, else a preview, owns. */
export function ownerOf(resultId: string | undefined, sessionId: string): string {
  return resultId === undefined ? `preview-${digest(sessionId)}` : resultOwner(resultId)
}

function digest(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 32)
}

/** The path of a file below `/uploads/`. */
export function uploadPath({ owner, name, isPrivate }: FilePlace): string {
  return `${isPrivate ? 'private/' : ''}${owner}/${name}`
}

/** The place behind an address of an upload that this owner has; undefined for every other. */
export function parseUploadPath(address: string, owner: string): FilePlace | undefined {
  const [, isPrivate, own, name = ''] =
    /\/uploads\/(private\/)?([\da-f]{32})\/([\w-]{1,64}\.[\da-z]{1,4})$/.exec(address) ?? []
  return own === owner ? { owner, name, isPrivate: isPrivate !== undefined } : undefined
}

/** The MIME type of a file; undefined for a place that the service never made up. Every other path ends here. */
export function typeOfPath({ owner, name }: FilePlace): string | undefined {
  const [, extension = ''] = /^[\w-]{1,64}\.([\da-z]{1,4})$/.exec(name) ?? []
  return /^(?:preview-)?[\da-f]{32}$/.test(owner) ? typeFor(extension) : undefined
}
