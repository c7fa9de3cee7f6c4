import type { WireText } from '../../byte-string.ts'
import type { Program } from '../../engine/model/program.ts'
import { checkStartFrom } from '../../engine/walk/start-walk.ts'
import { ServiceError } from '../../errors.ts'
import type { SentBody } from '../../ports.ts'
import type { StartPreviewRequest } from '../chat.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type PreviewAccess, previewAccess } from '../preview-access.ts'
import { withIds, writeStart } from '../response/chat-response.ts'
import { sessionRecord } from '../session/serialize-conversation.ts'
import { sessionKey } from '../session/session-key.ts'
import { limitedTo } from '../turn/preview-limits.ts'
import { runFirstTurn } from './run-first-turn.ts'

/**
 * Starts a preview session (docs/api.md 4.2) on the definition of the body, on the session id of the body when it
 * names one: previews of one id take turns, and the last start wins.
 *
 * Throws UNAUTHORIZED without the token where one is set, BAD_REQUEST for a definition or a start that is not
 * valid, NOT_FOUND when there is nothing to run.
 */
export async function startPreviewChat(
  request: StartPreviewRequest,
  chat: ChatDependencies,
): Promise<WireText> {
  const { body } = request
  const access = previewAccess(chat.previewToken, request.authorization)
  const limited = limitedTo({ kind: 'preview', isTrusted: access === 'trusted' }, chat)
  const definition = await findDefinition(request, access, limited)
  checkStartFrom(definition.program, body.startFrom)
  const run = (sessionId: string) => startOn(sessionId, { request, access, ...definition }, limited)
  if (body.sessionId === undefined) return run(chat.ports.createId('session'))
  const { sessionId } = body
  return chat.sessions.exclusive(sessionKey('preview', sessionId), () => run(sessionId))
}

interface PreviewDefinition {
  readonly program: Program
  /** What brought it; undefined for a published flow, which is kept as long as it is published. */
  readonly sentBody?: SentBody
}

interface PreviewStart extends PreviewDefinition {
  readonly request: StartPreviewRequest
  readonly access: PreviewAccess
}

async function startOn(
  id: string,
  { request, access, program, sentBody }: PreviewStart,
  chat: ChatDependencies,
): Promise<WireText> {
  const { body } = request
  const isProgressTracked = body.isProgressBarEnabled ?? program.isProgressTracked
  const isTrusted = access === 'trusted'
  const owner = { kind: 'preview', isTrusted, sessionId: id } as const
  const first = await runFirstTurn(
    { program, body, startFrom: body.startFrom, isProgressTracked },
    owner,
    chat,
  )
  const isOnlyRegistering = body.isOnlyRegistering === true
  const facts = { id, createdAt: chat.ports.now(), isRegisteredOnly: isOnlyRegistering, isTrusted }
  const session = sessionRecord(first.turn.conversation, facts)
  if (sentBody && session.state !== 'ended') await keepDefinition(program, sentBody, chat)
  await chat.sessions.save(sessionKey('preview', id), session)
  return withIds({ sessionId: id }, writeStart(first, { isOnlyRegistering }))
}

/** What was read again is put down again; a body that was not is only when its text has gone. */
async function keepDefinition(
  { hash }: Program,
  sent: SentBody,
  { definitions }: ChatDependencies,
): Promise<void> {
  const isKept = sent.draft !== undefined && (await definitions.get(hash)) !== undefined
  if (!isKept) await definitions.put(hash, sent.text)
}

/** The definition of the body; without one, the published flow of the path, for those who hold the token. */
async function findDefinition(
  { flowId, body, sentBody }: StartPreviewRequest,
  access: PreviewAccess,
  chat: ChatDependencies,
): Promise<PreviewDefinition> {
  if (sentBody?.draft) {
    chat.metrics.draftRead('cached')
    return { program: sentBody.draft.program, sentBody }
  }
  if (sentBody && body.flow !== undefined) return prepareDraft(body, sentBody, chat)
  const published = access === 'trusted' ? await chat.published.byFlowId(flowId) : undefined
  if (!published || published.isArchived) throw new ServiceError('NOT_FOUND', 'Flow not found')
  return { program: published.program }
}

/** Compiles the draft; what is wrong with it is told by its place in the body. */
async function prepareDraft(
  body: StartPreviewRequest['body'],
  sentBody: SentBody,
  chat: ChatDependencies,
): Promise<PreviewDefinition> {
  try {
    const { program, wasKnown } = await chat.drafts.prepareDraft(body, sentBody, chat.ports.nextTurn)
    chat.metrics.draftRead(wasKnown ? 'cached' : 'compiled')
    return { program, sentBody }
  } catch (error) {
    chat.metrics.draftRead('refused')
    if (!(error instanceof ServiceError) || !error.problems) throw error
    const problems = error.problems.map(({ pointer, message }) => ({ pointer: `/flow${pointer}`, message }))
    throw new ServiceError(error.code, error.message, { problems, cause: error })
  }
}
