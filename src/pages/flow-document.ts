import type { Settings } from '../../schemas/settings.ts'
import type { Theme } from '../../schemas/theme.ts'
import { closedMessageOf } from '../conversations/start/start-published-chat.ts'
import { chooseLocale, type Program, programIn } from '../engine/model/program.ts'
import { type JsonTemplate, renderJson } from '../engine/templates/json-template.ts'
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
  { locale: asked, acceptLanguage, wordsIn, styleSheets, replyLength, hasOperators }: Reader,
): FlowDocument {
  if (!flow || flow.isArchived) {
    const html = filled(page, { title: 'Not found' }, { notice: noFlow, word: 'noConversation' })
    return { statusCode: 404, html }
  }
  const locale = chooseLocale(flow.program, { locale: asked, acceptLanguage })
  const program = programIn(locale, flow.program)
  const settings: Settings = withDeclaredValues(program, program.settings)
  const { metadata = {} } = settings
  const head = { ...metadata, title: metadata.title || flow.flow.name || flow.publicId, styleSheets }
  const language = settings.general?.language ?? locale
  const words = language && wordsIn(language)
  const filling = { language, words, replyLength, hasOperators }
  if (!flow.isClosed) return { statusCode: 200, html: filled(page, head, filling) }
  const notice = closedMessageOf(flow, locale)
  const html = filled(page, { ...head, allowIndexing: false }, { ...filling, notice })
  return { statusCode: 403, html }
}

/** Request for the page, and where its words are. */
interface Reader extends Pick<PageFiles, 'wordsIn'> {
  readonly locale: string | undefined
  readonly acceptLanguage: string | undefined
  /** Characters that one message of a visitor may have. */
  readonly replyLength: number
  /** Whether there are people who may write in a conversation. */
  readonly hasOperators: boolean
  /** Addresses of those that the fonts of the flow need. */
  readonly styleSheets: readonly string[]
}

/** The theme of a flow, as far as it is known before anybody has said anything. */
export const themeOf = ({ program }: PublishedFlow): Theme => withDeclaredValues(program, program.theme)

interface Filling extends Partial<Pick<Reader, 'replyLength' | 'hasOperators'>> {
  /** Without one, the page has that of the browser. */
  readonly language?: string | undefined
  /** Address of the words of the page. */
  readonly words?: string | undefined
  readonly notice?: string
  /** Name of the word that the page has for the notice. */
  readonly word?: string
}

function filled(
  page: string,
  head: Head,
  { language = '', words, notice, word = '', replyLength, hasOperators }: Filling,
): string {
  const refusal =
    notice === undefined ? '' : `<p id="refusal" dir="auto" data-word="${word}">${escapeHtml(notice)}</p>`
  const lines = headOf(head)
  if (words !== undefined) lines.push(`<link rel="modulepreload" href="${words}">`)
  const limit = notice === undefined ? `data-longest="${replyLength}"` : 'data-refused'
  const facts = hasOperators ? `${limit} data-has-operators` : limit
  // By functions: in a text, `$` would stand for something.
  return page
    .replace('<html lang="en">', () => `<html lang="${escapeHtml(language)}" ${facts}>`)
    .replace('<!--head-->', () => lines.join('\n    '))
    .replace('<!--refusal-->', () => refusal)
}

type Head = NonNullable<Settings['metadata']> & {
  readonly title: string
  readonly styleSheets?: readonly string[]
}

function headOf({
  title,
  description,
  imageUrl,
  favIconUrl,
  allowIndexing,
  styleSheets = [],
}: Head): string[] {
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
    ...styleSheets.map((address) => `<link rel="stylesheet" href="${escapeHtml(address)}">`),
    ...(allowIndexing ? [] : [meta('name="robots"', 'noindex')]),
  ]
}

const meta = (name: string, content: string) => `<meta ${name} content="${escapeHtml(content)}">`

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Characters that the values in all settings, or a theme, may take together. */
const mostCharacters = 256 * 1024

/** With the values that variables are declared with. Code is not run for a page, and leaves nothing. */
function withDeclaredValues<Shape extends object>(
  { variables }: Pick<Program, 'variables'>,
  template: JsonTemplate<Shape>,
): Partial<Shape> {
  let left = mostCharacters
  const scope = {
    variables: new Variables(variables),
    log: () => undefined,
    spend(characters: number) {
      left -= characters
      if (left < 0) throw new RangeError('the values are too long')
    },
    evaluate: () => ({ ok: true, value: '' }) as const,
  }
  try {
    return renderJson(template, scope).value
  } catch {
    return {}
  }
}
