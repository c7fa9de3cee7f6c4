import { currentFrameOf } from '../../engine/model/conversation.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { CodeOwner } from '../../ports/code-sandbox-port.ts'
import type { CredentialScope } from '../../ports/credentials-port.ts'
import type { RequestLog } from '../../ports/request-log-port.ts'
import type { Lease } from '../../stores/conversation-store.ts'
import type { ChatDependencies } from '../dependencies.ts'
import type { MockWorld } from './mocks/mock-world.ts'

/** Owner of a turn, as far as that decides what it may do. */
export interface TurnOwner {
  readonly kind: 'live' | 'preview'
  /** A preview started with the token of the operator. */
  readonly isTrusted?: boolean | undefined
  readonly sessionId: string
  /** Absent where no other turn can hold the session. */
  readonly lease?: Lease | undefined
  /** Of the conversation that the turn has found; absent for a start. */
  readonly revision?: number | undefined
  /** The input of the turn, as JSON holds it: sent by the visitor, or come in from elsewhere. */
  readonly said?: unknown
  /** Distinguishes the calls of what runs beside the turns of the session from theirs. */
  readonly callScope?: 'turn' | 'stream' | 'streamed model'
  /** Whether the conversation was started before. */
  readonly isUnderWay?: boolean
  /** Public id of the flow that was started; absent for previews. */
  readonly publicId?: string | undefined
  readonly requestLog?: RequestLog | undefined
  /** The world of a preview that is not in the real one. */
  readonly mocks?: MockWorld | undefined
}

/** Code of a conversation counts as that of the flow that was started, wherever links have led. */
export function codeOwnerOf({ conversation }: Turn, { kind, sessionId }: TurnOwner): CodeOwner {
  return { kind, id: kind === 'live' ? conversation.frames[0].program.id : sessionId }
}

/** Accounts are those that the flow being walked may use. A preview is trusted as far as its token goes, and not for its names. */
export function credentialScopeOf(
  { conversation }: Pick<Turn, 'conversation'>,
  owner: TurnOwner,
): CredentialScope {
  const { id, workspaceId } = currentFrameOf(conversation).program
  if (owner.kind === 'live') return { flowId: id, workspaceId, kind: 'live' }
  const kind = owner.isTrusted ? 'trusted preview' : 'preview'
  return { flowId: undefined, workspaceId: undefined, kind }
}

/** Whether a turn of this owner sends requests at all, to models too (docs/behaviour/integrations.md, "Previews"). */
export function maySendRequests(
  { kind, isTrusted }: Pick<TurnOwner, 'kind' | 'isTrusted'>,
  { previewHttp }: Pick<ChatDependencies, 'previewHttp'>,
): boolean {
  return kind === 'live' || previewHttp === 'on' || (previewHttp === 'auto' && isTrusted === true)
}
