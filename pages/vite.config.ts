import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const into = join(import.meta.dirname, '../dist/pages')

const compressors = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) }

const embed = 'embed'

/** Compresses each file once, when it is built, and not with every answer. */
const compress: Plugin = {
  name: 'compress',
  async writeBundle(_options, bundle) {
    for (const name of Object.keys(bundle)) {
      const content = await readFile(join(into, name))
      for (const [suffix, shrink] of Object.entries(compressors))
        await writeFile(join(into, name + suffix), await shrink(content))
    }
  },
}

/**
 * Has code that comes later come by `import` alone: no style sheet comes with it, and vite's own way of loading it, with what
 * it needs, is a kilobyte.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: {
    filter: { id: /^\0vite\/preload-helper\.js$/ },
    handler: () => 'export const __vitePreload = (load) => load()',
  },
}

/**
 * Puts the script that begins the conversation into the document, before style sheets that it would wait for, and names the
 * style sheet there that the page fetches. The service allows the script by its hash.
 */
const startFirst: Plugin = {
  name: 'start-first',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { path, bundle = {} }) {
      if (!path.includes('/visitor/')) return
      const files = Object.values(bundle)
      const start = files.find((file) => file.type === 'chunk' && file.name === 'start')
      const style = files.find((file) => file.type === 'asset' && file.names.includes('chat.css'))
      if (start?.type !== 'chunk' || !style) throw new Error('The page of visitors has no start, or no style')
      delete bundle[start.fileName]
      const href = `/${style.fileName}`
      return [
        { tag: 'script', children: `(()=>{${start.code.trim()}})()` },
        { tag: 'link', attrs: { rel: 'preload', href, as: 'fetch', crossorigin: true } },
      ]
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [plainImports, startFirst, compress],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: into,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Policies allow no style or script that stands in a document or a `data:` address.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: {
        ...Object.fromEntries(
          ['list', 'visitor', 'try', 'results', 'script-frame', 'payment-frame'].map((page) => [
            page,
            join(import.meta.dirname, page, 'index.html'),
          ]),
        ),
        start: join(import.meta.dirname, 'visitor/start.ts'),
        [embed]: join(import.meta.dirname, 'embed/script.ts'),
      },
      output: {
        entryFileNames: ({ name }) => (name === embed ? 'embed.js' : 'assets/[name]-[hash].js'),
        // Few files compress better than many, and each one is a request.
        codeSplitting: {
          groups: [
            {
              name: 'chat',
              test: /node_modules\/@?preact|preload-helper|client\/|pages\/shared\/(?:assign|lazy|browser-storage|words\/(?:en|speak)|chat\/(?!chat\.css|follow-timers|media-bubbles|perform-action|inputs\/(?:cards|date|file|payment|rating|record)-))/,
            },
          ],
        },
        // Sites load it as a script of its own, whose names are not theirs.
        postBanner: ({ name }) => (name === embed ? '"use strict";(()=>{' : ''),
        postFooter: ({ name }) => (name === embed ? '})()' : ''),
      },
    },
  },
})
