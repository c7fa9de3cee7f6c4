import { access, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Theme } from '../../schemas/theme.ts'

type Font = NonNullable<NonNullable<Theme['general']>['font']>

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/** The fonts of the operator: a folder for each family, with `index.css` and what it names, as packages of fonts have it. */
export function createFontFiles(folder: string) {
  return {
    /** Fonts of a theme: what the operator has of its family, and what it names itself. */
    async sourcesOf(theme: Theme): Promise<FontSources> {
      const font = theme.general?.font
      const family = (typeof font === 'object' ? font.family : font) ?? ''
      const sources = sourcesIn(theme)
      const path = `${family.trim().toLowerCase().replace(/\s+/g, '-')}/index.css`
      const isThere = isFontPath(path) && (await isReadable(join(folder, path)))
      return isThere ? { ...sources, styleSheets: [`/fonts/${path}`, ...sources.styleSheets] } : sources
    },
    /** A file by its path below `/fonts/`; undefined for what is none of a font. */
    async read(path: string): Promise<{ readonly type: string; readonly content: Buffer } | undefined> {
      const type = types[extname(path)]
      if (type === undefined || !isFontPath(path)) return undefined
      const content = await readFile(join(folder, path)).catch(() => undefined)
      return content && { type, content }
    },
  }
}

const isReadable = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Names that begin with no dot lead out of no folder. */
const isFontPath = (path: string) => /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)+$/.test(path)

/** Fonts of a theme: style sheets that a document loads, and sources that its policy allows. */
interface FontSources {
  /** Addresses of style sheets. */
  readonly styleSheets: readonly string[]
  /** Sources of `style-src` and `font-src`, each with a blank before it. */
  readonly styles: string
  readonly fonts: string
}

/** The addresses that a theme names itself: of a style sheet (`url`), and in the `@font-face` rules of `css` and `customCss`. */
function sourcesIn({ general, customCss = '' }: Theme): FontSources {
  const { url = '', css = '' } = customFont(general?.font)
  const sheet = originOf(url)
  const fonts = facesIn(customCss + css)
  if (sheet === undefined) return { styleSheets: [], styles: '', fonts }
  // Where a foreign style sheet has its fonts is known only to it.
  return { styleSheets: [url], styles: ` ${sheet}`, fonts: `${fonts} https:` }
}

const customFont = (font: Font | undefined): { readonly url?: string; readonly css?: string } =>
  typeof font === 'object' && font.type === 'Custom' ? font : {}

function facesIn(css: string): string {
  // A rule ends before the next brace: each part of a long text is read once.
  const faces = (css.match(/@font-face\s*\{[^{}]*\}/gi) ?? []).join('')
  const origins = (faces.match(/https?:\/\/[^\s"')]+/gi) ?? []).map(originOf)
  const inline = /url\(\s*["']?data:/i.test(faces) ? ['data:'] : []
  const sources = [...origins, ...inline].filter((source) => source !== undefined)
  return [...new Set(sources)].map((source) => ` ${source}`).join('')
}

/** The origin as a policy may name it; undefined for what is no address of the web. */
function originOf(address: string): string | undefined {
  const { origin = '' } = URL.canParse(address) ? new URL(address) : {}
  return /^https?:\/\/[\w.:-]+$/.test(origin) ? origin : undefined
}
