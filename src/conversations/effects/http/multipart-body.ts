import { createHash } from 'node:crypto'
import type { ReadFile } from './read-upload.ts'

const lineEnd = '\r\n'

type Fields = readonly (readonly [name: string, value: string])[]

/** The body of a form with one file, and its content type: the same for the same form, as a repeated call has to be. */
export function writeMultipart(
  fields: Fields,
  { name, file }: { readonly name: string; readonly file: ReadFile },
): { readonly bytes: Uint8Array; readonly contentType: string } {
  const boundary = boundaryFor(fields, file)
  const parts = fields.flatMap(([field, value]) => [
    `--${boundary}${lineEnd}content-disposition: form-data; name="${field}"${lineEnd}${lineEnd}${value}${lineEnd}`,
  ])
  const head = [
    `--${boundary}`,
    `content-disposition: form-data; name="${name}"; filename="${file.filename}"`,
    'content-type: application/octet-stream',
    '',
    '',
  ].join(lineEnd)
  const bytes = Buffer.concat([
    Buffer.from(parts.join('') + head),
    file.content,
    Buffer.from(`${lineEnd}--${boundary}--${lineEnd}`),
  ])
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` }
}

/** No value can hold the hash of itself and of the others. */
function boundaryFor(fields: Fields, { content }: ReadFile): string {
  return createHash('sha256').update(JSON.stringify(fields)).update(content).digest('hex').slice(0, 32)
}
