import type { Conversation, Frame, Frames, ReturnPoint } from '../../engine/model/conversation.ts'
import { chooseLocale, findBlock, type Program, programIn } from '../../engine/model/program.ts'
import { Variables } from '../../engine/values/variables.ts'
import type { QueueEntry, Session, StoredReturnMark, Timer } from '../../sessions/session.ts'
import type { SessionContact } from '../../sessions/session-contact.ts'
import type { ChatDependencies } from '../dependencies.ts'

/** Sources of the programs of a conversation. */
export type ConversationSources = Pick<
  ChatDependencies,
  'published' | 'programs' | 'drafts' | 'definitions' | 'ports'
>

/**
 * Brings a stored session back to life, in another language where one is asked for. Undefined when a definition that it is
 * pinned to has gone.
 */
export async function restoreConversation(
  session: Session,
  sources: ConversationSources,
  asked?: string,
): Promise<Conversation | undefined> {
  const programs: Program[] = []
  for (const entry of session.queue) {
    const { program: hash } = entry
    const current = await sources.published.byFlowId(entry.flowId)
    const isCurrent = current?.program.hash === hash
    const program = isCurrent ? current.program : await findEarlier(hash, session.kind, sources)
    if (!program) return undefined
    programs.push(program)
  }
  const root = programs.at(-1)
  const locale = asked === undefined || !root ? session.locale : chooseLocale(root, { locale: asked })
  // A linked flow speaks the language of the flow that was started, where it can.
  const spoken = root && (programIn(locale, root).locale ?? locale)
  if (spoken === undefined) return conversationOf(session, programs, locale)
  const inLanguage = programs.map((program) => programIn(spoken, program))
  return conversationOf(session, inLanguage, locale)
}

/** The program of a definition that is not, or no longer, published; undefined when it has gone: the oldest make room. */
async function findEarlier(
  hash: string,
  kind: Session['kind'],
  { programs, drafts, definitions, ports }: ConversationSources,
): Promise<Program | undefined> {
  const cache = kind === 'live' ? programs : drafts
  const text = await definitions.get(hash)
  const known = cache.known(hash)
  if (known || text === undefined) return known
  return cache.restore({ hash, text }, ports.nextTurn)
}

function conversationOf(
  session: Session,
  programs: readonly Program[],
  locale: string | undefined,
): Conversation | undefined {
  const frames: Frame[] = []
  for (let index = session.queue.length - 1; index >= 0; index--) {
    const entry = session.queue[index] as QueueEntry
    frames.push(frameOf(entry, programs[index] as Program, frames.at(-1)))
  }
  const { isStreamEnabled = false, isProgressTracked = false, answered, transcript } = session
  const conversation: Conversation = {
    frames: frames as Frames,
    returnStack: (session.returnMarks ?? []).flatMap((mark) => returnMarkOf(mark, frames)),
    isLive: session.kind === 'live',
    isMocked: session.mocks !== undefined,
    contact: session.contact,
    memory: session.contact && memoryOf(session.contact),
    channel: session.channel,
    locale,
    isStreamEnabled,
    isProgressTracked,
    acceptedReplies: answered,
    mails: session.mails ?? 0,
    payment: session.payment,
    transcript: transcript && [...transcript],
    waitingBlock: undefined,
    sleep: session.timers && sleepOf(session.timers),
    gathered: session.timers && gatheredIn(session.timers),
    pause: session.pause,
  }
  const { program } = frames.at(-1) ?? {}
  if (!session.waitingBlock || !program) return conversation
  conversation.waitingBlock = findBlock(program, session.waitingBlock)
  return conversation.waitingBlock && conversation
}

/** Memory of the person whom a conversation is held with. */
export function memoryOf(contact: SessionContact): Conversation['memory'] {
  return contact.memory && { values: new Map(contact.memory), written: new Set() }
}

function sleepOf(timers: readonly Timer[]): Conversation['sleep'] {
  const wait = timers.find(({ type }) => type === 'wait')
  return wait?.due === undefined ? undefined : { until: wait.due, replies: wait.replies }
}

function gatheredIn(timers: readonly Timer[]): Conversation['gathered'] {
  const replies = timers.find(({ type }) => type === 'reply')?.replies
  return replies?.filter((reply) => reply.type === 'text')
}

function frameOf(entry: QueueEntry, program: Program, caller: Frame | undefined): Frame {
  const { variables, inherited, sessionOnly, resumeAt } = entry
  const shared = entry.sharesVariables ? caller : undefined
  return {
    program,
    variables: shared?.variables ?? new Variables(program.variables, variables, inherited, sessionOnly),
    answers: shared?.answers ?? new Map(entry.answers),
    resultId: entry.resultId,
    resumeAt: resumeAt && caller && findBlock(caller.program, resumeAt),
    mergesResults: entry.mergesResults === true,
    isSubroutine: entry.isAside === true,
  }
}

function returnMarkOf({ height, reply, ...name }: StoredReturnMark, frames: readonly Frame[]): ReturnPoint[] {
  const program = frames[height]?.program
  const block = program && findBlock(program, name)
  return block ? [{ frameDepth: height, block, ...(reply && { reply }) }] : []
}
