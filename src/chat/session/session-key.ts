import type { Session } from '../../stores/session.ts'

/** Where a session is kept: previews choose their ids, so they get a namespace of their own. */
export function sessionKey(kind: Session['kind'], id: string): string {
  return `${kind}:${id}`
}

/** Whether this is where a preview is kept. */
export function isPreviewKey(key: string): boolean {
  return key.startsWith('preview:')
}
