import { randomBytes } from 'node:crypto'
import type { GenerateUploadUrlResponse } from '../../schemas/upload.ts'
import { ServiceError } from '../lib/errors.ts'
import type { FilePlace, OpenFile, UploadedFiles } from '../ports/uploaded-files-port.ts'
import { createUploadUrl, type UploadRequest, type UploadUrlDependencies } from './create-upload-url.ts'
import { toUploadError } from './upload-errors.ts'
import { resultOwner, typeOfPath } from './upload-path.ts'
import { notValid, readGrant } from './upload-token.ts'

/** Takes the files of visitors and gives them out again (docs/behaviour/inputs.md, "Uploads"). */
export interface Uploads {
  /** Returns the signed address for a file of the waiting input. */
  offer(request: UploadRequest): Promise<GenerateUploadUrlResponse>
  /**
   * Keeps what is uploaded to such an address. Throws FORBIDDEN for an address that is none, has expired or belongs to
   * what was erased, CONFLICT for one that was used, PAYLOAD_TOO_LARGE, and SERVICE_UNAVAILABLE when no more files
   * can be kept.
   */
  receive(token: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Throws NOT_FOUND. A private file is for the operator alone, which the caller has to check. */
  open(place: FilePlace): Promise<ServedFile>
  /** Erases the files of results, and those that are still to come. */
  removeOwned(resultIds: readonly string[]): Promise<void>
}

interface ServedFile extends OpenFile {
  /** MIME type. */
  readonly type: string
  /** Whether browsers may show it where it lies: pictures and recordings that can run no script. */
  readonly isInline: boolean
}

interface UploadsDependencies extends Omit<UploadUrlDependencies, 'files' | 'secret'> {
  readonly files: UploadedFiles
  /** Signs addresses; undefined for a fresh one. */
  readonly secret: string | undefined
}

/** Puts uploads together over a place to keep them. */
export function createUploads(deps: UploadsDependencies): Uploads {
  const { chat, files, secret = randomBytes(32), fileBytes } = deps
  return {
    offer: (request) => createUploadUrl(request, { chat, files, secret, fileBytes }),
    async receive(token, content) {
      const { place, maxBytes } = readGrant(token, { secret, now: chat.ports.now() })
      // Even a forged grant reaches no other path and no larger file.
      if (typeOfPath(place) === undefined) throw notValid()
      const mostBytes = Math.min(maxBytes, fileBytes)
      const outcome = await files.save(place, content, mostBytes)
      if (outcome !== 'saved') throw toUploadError(outcome, mostBytes)
    },
    async open(place) {
      const type = typeOfPath(place)
      const file = type === undefined ? undefined : await files.open(place)
      if (type === undefined || !file) throw new ServiceError('NOT_FOUND', 'File not found')
      return { ...file, type, isInline: isInline(type) }
    },
    removeOwned: (resultIds) => files.removeOwned(resultIds.map(resultOwner)),
  }
}

/** Uploads of a service without a store for them. */
export const noUploads: Uploads = {
  offer: refuse,
  receive: refuse,
  async open() {
    throw new ServiceError('NOT_FOUND', 'File not found')
  },
  async removeOwned() {},
}

async function refuse(): Promise<never> {
  throw new ServiceError(
    'BAD_REQUEST',
    'This service takes no files: it was started without UPLOADS_DIR and UPLOADS_S3_URL',
  )
}

/** SVG is a document with scripts; the viewers of PDF refuse to work in the sandbox that files are served in. */
function isInline(type: string): boolean {
  return /^(?:image|audio|video)\//.test(type) && type !== 'image/svg+xml'
}
