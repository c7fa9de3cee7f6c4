import type { ReadFile } from './read-upload.ts'

const lineEnd = '\r\n'

/** The body of a form with one file, and its content type. The boundary has to be one that no value holds. */
export function writeMultipart(
  fields: readonly (readonly [name: string, value: string])[],
  { name, file }: { readonly name: string; readonly file: ReadFile },
  boundary: string,
): { readonly bytes: Uint8Array; readonly contentType: string } {
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
