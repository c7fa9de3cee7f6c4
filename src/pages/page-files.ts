import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { etagOf } from '../http/request/request-conditions.ts'
import { ServiceError } from '../lib/errors.ts'
import { packageRoot } from '../lib/package-root.ts'

/** One file of the build, as it is sent. */
export interface PageFile {
  readonly type: string
  readonly plain: Buffer
  readonly gzip: Buffer | undefined
  readonly brotli: Buffer | undefined
  readonly etag: string
}

export interface PageFiles {
  /** By the name that its content gave it; undefined for any other. */
  asset(name: string): PageFile | undefined
  /** Address of the page's words in a language (a tag); undefined where it has none, and for English, which is in its script. */
  wordsIn(language: string): string | undefined
  /** The document of one of the pages. */
  document(page: PageName): PageFile
  /** Sources for a policy that allow the scripts which stand in the document of visitors, each with a blank before it. */
  readonly startScripts: string
  /** The script by which other sites show a flow. */
  readonly embed: PageFile
}

const pageNames = ['list', 'visitor', 'try', 'results', 'script-frame', 'payment-frame'] as const

export type PageName = (typeof pageNames)[number]

const built = join(packageRoot, 'dist/pages')

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Reads all pages at once: they are a few hundred kilobytes, and what is held needs no look at a path of a request.
 * Without a build there are none, which is an answer and no failure: the sources of the service run all the same.
 */
export async function readPageFiles(folder = built): Promise<PageFiles> {
  const assets = new Map<string, PageFile>()
  const inAssets = join(folder, 'assets')
  const names = await readdir(inAssets).catch(() => {
    throw new ServiceError('NOT_FOUND', 'The pages are not built: run npm run build')
  })
  for (const name of names) {
    if (types[extname(name)] !== undefined) assets.set(name, await readPageFile(join(inAssets, name)))
  }
  // The build names the chunk of a language by its file in pages/shared/words.
  const words = new Map(names.map((name) => [/^([a-z]{2})-[\w-]{8}\.js$/.exec(name)?.[1], `/assets/${name}`]))
  const documents = new Map<PageName, PageFile>()
  for (const name of pageNames) documents.set(name, await readPageFile(join(folder, name, 'index.html')))
  return {
    asset: (name) => assets.get(name),
    wordsIn: (language) => words.get(language.toLowerCase().split('-')[0]),
    document: (page) => documents.get(page) as PageFile,
    startScripts: hashesOfScripts(documents.get('visitor')?.plain.toString() ?? ''),
    embed: await readPageFile(join(folder, 'embed.js')),
  }
}

function hashesOfScripts(html: string): string {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)
  return scripts.map((script) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`).join('')
}

async function readPageFile(path: string): Promise<PageFile> {
  const orNothing = (suffix: string) => readFile(path + suffix).catch(() => undefined)
  const [plain, gzip, brotli] = await Promise.all([readFile(path), orNothing('.gz'), orNothing('.br')])
  const type = types[extname(path)] ?? 'application/octet-stream'
  return { type, plain, gzip, brotli, etag: etagOf(plain) }
}
