import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const into = join(import.meta.dirname, '../dist/pages')

const compressors = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) }

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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [compress],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: into,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Policies allow no style or script that stands in a document or a `data:` address.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: ['list', 'visitor', 'try', 'script-frame', 'payment-frame'].map((page) =>
        join(import.meta.dirname, page, 'index.html'),
      ),
    },
  },
})
