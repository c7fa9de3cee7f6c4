import {
  ActionButtons,
  ActionList,
  Audio,
  Body,
  Button,
  Header,
  Image,
  Interactive,
  ListSection,
  Row,
  Text,
  Video,
} from 'whatsapp-api-js/messages'
import type { Json } from '../json.ts'

interface Shown {
  readonly link?: string
  readonly caption?: string
  readonly body?: string
  readonly preview_url?: boolean
}

interface ShownButtons {
  readonly type: string
  readonly header?: { readonly image: Shown }
  readonly body: { readonly text: string }
  readonly action: {
    readonly buttons?: readonly { readonly reply: { readonly id: string; readonly title: string } }[]
    readonly button?: string
    readonly sections?: readonly { readonly rows: readonly Readonly<Record<string, string>>[] }[]
  }
}

/** Builds a message anew with a library of another maker, which throws beyond the limits that it knows. */
function rebuild(type: string, content: Shown & ShownButtons): object {
  const { link = '', caption, body = '', preview_url } = content
  if (type === 'text') return new Text(body as unknown as string, preview_url)
  if (type === 'image') return new Image(link, false, caption)
  if (type === 'video') return new Video(link, false, caption)
  if (type === 'audio') return new Audio(link)
  const { header, body: above, action } = content
  if (action.sections) {
    const rows = action.sections[0]?.rows.map(
      ({ id = '', title = '', description }) => new Row(id, title, description),
    )
    // The library has the limit that bodies of lists had before they could be as long as texts.
    const text = new Body(above.text.slice(0, 1024))
    return new Interactive(
      new ActionList(action.button ?? '', new ListSection(undefined, ...(rows as [Row]))),
      text,
    )
  }
  const buttons = action.buttons?.map(({ reply }) => new Button(reply.id, reply.title)) as [Button]
  const picture = header && new Header(new Image(header.image.link ?? ''))
  return new Interactive(new ActionButtons(...buttons), new Body(above.text), picture)
}

/** Differences of a message from what the library builds of the same parts, and what it refuses. */
export function whatsAppLibraryProblems({ body }: { readonly body: Json }): string[] {
  const type = String(body['type'])
  const content = body[type] as Shown & ShownButtons
  try {
    const built = JSON.parse(JSON.stringify(rebuild(type, content))) as Json
    const isLongList = content.type === 'list' && content.body.text.length > 1024
    const ours = isLongList ? { ...content, body: { text: content.body.text.slice(0, 1024) } } : content
    return sorted(built) === sorted(ours) ? [] : [`${sorted(built)} is what the library builds`]
  } catch (error) {
    return [`the library refuses it: ${(error as Error).message}`]
  }
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inside: unknown) =>
    typeof inside === 'object' && inside !== null && !Array.isArray(inside)
      ? Object.fromEntries(Object.entries(inside).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inside,
  )
