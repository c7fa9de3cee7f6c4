import type { FastifyReply, FastifyRequest } from 'fastify'

const hint = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>For authors</title>
<h1>This page is for authors</h1>
<p>Open the address that the service printed last. It ends with <code>?token=…</code>, and opens the page once: in one browser, which
keeps a cookie until the service ends. The service prints another one as soon as it was opened, and at each start.</p>
<p>A flow can be talked to at <code>/f/&lt;public id&gt;</code> without it.</p>
`

/**
 * Lets an author in who comes with the token in the address: a cookie keeps that they came, and the address goes on without it.
 * A token that was spent, or is none, gets the hint; one too many is TOO_MANY_REQUESTS. False for any other request, which is not
 * answered.
 */
export async function exchangeToken(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { pageAccess, tokenGuesses } = request.server
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const token = searchParams.get('token')
  // What looks at an address before somebody opens it asks for its head.
  if (token === null || pageAccess.token === undefined || request.method === 'HEAD') return false
  if (!pageAccess.isAuthor(request)) {
    await tokenGuesses.check(request, reply)
    if (!pageAccess.spend(token)) {
      await tokenGuesses.count(request)
      sendHint(reply)
      return true
    }
    reply.header('set-cookie', pageAccess.cookieFor(request))
  }
  searchParams.delete('token')
  reply.header('referrer-policy', 'no-referrer')
  reply.redirect(searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname, 303)
  return true
}

/** Says where the way in is. */
export function sendHint(reply: FastifyReply): FastifyReply {
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
  return reply.code(403).type('text/html; charset=utf-8').send(hint)
}
