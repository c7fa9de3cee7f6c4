import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site of somebody else, which is strict about what its pages may load. */
export interface EmbeddingSite {
  /** By another name than the service has, so that browsers take them for two sites. */
  readonly address: string
  /** The address of a page with this body, under this policy. */
  show(body: string, policy: string): string
  close(): Promise<void>
}

/** All that the pages of a site have to allow (docs/embed.md). */
export function strictPolicy(service: string): string {
  return [
    "default-src 'none'",
    `script-src ${service}`,
    `frame-src ${service}`,
    "require-trusted-types-for 'script'",
  ].join('; ')
}

export async function openEmbeddingSite(): Promise<EmbeddingSite> {
  const pages: { readonly body: string; readonly policy: string }[] = []
  const server = createServer(({ url = '' }, response) => {
    const page = pages[Number(url.slice(1).split(/[?#]/)[0])]
    response
      .writeHead(page ? 200 : 404, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': page?.policy ?? "default-src 'none'",
      })
      .end(page && documentOf(page.body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    address,
    show(body, policy) {
      pages.push({ body, policy })
      return `${address}/${pages.length - 1}`
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const documentOf = (body: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>A shop</title>
<main>
<h1>A shop</h1>
${body}
</main>`
