import type { Message } from '../../schemas/message.ts'
import { isWebLink } from '../channels/web-link.ts'
import type { ChannelWords } from '../channels/words.ts'
import type { Uttered } from './lead-conversation.ts'

/** Writes what a turn brings as markdown: one text for each message, and for each place that the flow leads to. */
export function markdownOf({ messages, actions }: Uttered, words: ChannelWords): string[] {
  const redirects = actions.flatMap((action) =>
    action.type === 'redirect' ? linkTo(words.newTab, action.redirect.url) : [],
  )
  return [...messages.flatMap(markdownOfMessage), ...redirects]
}

function markdownOfMessage(message: Message): string[] {
  switch (message.type) {
    case 'text':
      return message.content.type === 'markdown' ? [message.content.markdown].filter(Boolean) : []
    case 'image': {
      const { url, clickLink } = message.content
      const shown = isLink(url) ? [`![${escapeLabel(clickLink?.alt ?? '')}](${url})`] : []
      return [...shown, ...linkTo(clickLink?.alt || undefined, clickLink?.url)]
    }
    case 'video':
    case 'audio':
    case 'embed':
      return linkTo(undefined, message.content.url)
    default:
      return []
  }
}

function linkTo(label: string | undefined, url: string | undefined): string[] {
  return isLink(url) ? [label === undefined ? `<${url}>` : `[${escapeLabel(label)}](${url})`] : []
}

/** A value of a variable may stand in it, and ends no label. */
const escapeLabel = (label: string) => label.replace(/[[\]\\]/g, '\\$&')

const isLink = (url: string | undefined): url is string => url !== undefined && isWebLink(url)
