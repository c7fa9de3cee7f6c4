import type { BlinkBlock } from '../../../../schemas/blocks/vendors.ts'
import type { FileHeaders } from '../../../engine/model/effect-payloads.ts'
import { ask, type Effects } from '../../../engine/model/effects.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import { bareType, extensionFor } from '../../../engine/values/file-types.ts'
import { describeVendorFailure, reportProblem } from '../lib/ask-vendor.ts'

type Section = NonNullable<NonNullable<BlinkBlock['options']>['sections']>[number]
type WrittenSection = Readonly<Record<string, unknown>>

/** A section of a card as the vendor takes it, or the log that says what keeps it out. */
type FeedSection =
  | { readonly ok: true; readonly section: WrittenSection }
  | { readonly ok: false; readonly log: LogEntry }

/** Writes a section of a card that needs nothing but what the flow says. */
export function writeFeedSection(section: Section): FeedSection {
  switch (section.type) {
    case 'Header':
      return written({ type: 'header', title: section.title, icon_url: section.iconUrl })
    case 'Text':
      return written({ type: 'text', value: section.value, is_markdown: true })
    case 'Labelled Text':
      return written({
        type: 'labelled_text',
        label: section.label,
        value: section.value,
        icon_url: section.iconUrl,
        is_markdown: true,
      })
    case 'Image':
      return written({
        type: 'image',
        image_url: section.imageUrl,
        fit_image: section.fitImage,
        width: numberOf(section.width),
        height: numberOf(section.height),
      })
    case 'Image gallery':
      return written({
        type: 'gallery',
        data: (section.imageUrls ?? []).map((url) => ({ type: 'gallery_image', image_url: url })),
      })
    case 'YouTube':
      return writeYouTube(section)
    case 'Link':
      return written({
        type: 'link',
        title: section.title,
        url: section.url,
        subtitle: section.description,
        image_url: section.imageUrl,
        image_placement: section.imagePlacement,
      })
    case 'Buttons':
      return written({ type: 'buttons', data: (section.buttons ?? []).flatMap(writeButton) })
    case 'Event':
      return written({
        type: 'event',
        title: section.title,
        start: section.start,
        end: section.end,
        subtitle: section.description,
        all_day: section.allDay,
      })
    case 'Horizontal Bar Chart':
      return written({
        type: 'horizontal_bar_chart',
        total_raw_value: numberOf(section.total),
        data: (section.data ?? []).map(({ name, value, label }) => ({
          name,
          raw_value: numberOf(value),
          display_value: label,
        })),
      })
    default:
      return {
        ok: false,
        log: reportProblem(`A section of the type ${section.type ?? '(none)'} is not known`),
      }
  }
}

/** Fields without a value are left out when this becomes JSON. */
const written = (section: WrittenSection): FeedSection => ({ ok: true, section })

const youTubeId = /(?:youtu\.be\/|[?&]v=|\/(?:embed|shorts|live|v)\/)([\w-]{11})/

function writeYouTube({ link = '' }: Section): FeedSection {
  const id = youTubeId.exec(link)?.[1]
  return id === undefined
    ? { ok: false, log: reportProblem('Invalid YouTube URL.') }
    : written({ type: 'youtube', video_id: id })
}

type Button = NonNullable<Section['buttons']>[number]

function writeButton({ clientAction, label, iconUrl }: Button): WrittenSection[] {
  if (clientAction?.url === undefined) return []
  const kind = clientAction.type === 'Open Webview' ? 'webview' : 'link'
  const action = `blink:${kind}?url=${encodeURIComponent(toBase64(clientAction.url))}&action=open`
  return [{ label, client_action: action, icon_url: iconUrl }]
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function numberOf(value: number | string | undefined): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value
  return number !== undefined && Number.isFinite(number) ? number : undefined
}

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
