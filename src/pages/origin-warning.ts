import type { FastifyRequest } from 'fastify'
import type { Publication } from '../publication/publication.ts'

interface OriginSettings {
  readonly settings?: { readonly security?: { readonly allowedOrigins?: readonly unknown[] } }
}

/**
 * Warns the operator, once for each flow with `allowedOrigins`, that its page will be refused: where the service knows no
 * origin of its own, that page counts as one of another site.
 */
export function createOriginWarning(publication: Pick<Publication, 'states' | 'get'>) {
  const looked = new Set<string>()
  return async ({ params, server, log }: FastifyRequest): Promise<void> => {
    const { publicId } = params as { publicId: string }
    if (server.pageAccess.hasOrigin || looked.has(publicId)) return
    if (!publication.states().some((flow) => flow.publicId === publicId)) return
    looked.add(publicId)
    const published = await publication.get({ publicId, onVersion: () => undefined }).catch(() => undefined)
    const { settings } = (published?.definition ?? {}) as OriginSettings
    if (!settings?.security?.allowedOrigins?.length) return
    log.warn({ flow: publicId }, 'PUBLIC_URL is not set: allowedOrigins refuses the page of the flow at /f')
  }
}
