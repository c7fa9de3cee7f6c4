import type { UploadedFiles } from '../../../ports/uploaded-files-port.ts'
import { parseUploadPath } from '../../../uploads/upload-path.ts'

/** A file with its content. */
export interface ReadFile {
  readonly filename: string
  readonly content: Uint8Array
}

interface ReadTerms {
  readonly owner: string
  readonly files: UploadedFiles
  readonly mostBytes: number
}

/** Reads the file behind an address of an upload; undefined when it is not this owner's, is gone, or is too large. */
export async function readUpload(
  address: string,
  { owner, files, mostBytes }: ReadTerms,
): Promise<ReadFile | undefined> {
  const place = parseUploadPath(address, owner)
  const file = place && (await files.open(place))
  if (!place || !file) return undefined
  if (file.size > mostBytes) {
    await file.close()
    return undefined
  }
  const chunks: Buffer[] = []
  for await (const chunk of file.read()) chunks.push(chunk as Buffer)
  return { filename: place.name, content: Buffer.concat(chunks) }
}
