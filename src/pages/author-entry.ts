import type { FastifyReply, FastifyRequest } from 'fastify'

const hint = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>For authors</title>
<h1>This page is for authors</h1>
<p>Open the address that the service printed last when it started. It ends with <code>?token=…</code>, and is another one after
each start.</p>
<p>A flow can be talked to at <code>/f/&lt;public id&gt;</code> without it.</p>
`

/**
 * Lets an author in who comes with the token in the address: the cookie keeps it, and the address goes on without it.
 * False for any other request, which is not answered; one token too many is TOO_MANY_REQUESTS.
 */
export async function exchangeToken(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { pageAccess, tokenGuesses } = request.server
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const token = searchParams.get('token')
  if (token === null || pageAccess.token === undefined) return false
  await tokenGuesses.check(request, reply)
  if (!pageAccess.isToken(token)) {
    await tokenGuesses.count(request)
    return false
  }
  searchParams.delete('token')
  reply.header('set-cookie', pageAccess.cookieFor(request))
  reply.header('referrer-policy', 'no-referrer')
  reply.redirect(searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname, 303)
  return true
}

/** Says where the way in is. */
export function sendHint(reply: FastifyReply): FastifyReply {
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
  return reply.code(403).type('text/html; charset=utf-8').send(hint)
}
