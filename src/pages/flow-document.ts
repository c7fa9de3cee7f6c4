import type { Settings } from '../../schemas/settings.ts'
import { closedMessageOf } from '../conversations/start/start-published-chat.ts'
import { renderJson } from '../engine/templates/json-template.ts'
import { Variables } from '../engine/values/variables.ts'
import type { PublishedFlow } from '../stores/published-flows.ts'
import type { PageFiles } from './page-files.ts'

/** The page of a flow, as it is sent. */
interface FlowDocument {
  /** 404 where no flow is published, 403 where it is closed. The page is there all the same: what has begun goes on. */
  readonly statusCode: 200 | 403 | 404
  readonly html: string
}

const noFlow = 'There is no such conversation.'

/**
 * The document of the page with what a flow says of itself, and with the reason where nothing can begin. Words in its
 * language are loaded beside the script of the page, and not behind it.
 */
export function flowDocument(
  page: string,
  flow: PublishedFlow | undefined,
  wordsIn: PageFiles['wordsIn'],
): FlowDocument {
  if (!flow || flow.isArchived) {
    const html = filled(page, { title: 'Not found' }, { notice: noFlow })
    return { statusCode: 404, html }
  }
  const settings = settingsOf(flow)
  const { metadata = {} } = settings
  const head = { ...metadata, title: metadata.title || flow.flow.name || flow.publicId }
  const { language = '' } = settings.general ?? {}
  const words = wordsIn(language)
  const inLanguage = page.replace('<html lang="en">', () => `<html lang="${escapeHtml(language)}">`)
  if (!flow.isClosed) return { statusCode: 200, html: filled(inLanguage, head, { words }) }
  const html = filled(inLanguage, { ...head, allowIndexing: false }, { words, notice: closedMessageOf(flow) })
  return { statusCode: 403, html }
}

interface Filling {
  /** Address of the words of the page. */
  readonly words?: string | undefined
  readonly notice?: string
}

function filled(page: string, head: Head, { words, notice }: Filling): string {
  const refusal = notice === undefined ? '' : `<p id="refusal" dir="auto">${escapeHtml(notice)}</p>`
  const lines = headOf(head)
  if (words !== undefined) lines.push(`<link rel="modulepreload" href="${words}">`)
  // By functions: in a text, `$` would stand for something.
  return page.replace('<!--head-->', () => lines.join('\n    ')).replace('<!--refusal-->', () => refusal)
}

type Head = NonNullable<Settings['metadata']> & { readonly title: string }

function headOf({ title, description, imageUrl, favIconUrl, allowIndexing }: Head): string[] {
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('property="og:title"', title),
    meta('property="og:type"', 'website'),
    ...(description
      ? [meta('name="description"', description), meta('property="og:description"', description)]
      : []),
    ...(imageUrl
      ? [meta('property="og:image"', imageUrl), meta('name="twitter:card"', 'summary_large_image')]
      : []),
    `<link rel="icon" href="${escapeHtml(favIconUrl || 'data:,')}">`,
    ...(allowIndexing ? [] : [meta('name="robots"', 'noindex')]),
  ]
}

const meta = (name: string, content: string) => `<meta ${name} content="${escapeHtml(content)}">`

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Characters that the values in all settings may take together. */
const mostCharacters = 256 * 1024

/** With the values that variables are declared with. Code is not run for a page, and leaves nothing. */
function settingsOf({ program }: PublishedFlow): Settings {
  let left = mostCharacters
  const scope = {
    variables: new Variables(program.variables),
    log: () => undefined,
    spend(characters: number) {
      left -= characters
      if (left < 0) throw new RangeError('the settings are too long')
    },
    evaluate: () => ({ ok: true, value: '' }) as const,
  }
  try {
    return renderJson(program.settings, scope).value
  } catch {
    return {}
  }
}
