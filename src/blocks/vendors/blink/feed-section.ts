import type { BlinkBlock } from '../../../../schemas/blocks/vendors.ts'
import type { LogEntry } from '../../../engine/model/log-entry.ts'
import { reportProblem } from '../lib/vendor-logs.ts'

type Section = NonNullable<NonNullable<BlinkBlock['options']>['sections']>[number]
type WrittenSection = Readonly<Record<string, unknown>>

/** A section of a card as the vendor takes it, or the log that says what keeps it out. */
export type FeedSection =
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
