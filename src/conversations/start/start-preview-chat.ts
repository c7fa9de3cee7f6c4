import type { Flow } from '../../../schemas/flow.ts'
import type { Mocks } from '../../../schemas/mocks.ts'
import type { StartPreviewChatBody } from '../../../schemas/start-chat.ts'
import { chooseLocale, type Program, programIn } from '../../engine/model/program.ts'
import { checkStartFrom } from '../../engine/walk/start-walk.ts'
import type { ByteString } from '../../lib/byte-string.ts'
import { invalidInput, placeProblems, ServiceError } from '../../lib/errors.ts'
import { escapeToken } from '../../lib/json-pointer.ts'
import type { Caller } from '../../ports/caller.ts'
import type { RawJsonBody } from '../../ports/raw-json-body.ts'
import type { EnterStartRequest, Lease } from '../../stores/conversation-store.ts'
import { madeUpContact } from '../contact/met-contact.ts'
import { readContact, withAttributes } from '../contact/read-contact.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { MockWorld } from '../effects/mocks/mock-world.ts'
import { readMocks } from '../effects/mocks/read-mocks.ts'
import type { Logged, Repeatable, Versioned } from '../request.ts'
import { addFindings } from '../response/chat-response.ts'
import { repeatAnswer } from '../session/enter-session.ts'
import { withTurnLimits } from '../turn/run-turn.ts'
import { commitStart } from './commit-start.ts'
import { walkFirstTurn } from './walk-first-turn.ts'

export interface StartPreviewRequest extends Repeatable, Versioned, Logged {
  readonly flowId: string
  readonly caller: Caller
  readonly body: StartPreviewChatBody
  /** The header of that name. */
  readonly acceptLanguage?: string | undefined
  /** Text of the body; undefined when there was none. */
  readonly sentBody: RawJsonBody | undefined
}

/**
 * Starts a preview session (docs/api.md 4.2) on the definition of the body, on the session id of the body when it
 * names one: previews of one id take turns, and the last start wins.
 *
 * Throws BAD_REQUEST for a definition or a start that is not
 * valid, NOT_FOUND when there is nothing to run. A repetition by `Idempotency-Key` is answered as the request before it.
 */
export async function startPreviewChat(
  request: StartPreviewRequest,
  deps: ChatDependencies,
): Promise<ByteString> {
  const { idempotency } = request
  const { sessionId: previewId } = request.body
  const isTrusted = request.caller.kind === 'preview'
  const limited = withTurnLimits({ kind: 'preview', isTrusted }, deps)
  if (!idempotency && previewId === undefined) {
    return startOn(await prepareStart(request, isTrusted, limited), undefined, limited)
  }
  // A repetition is answered as the request before it, whatever has become of the definition; any other start is refused
  // for it before it enters.
  const early = idempotency ? undefined : await prepareStart(request, isTrusted, limited)
  const entrance = entranceOf(request, deps)
  const entered = await deps.conversations.enterStart(entrance)
  const id = 'newId' in entrance ? entrance.newId : entrance.previewId
  if (entered.state !== 'entered') return repeatAnswer(entered, { ...request, id }, deps)
  try {
    const prepared = early ?? (await prepareStart(request, isTrusted, limited))
    return await startOn(prepared, entered.lease, limited)
  } finally {
    await deps.conversations.release(entered.lease)
  }
}

function entranceOf(
  { body, idempotency }: StartPreviewRequest,
  { ports }: ChatDependencies,
): EnterStartRequest {
  const { sessionId: previewId } = body
  if (previewId !== undefined) return { previewId, idempotency }
  if (idempotency) return { newId: ports.createId('session'), idempotency }
  throw new Error('a start without a key and an id of its own enters nowhere')
}

/** Compiles the definition. */
async function prepareStart(
  request: StartPreviewRequest,
  isTrusted: boolean,
  deps: ChatDependencies,
): Promise<PreviewStart> {
  // A start that comes while others wait for their turn would else do the first part of its work ahead of them.
  await deps.ports.firstTurn()
  const definition = await findDefinition(request, isTrusted, deps)
  checkStartFrom(definition.program, request.body.startFrom)
  const mocks = readMocks(request.body)
  if (mocks && request.body.record) throw mockedRecording()
  return { request, isTrusted, mocks, ...definition }
}

/** A recording of mocked answers would only repeat the rules. */
function mockedRecording(): ServiceError {
  const message = 'goes with neither mocks nor dryRun: leave it out, and start again with the same mocks'
  return invalidInput([{ pointer: '/record', message }])
}

interface PreviewDefinition {
  readonly program: Program
  /** Of a published flow. */
  readonly flow?: Flow
  /** Body that brought it; undefined for a published flow, which is kept as long as it is published. */
  readonly sentBody?: RawJsonBody
}

