import type { StartChatBody } from '../../../schemas/start-chat.ts'
import { translationIn } from '../../engine/compile/localise-flow.ts'
import { defaultTexts } from '../../engine/model/default-texts.ts'
import { chooseLocale, programIn } from '../../engine/model/program.ts'
import type { ByteString } from '../../lib/byte-string.ts'
import { ServiceError } from '../../lib/errors.ts'
import { anonymous, type Caller } from '../../ports/caller.ts'
import type { SessionChannel } from '../../sessions/session.ts'
import type { Lease } from '../../stores/conversation-store.ts'
import type { PublishedFlow } from '../../stores/published-flows.ts'
import { type MetContact, meetContact } from '../contact/met-contact.ts'
import { type GivenContact, readContact, withAttributes } from '../contact/read-contact.ts'
import { resumeOpen } from '../contact/resume-open.ts'
import type { ChatDependencies } from '../dependencies.ts'
import { type RecordingWish, wishForLive } from '../recording/record-turns.ts'
import type { Logged, Repeatable, Versioned } from '../request.ts'
import { repeatAnswer } from '../session/enter-session.ts'
import { checkOrigin } from '../session/open-session.ts'
import { beginTurnSpan, endSpan } from '../telemetry/turn-spans.ts'
import { hasErrors, reportErrors } from '../turn/report-turn.ts'
import { commitStart, type Invitation } from './commit-start.ts'
import { findReturningVisitor } from './returning-visitor.ts'
import { type Start, startFromSnapshot } from './start-snapshot-cache.ts'
import { walkFirstTurn } from './walk-first-turn.ts'

export interface StartPublishedRequest extends Repeatable, Versioned, Logged {
  readonly publicId: string
  /** The operator, where a token has proven it; their word about a contact counts. */
  readonly caller?: Caller | undefined
  /** The `Origin` header, which browsers send. */
  readonly origin: string | undefined
  /** Client's address, where it is known: results of one address never take the room of all others. */
  readonly address?: string | undefined
  /** The header of that name. */
  readonly acceptLanguage?: string | undefined
  readonly body: StartChatBody
  /** Where it is to be held, if on a messenger. */
  readonly channel?: SessionChannel | undefined
  readonly invitation?: Invitation | undefined
}

/**
 * Starts a live session (docs/api.md 4.1). Whether it may is decided before anything of the flow runs.
 *
 * Throws NOT_FOUND for a flow that is not published, BAD_REQUEST for a closed one, FORBIDDEN for a foreign origin. A
 * repetition by `Idempotency-Key` is answered as the request before it.
 */
export async function startPublishedChat(
  request: StartPublishedRequest,
  deps: ChatDependencies,
): Promise<ByteString> {
  const { body, caller = anonymous } = request
  const { contactSecret, ports } = deps
  const isNamed = body.contact !== undefined || body.contactToken !== undefined || body.resume
  const given = isNamed ? readContact(body, { caller, contactSecret, now: ports.now }) : undefined
  if (given && body.resume) return startOrResume(request, given, deps)
  return startOnce(request, given, deps)
}

async function startOnce(
  request: StartPublishedRequest,
  given: GivenContact | undefined,
  deps: ChatDependencies,
): Promise<ByteString> {
  const { idempotency } = request
  if (!idempotency) return startLive(request, { given, lease: undefined }, deps)
  const newId = deps.ports.createId('session')
  const entered = await deps.conversations.enterStart({ newId, idempotency })
  if (entered.state !== 'entered') return repeatAnswer(entered, { ...request, id: newId }, deps)
  try {
    return await startLive(request, { given, lease: entered.lease }, deps)
  } finally {
    await deps.conversations.release(entered.lease)
  }
}

/** A key of the request does nothing here: repeated, it gets what it has begun. */
async function startOrResume(
  request: StartPublishedRequest,
  given: GivenContact,
  deps: ChatDependencies,
): Promise<ByteString> {
  const { origin, onVersion, body } = request
  const published = openFlow(await deps.published.byPublicId(request.publicId), request)
  const { id: contactId, locale } = given.profile
  const asked = { published, origin, onVersion, contactId, locale: body.locale ?? locale }
  const found = await resumeOpen(asked, deps)
  if (typeof found === 'string') return found
  try {
    return await startLive(request, { given, lease: found.lease }, deps)
  } finally {
    await deps.conversations.release(found.lease)
  }
}

async function startLive(
  request: StartPublishedRequest,
  { given, lease }: { readonly given: GivenContact | undefined; readonly lease: Lease | undefined },
  deps: ChatDependencies,
): Promise<ByteString> {
  const published = openFlow(await deps.published.byPublicId(request.publicId), request)
  const { requestLog, onVersion, address, acceptLanguage, channel, invitation } = request
  const contact = given && (await meetContact(given, deps.contacts))
  const body = given ? withAttributes(request.body, given) : request.body
  const sessionId = lease?.id ?? deps.ports.createId('session')
  const recordingWish = deps.recordings.live && wishForLive(deps)
  const locale = chooseLocale(published.program, {
    locale: body.locale ?? given?.profile.locale,
    acceptLanguage,
  })
  const visit: LiveStart = {
    published,
    body,
    contact,
    channel,
    locale,
    requestLog,
    sessionId,
    lease,
    recordingWish,
    variant: recordingWish ? undefined : variantOf({ body, locale }, published),
  }
  const start = startAsBefore(visit, deps) ?? (await startByWalking(visit, deps))
  const { publicId } = published
  return commitStart(start, { publicId, contact, lease, onVersion, address, channel, invitation }, deps)
}

