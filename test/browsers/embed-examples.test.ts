import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileScript, parse } from 'vue/compiler-sfc'
import { findInstalled, installedChromium } from './chromium.ts'
import { type EmbeddingSite, openEmbeddingSite } from './embedding-site.ts'
import { type OpenedPages, openPages } from './open-pages.ts'
import { counting, embedded } from './page-flows.ts'

const root = join(import.meta.dirname, '../..')
const page = await readFile(join(root, 'docs/embed.md'), 'utf8')
const examplesIn = (language: string) =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , code]) => code ?? '')

/** How an application shows a component. */
const mounts = {
  jsx: `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
createRoot(document.body.appendChild(document.createElement('div'))).render(createElement(Example))`,
  vue: `import { createApp } from 'vue'
createApp(Example).mount(document.body.appendChild(document.createElement('div')))`,
}

/** As much of WordPress as puts scripts into pages (https://developer.wordpress.org/reference/functions/wp_enqueue_script/). */
const wordPress = `
function add_action($hook, $run) { $GLOBALS['hooks'][$hook][] = $run; }
function add_filter($hook, $run) { $GLOBALS['hooks'][$hook][] = $run; }
function wp_enqueue_script($handle, $src, $deps, $version, $args) {
  $tag = "<script src=\\"$src\\" id=\\"$handle-js\\" $args[strategy] data-wp-strategy=\\"$args[strategy]\\"></script>";
  foreach ($GLOBALS['hooks']['script_loader_tag'] as $filter) $tag = $filter($tag, $handle);
  echo $tag;
}
`

describe.each(installedChromium('examples of embedding'))(
  'an example in docs/embed.md, in %s',
  (executablePath) => {
    let pages: OpenedPages
    let site: EmbeddingSite
    let folder: string

    beforeAll(async () => {
      site = await openEmbeddingSite()
      pages = await openPages(executablePath, [counting, embedded('embedded', [site.address])])
      // Where packages are found, and this one by its own name.
      folder = await mkdtemp(join(root, 'dist/examples-'))
    })

    afterAll(async () => {
      await pages?.close()
      await site?.close()
      await rm(folder, { recursive: true, force: true })
    })

    const here = (code: string) =>
      code.replaceAll('https://chat.example', pages.service.address).replaceAll('lead-form', 'embedded')

    /** Examples of code that stands in the page need a policy that allows it. */
    const open = async (body: string) => {
      const { page, complaints } = await pages.open('/health', {})
      const { address } = pages.service
      await page.goto(
        site.show(body, `default-src 'none'; script-src 'unsafe-inline' ${address}; frame-src ${address}`),
      )
      const speaks = async () => {
        await expect.poll(() => page.evaluate('document.querySelector("flow-chat")?.isOpen')).toBeDefined()
        await page.evaluate('document.querySelector("flow-chat").open()')
        await page.frameLocator('flow-chat iframe').locator('.bubble.host', { hasText: 'Hello' }).waitFor()
        expect(complaints).toEqual([])
      }
      return { page, speaks }
    }

    const bundle = async (entry: string) => {
      const built = await build({
        root: folder,
        configFile: false,
        logLevel: 'warn',
        define: { 'process.env.NODE_ENV': '"production"' },
        resolve: {
          alias: { 'flow-runtime/embed': fileURLToPath(import.meta.resolve('flow-runtime/embed')) },
        },
        build: { write: false, rollupOptions: { input: join(folder, entry) } },
      })
      if (!('output' in built)) throw new Error('nothing was built')
      return built.output[0].code
    }

    it.each(examplesIn('html').map((code) => [code.trim()]))('runs: %s', async (code) => {
      const { speaks } = await open(here(code))
      await speaks()
    })

    it.each(findInstalled('php', ['/usr/bin/php'], 'the code for WordPress'))(
      'puts the line into the pages of WordPress, in %s',
      async (php) => {
        const file = join(folder, 'functions.php')
        await writeFile(
          file,
          `<?php ${wordPress}${examplesIn('php')} foreach ($hooks['wp_enqueue_scripts'] as $run) $run();`,
        )
        const { stdout } = await promisify(execFile)(php, [file])
        expect(examplesIn('html').map((line) => line.trim())).toContain(stdout)
      },
    )

    it('counts by a tag manager, which puts the scripts of a tag into the page without their attributes', async () => {
      const tag = examplesIn('html').find((code) => code.includes('dataset')) ?? ''
      const { page, speaks } = await open('')
      await page.evaluate(`{
        const tag = document.createElement('template')
        tag.innerHTML = ${JSON.stringify(here(tag).replace("'embedded'", "'counting'"))}
        for (const { src, text } of tag.content.querySelectorAll('script'))
          document.head.append(Object.assign(document.createElement('script'), src ? { src } : { text }))
      }`)
      await speaks()
      expect(await page.evaluate('dataLayer')).toMatchObject([{ event: 'purchase' }])
    })

    it('runs, and has types: the module', async () => {
      const [code = ''] = examplesIn('ts')
      await writeFile(join(folder, 'module.ts'), here(code))
      await writeFile(
        join(folder, 'tsconfig.json'),
        '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] } }',
      )
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      await promisify(execFile)(process.execPath, [tsc, '-p', folder])
      const { page, speaks } = await open('')
      await page.addScriptTag({ type: 'module', content: await bundle('module.ts') })
      await page.frameLocator('flow-chat iframe').getByText('Hello Ada!').waitFor()
      await speaks()
    })

    it.each(['jsx', 'vue'] as const)('runs: %s', async (kind) => {
      const [code = ''] = examplesIn(kind)
      const { descriptor } = parse(here(code))
      const component =
        kind === 'vue'
          ? compileScript(descriptor, { id: 'example', inlineTemplate: true }).content
          : here(code)
      await writeFile(join(folder, `${kind}-example.jsx`), component)
      await writeFile(
        join(folder, `${kind}.js`),
        `import Example from './${kind}-example.jsx'\n${mounts[kind]}`,
      )
      const { page, speaks } = await open('')
      await page.addScriptTag({ type: 'module', content: await bundle(`${kind}.js`) })
      await speaks()
    })
  },
)
