import type { FileHeaders } from '../../../engine/model/effect-payloads.ts'
import { ask, type Effects } from '../../../engine/model/effects.ts'
import { bareType, extensionFor } from '../../../engine/values/file-types.ts'
import { describeVendorFailure, reportProblem } from '../lib/vendor-logs.ts'
import type { FeedSection } from './feed-section.ts'

/** Milliseconds that the server of the file has for an answer. */
const timeoutMs = 10_000

/** Characters of the name of a file. */
const longestName = 200

/** Writes an attachment as the vendor takes it: with the name, type and size that the server of the file says. */
export function* describeAttachment(url: string | undefined): Effects<FeedSection> {
  if (url === undefined) return { ok: false, log: reportProblem('The attachment has no address') }
  const outcome = yield* ask({ type: 'request', request: { method: 'HEAD', url, headers: [], timeoutMs } })
  const file = outcome.kind === 'response' && outcome.status < 300 ? outcome.file : undefined
  if (!file) return { ok: false, log: describeVendorFailure(outcome, 'the attachment') }
  const { contentType = '', contentLength = '' } = file
  const name = nameOf(file, url)
  const size = Number(contentLength)
  const extension = extensionFor(bareType(contentType))
  if (name === '' || extension === undefined || !(size > 0))
    return {
      ok: false,
      log: reportProblem('The server of the attachment must send its name, content-type and content-length'),
    }
  const section = {
    type: 'attachment',
    file_name: name,
    file_ext: extension,
    file_size: size,
    download_url: url,
    open_url: url,
  }
  return { ok: true, section }
}

/** Name from the server's header, else the end of the address. */
function nameOf({ contentDisposition = '' }: FileHeaders, url: string): string {
  const [, quoted, plain] = /;\s*filename=(?:"([^"]*)"|([^;\s]*))/i.exec(contentDisposition) ?? []
  const [path = ''] = url.split(/[?#]/, 1)
  const name = quoted ?? plain ?? path
  return name.slice(name.lastIndexOf('/') + 1).slice(0, longestName)
}
