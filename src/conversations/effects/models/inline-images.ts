import type { CompletionRequest } from '../../../engine/model/effect-payloads.ts'
import { typeFor } from '../../../engine/values/file-types.ts'
import type { UploadedFiles } from '../../../ports/uploaded-files-port.ts'
import { readUpload } from '../http/read-upload.ts'
import type { CommonMessage, CommonPart } from './dialects/common-format.ts'

/** Bytes of all images of a question that are sent along. */
const mostBytes = 5 * 1024 * 1024

/** Puts uploads of the conversation in place of their addresses: private ones, at least, no model can reach. */
export async function inlineImages(
  completion: CompletionRequest,
  { owner, files }: { readonly owner: string; readonly files: UploadedFiles | undefined },
): Promise<CompletionRequest> {
  const messages = completion.body['messages'] as readonly CommonMessage[]
  if (!files || messages.every(({ content }) => typeof content !== 'object')) return completion
  let bytes = 0
  const inline = async (part: CommonPart): Promise<CommonPart> => {
    if (part.type === 'text') return part
    const { url } = part.image_url
    const file = await readUpload(url, { owner, files, mostBytes: mostBytes - bytes })
    if (!file) return part
    bytes += file.content.length
    const type = typeFor(file.filename.slice(file.filename.lastIndexOf('.') + 1))
    const data = Buffer.from(file.content).toString('base64')
    return { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } }
  }
  const inlined: CommonMessage[] = []
  for (const { content, ...message } of messages) {
    if (typeof content !== 'object') inlined.push({ ...message, ...(content !== undefined && { content }) })
    else {
      const parts: CommonPart[] = []
      for (const part of content) parts.push(await inline(part))
      inlined.push({ ...message, content: parts })
    }
  }
  return { ...completion, body: { ...completion.body, messages: inlined } }
}
