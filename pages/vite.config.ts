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

/** Puts the module that begins the conversation before those of the page, which are joined without it. */
const startFirst: Plugin = {
  name: 'start-first',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { path, bundle = {} }) {
      const start = Object.values(bundle).find(({ name }) => name === 'start')
      if (!start || !path.includes('/visitor/')) return
      return [
        { tag: 'script', attrs: { type: 'module', src: `/${start.fileName}` }, injectTo: 'head-prepend' },
      ]
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [startFirst, compress],
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
          ['list', 'visitor', 'try', 'script-frame', 'payment-frame'].map((page) => [
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
            { name: 'base', test: /node_modules\/@?preact|preload-helper|pages\/shared\/(?:assign|lazy)/ },
            {
              name: 'chat',
              test: /client\/|pages\/shared\/(?:browser-storage|words\/(?:en|speak)|chat\/(?!.*(?:cards|file|payment)-input))/,
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
