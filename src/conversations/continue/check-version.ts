import { ServiceError } from '../../lib/errors.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { presentState } from '../get-session/present-state.ts'
import type { Versioned } from '../request.ts'
import type { OpenSession } from '../session/open-session.ts'
import { sessionVersion } from '../session/serialize-conversation.ts'

/**
 * Refuses a continue for another version of the session than the present one, and names that. Throws
 * PRECONDITION_FAILED with the input that waits now.
 */
export async function checkVersion(
  open: OpenSession,
  { ifVersion, onVersion }: Versioned & { readonly ifVersion?: readonly string[] | undefined },
  deps: ChatDependencies,
): Promise<void> {
  const version = sessionVersion(open.stored)
  if (!ifVersion || ifVersion.includes(version)) return
  const { turn } = await presentState(open, deps)
  onVersion?.(version)
  throw new ServiceError('PRECONDITION_FAILED', 'The session has gone on since', {
    extension: { input: turn.output.input?.value },
  })
}