/** The flow, where there is one that the request may start. */
function openFlow(
  published: PublishedFlow | undefined,
  { origin, body, acceptLanguage }: StartPublishedRequest,
): PublishedFlow {
  if (!published || published.isArchived) throw new ServiceError('NOT_FOUND', 'Flow not found')
  if (published.isClosed) {
    const locale = chooseLocale(published.program, { locale: body.locale, acceptLanguage })
    throw new ServiceError('BAD_REQUEST', closedMessageOf(published, locale))
  }
  if (origin !== undefined) checkOrigin(origin, published.program)
  return published
}

/** Message of a closed flow, in its own language or in another. */
export function closedMessageOf({ flow }: Pick<PublishedFlow, 'flow'>, locale?: string): string {
  const { systemMessages, language } = flow.settings.general ?? {}
  const own = systemMessages?.botClosed
  if (own === undefined) return defaultTexts(locale ?? language).closed
  const translations = flow.localizations?.[locale ?? '']
  return translationIn(translations, '/settings/general/systemMessages/botClosed') ?? own
}

/** A request for a flow that is open. */
interface LiveStart extends Pick<StartPublishedRequest, 'body' | 'requestLog'> {
  readonly published: PublishedFlow
  readonly contact: MetContact | undefined
  readonly channel: SessionChannel | undefined
  /** The language that was chosen. */
  readonly locale: string | undefined
  readonly sessionId: string
  readonly lease: Lease | undefined
  readonly recordingWish: RecordingWish | undefined
  /** Undefined for a start that is this visitor's own, or that is written down: what was not walked can't be. */
  readonly variant: string | undefined
}

/**
 * Names the options by which starts of one flow may differ; undefined for a start that is not kept: it must be no visitor's own,
 * and a tag that the flow does not name may be anything.
 */
function variantOf(
  { body, locale }: Pick<LiveStart, 'body' | 'locale'>,
  { program }: PublishedFlow,
): string | undefined {
  const { message, prefilledVariables, contact, contactToken, resultId, isOnlyRegistering } = body
  const isCommon =
    (locale === undefined || program.locales.includes(locale)) &&
    (message === undefined || message === null) &&
    prefilledVariables === undefined &&
    contact === undefined &&
    contactToken === undefined &&
    resultId === undefined &&
    isOnlyRegistering !== true
  if (!isCommon) return undefined
  const { isStreamEnabled = false, textBubbleContentFormat = 'richText' } = body
  const variant = isStreamEnabled ? `${textBubbleContentFormat}, streamed` : textBubbleContentFormat
  return locale === undefined ? variant : `${variant}, ${locale}`
}

/** Starts as another visitor did; undefined where the flow has to be walked. */
function startAsBefore(
  { published, sessionId, requestLog, variant }: LiveStart,
  deps: ChatDependencies,
): Start | undefined {
  const kept = variant === undefined ? undefined : deps.startSnapshots.find(published, variant)
  if (!kept) return undefined
  const { ports, metrics } = deps
  const { publicId } = published
  const resultId = ports.createId('result')
  const createdAt = ports.now()
  const { blocks, logs, conversation } = kept
  const span = deps.spans && beginTurnSpan({ kind: 'live', sessionId, publicId, requestLog }, 'start', deps)
  if (span) endSpan(span, { conversation, blocks, engineMs: 0, logs })
  const isCompleted = !conversation.waitingBlock
  metrics.turnDone({ kind: 'live', flow: publicId, entry: 'start', blocks, isCompleted, engineMs: 0 })
  reportErrors(logs, { publicId, sessionId, requestLog }, deps)
  requestLog?.turnDone({ flow: publicId, sessionId, blocks, engineMs: 0, hasErrorLogs: hasErrors(logs) })
  return startFromSnapshot(kept, { sessionId, resultId, createdAt, requestId: requestLog?.requestId })
}

/** Starts by walking the flow, and keeps the start where it is equal for every visitor. */
async function startByWalking(visit: LiveStart, deps: ChatDependencies): Promise<Start> {
  const { published, body, contact, channel, locale, sessionId, lease, requestLog, recordingWish, variant } =
    visit
  const { publicId, publishedAt } = published
  const program = programIn(locale, published.program)
  const visitor =
    body.resultId === undefined
      ? undefined
      : await findReturningVisitor(published, body.resultId, deps.results)
  const resultId = visitor?.resultId ?? deps.ports.createId('result')
  const { isProgressTracked } = program
  const owner = { kind: 'live', sessionId, lease, publicId, said: body.message, requestLog } as const
  const { start, isCacheable } = await walkFirstTurn(
    {
      program,
      body,
      contact: contact?.session,
      channel,
      locale,
      owner,
      resultId,
      visitor,
      isProgressTracked,
      publishedAt,
      recordingWish,
    },
    deps,
  )
  if (isCacheable && variant !== undefined) deps.startSnapshots.keep(published, variant, start)
  return start
}
