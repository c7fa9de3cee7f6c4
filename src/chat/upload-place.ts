import { createHash } from 'node:crypto'
import { frontOf } from '../engine/conversation.ts'
import { typeFor } from '../engine/file-types.ts'
import type { FilePlace } from '../ports.ts'
import type { OpenSession } from './find-session.ts'

/** Names the folder of a result, which does not give the result away. */
export function ownerOfResult(resultId: string): string {
  return createHash('sha256').update(resultId).digest('hex').slice(0, 32)
}

/** Who owns what is uploaded now: the result that the answer will go to; a preview has none, and owns it itself. */
export function ownerIn({ session, conversation }: OpenSession): string {
  return ownerOfResult(frontOf(conversation).resultId ?? `preview:${session.id}`)
}

/** The path of a file below `/uploads/`. */
export function pathOf({ owner, name, isPrivate }: FilePlace): string {
  return `${isPrivate ? 'private/' : ''}${owner}/${name}`
}

/** The MIME type of a file; undefined for a place that the service never made up. Every other path ends here. */
export function typeOf({ owner, name }: FilePlace): string | undefined {
  const [, extension = ''] = /^[\w-]{1,64}\.([\da-z]{1,4})$/.exec(name) ?? []
  return /^[\da-f]{32}$/.test(owner) ? typeFor(extension) : undefined
}
