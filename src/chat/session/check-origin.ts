import type { Program } from '../../engine/model/program.ts'
import { ServiceError } from '../../errors.ts'

/**
 * Refuses browsers on sites that the flow does not allow. Only browsers send an origin; this keeps other sites from
 * embedding a flow, and is no authentication (docs/api.md 4.1).
 */
export function checkOrigin(origin: string | undefined, { allowedOrigins }: Program): void {
  if (origin === undefined || allowedOrigins.length === 0 || allowedOrigins.includes(origin)) return
  throw new ServiceError('FORBIDDEN', 'Origin not allowed')
}