interface PreviewStart extends PreviewDefinition {
  readonly request: StartPreviewRequest
  /** Started with the preview token: it is no stranger's program. */
  readonly isTrusted: boolean
  /** Undefined in the real world. */
  readonly mocks: Mocks | undefined
}

/** `lease` is that of a start that entered; its id is the one to start under. */
async function startOn(
  { request, isTrusted, mocks: rules, program, flow, sentBody }: PreviewStart,
  lease: Lease | undefined,
  deps: ChatDependencies,
): Promise<ByteString> {
  const { requestLog, onVersion, acceptLanguage, caller } = request
  const { contact: named, locale: asked } = request.body
  const given =
    named && readContact({ contact: named }, { caller, contactSecret: undefined, now: deps.ports.now })
  const contact = given && madeUpContact(given)
  const body = given ? withAttributes(request.body, given) : request.body
  const locale = chooseLocale(program, { locale: asked ?? named?.locale, acceptLanguage })
  const sessionId = lease?.id ?? deps.ports.createId('session')
  const isProgressTracked = body.isProgressBarEnabled ?? program.isProgressTracked
  const mocks = rules && new MockWorld({ rules })
  const owner = {
    kind: 'preview',
    isTrusted,
    sessionId,
    lease,
    said: body.message,
    requestLog,
    mocks,
  } as const
  const { start } = await walkFirstTurn(
    {
      program: programIn(locale, program),
      body,
      locale,
      owner,
      contact: contact?.session,
      startFrom: body.startFrom,
      isProgressTracked,
      isTraced: body.trace === true,
      recordingWish: body.record ? {} : undefined,
    },
    deps,
  )
  const source = { body, sentBody, published: flow && { flow, program } }
  const findings = body.findings ? await deps.findingsOfPreview(source, isTrusted, deps) : undefined
  const hasEnded = !start.isOnlyRegistering && !start.conversation.waitingBlock
  if (sentBody && (!hasEnded || start.recording)) await keepDefinition(program, sentBody, deps)
  // An id that a client chose may be anybody's guess; one of ours is a secret.
  const needsToken = (isTrusted && body.sessionId !== undefined) || undefined
  const rest = findings ? addFindings(findings, start.rest) : start.rest
  return commitStart({ ...start, rest }, { isTrusted, needsToken, contact, lease, onVersion }, deps)
}

/** Keeps a draft for its session: always where it was compiled anew, else only when its text has gone. */
async function keepDefinition(
  { hash }: Program,
  sent: RawJsonBody,
  { definitions }: ChatDependencies,
): Promise<void> {
  const isKept = sent.draft !== undefined && (await definitions.get(hash)) !== undefined
  if (!isKept) await definitions.put(hash, sent.text)
}

/** The definition of the body; without one, the published flow of the path, for those who hold the token. */
async function findDefinition(
  { flowId, body, sentBody }: StartPreviewRequest,
  isTrusted: boolean,
  deps: ChatDependencies,
): Promise<PreviewDefinition> {
  if (sentBody?.draft) {
    deps.metrics.draftRead('cached')
    return { program: sentBody.draft.program, sentBody }
  }
  if (sentBody && body.flow !== undefined) return prepareDraft(body, sentBody, deps)
  refuseMisnamedDefinition(body)
  const published = isTrusted ? await deps.published.byFlowId(flowId) : undefined
  if (!published || published.isArchived) throw new ServiceError('NOT_FOUND', 'Flow not found')
  return { program: published.program, flow: published.flow }
}

/** Compiles the draft; its errors point into the body. */
async function prepareDraft(
  body: StartPreviewRequest['body'],
  sentBody: RawJsonBody,
  deps: ChatDependencies,
): Promise<PreviewDefinition> {
  try {
    const { program, wasKnown } = await deps.drafts.prepareDraft(body, sentBody, deps.ports.nextTurn)
    deps.metrics.draftRead(wasKnown ? 'cached' : 'compiled')
    return { program, sentBody }
  } catch (error) {
    deps.metrics.draftRead('refused')
    throw placeProblems(error, '/flow')
  }
}

/** Throws BAD_REQUEST where the body of a preview has its definition under another name than `flow`. */
function refuseMisnamedDefinition(body: object): void {
  for (const name in body) {
    if (name === 'flow' || !isDefinition((body as Readonly<Record<string, unknown>>)[name])) continue
    const message = 'looks like the definition, which belongs in "flow"'
    throw new ServiceError('BAD_REQUEST', 'The definition belongs in "flow"', {
      problems: [{ pointer: `/${escapeToken(name).slice(0, 100)}`, message }],
    })
  }
}

function isDefinition(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'groups' in value && Array.isArray(value.groups)
}
