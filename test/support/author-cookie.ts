import type { Server } from '../../src/http/types.ts'

/** The cookie of a browser in which the address that a local service prints was opened. */
export async function authorCookie(app: Server): Promise<string> {
  const headers = { host: '127.0.0.1:3000' }
  const entered = await app.inject({ url: `/?token=${app.pageAccess.token}`, headers })
  return String(entered.headers['set-cookie']).split(';')[0] as string
}
