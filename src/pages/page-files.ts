import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
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
  /** The document of one of the pages. */
  document(page: PageName): PageFile
}

const pageNames = ['list', 'visitor', 'try', 'script-frame', 'payment-frame'] as const

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
  const documents = new Map<PageName, PageFile>()
  for (const name of pageNames) documents.set(name, await readPageFile(join(folder, name, 'index.html')))
  return {
    asset: (name) => assets.get(name),
    document: (page) => documents.get(page) as PageFile,
  }
}

async function readPageFile(path: string): Promise<PageFile> {
  const orNothing = (suffix: string) => readFile(path + suffix).catch(() => undefined)
  const [plain, gzip, brotli] = await Promise.all([readFile(path), orNothing('.gz'), orNothing('.br')])
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { type: types[extname(path)] ?? 'application/octet-stream', plain, gzip, brotli, etag }
}
