import { batch, effect, signal } from '@preact/signals'
import {
  type Client,
  type ClientSideAction,
  type Conversation,
  GoneError,
  type Input,
  type PreviewAnswer,
  RefusedError,
  type SessionState,
  type Settings,
  StaleError,
  type StartAnswer,
  type Started,
  type StartOptions,
  type Theme,
  type Turn,
  UnreachableError,
  type UserMessage,
} from '../../../client/client.ts'
import { randomKey } from '../../../client/random-key.ts'
import { load } from '../lazy.tsx'
import { words } from '../words/speak.ts'
import type { ChatMemory, Marked, RememberedChat } from './chat-memory.ts'
import { isTyped } from './composer/typed-inputs.ts'
import type { ChatPhase, Entry, Letter, Notice } from './entry.ts'
import type { Timed, TimedChat } from './follow-timers.ts'
import { performLater } from './perform-later.ts'
import { withDynamicTheme } from './theme.ts'
import { isFaultOfAnswer, isTooLong, reasonToWait, waitBefore } from './troubles.ts'
import { typingDelay } from './typing.ts'

/** What a visitor answers: what is sent, and how it reads in the conversation. */
export interface Reply {
  readonly message: UserMessage | undefined
  readonly shown: string
  /** What of it was typed into the composer. */
  readonly typed?: string
}

export type ChatModel = ReturnType<typeof createChatModel>

interface Options {
  readonly client: Pick<Client, 'resume'>
  /** Starts the conversation. */
  readonly start: (options: StartOptions) => Promise<Started<StartAnswer | PreviewAnswer>>
  readonly memory: ChatMemory
  /** Does what the flow asks of a browser. */
  readonly perform?: typeof performLater
  /** Whether bubbles come at once, whatever the flow says. */
  readonly isInstant?: boolean
  /** Whether people may come into the conversation, whom it then looks for. */
  readonly hasOperators?: boolean
}

/** A conversation as it is shown: what was said, what is asked, and what is amiss. */
export function createChatModel({
  client,
  start,
  memory,
  perform: doAction = performLater,
  isInstant = false,
  hasOperators = false,
}: Options) {
  const entries = signal<readonly Entry[]>([])
  /** Entries behind this one are still being typed. */
  const revealed = signal(0)
  /** The first entry of the last turn; undefined while nothing came but what was there before. */
  const turnStart = signal<number | undefined>(undefined)
  const input = signal<Input | undefined>(undefined)
  const phase = signal<ChatPhase>('busy')
  const notice = signal<Notice | undefined>(undefined)
  const streamed = signal('')
  const progress = signal<number | undefined>(undefined)
  /** Who leads the conversation in place of the flow. */
  const person = signal<string | undefined>(undefined)
  const theme = signal<Theme>({})
  const settings = signal<Settings>({})
  /** Words that are typed, and not said: before they are asked for, too. */
  const draft = signal('')
  /** What is marked and not sent, by the id of its question. */
  const marked = signal<Marked | undefined>(undefined)
  /** Whether the last request reached the service. */
  const isConnected = signal(true)
  let conversation: Conversation | undefined
  let unsent: Letter | undefined
  const timed: Timed = { heard: 0 }
  let listening = new AbortController()
  /** Is aborted when somebody starts again: what is under way then is of no concern any more. */
  let visit = new AbortController()
  let hurry = () => {}
  // Once, and no sooner than something is asked: a storage may open only then.
  let followDraft: (() => void) | undefined = () => {
    draft.value ||= memory.recallDraft()
    marked.value = memory.recallMarked()
    effect(() => memory.keepDraft(draft.value))
    effect(() => memory.keepMarked(marked.value))
    followDraft = undefined
  }

  /** Adds what is in sight at once, before what is still being typed. */
  const add = (entry: Entry) => {
    batch(() => {
      entries.value = entries.value.toSpliced(revealed.value, 0, entry)
      revealed.value += 1
    })
  }

  /** Changes what the visitor said last. */
  const changeSaid = (change: { readonly text?: string; readonly isUnsent?: boolean }) => {
    if (!unsent?.isSaid) return
    const last = entries.value.findLastIndex(({ kind }) => kind === 'said')
    entries.value = entries.value.map((entry, index) => (index === last ? { ...entry, ...change } : entry))
  }

  const keep = () => {
    if (!conversation) return
    memory.keep({
      sessionId: conversation.sessionId,
      version: conversation.version,
      entries: entries.value,
      isOver: phase.value === 'over',
      progress: progress.value,
      theme: theme.value,
      settings: settings.value,
      unsent,
      heard: timed.heard,
    })
  }

  /** Runs something that asks the service; what is refused becomes a notice with a way on. */
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    const { signal } = visit
    listening.abort()
    followDraft?.()
    batch(() => {
      notice.value = undefined
      phase.value = 'busy'
    })
    try {
      await act()
    } catch (error) {
      if (signal.aborted) return
      explain(error)
    }
    keep()
    listen()
  }

  /** Listens to what the session says by itself, or people in it, until the visitor does something. */
  const listen = () => {
    if ((timed.after === undefined && !hasOperators) || phase.value === 'failed') return
    listening = new AbortController()
    const { signal } = listening
    void load(timers).then(({ followSession }) => {
      if (!conversation) return
      void followSession(chat, conversation, signal, hasOperators ? client.resume(conversation) : undefined)
    })
  }

  const learn = (now: Pick<Turn, 'progress' | 'actsAfterSeconds' | 'paused'>) => {
    person.value = now.paused?.who
    progress.value = now.progress ?? progress.value
    timed.after = now.actsAfterSeconds
  }

  /** Shows what timers have sent, as far as it is new; whether they have since the visitor last did something. */
  const takeOver = async (state: SessionState): Promise<boolean> => {
    const { signal } = visit
    learn(state)
    if (!state.messages) return false
    const { hear } = await load(timers)
    signal.throwIfAborted()
    return hear(chat, state)
  }

  /** Asks the service until it answers or refuses, and says meanwhile why that takes long. */
  const persist = async <Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> => {
    const { signal } = visit
    for (let tries = 0; ; tries += 1) {
      try {
        const answer = await ask(signal)
        signal.throwIfAborted()
        batch(() => {
          notice.value = undefined
          isConnected.value = true
        })
        return answer
      } catch (error) {
        signal.throwIfAborted()
        const seconds = waitBefore(error, tries)
        if (seconds === undefined) throw error
        const { wordsAreSafe, triedAgain, tryNow } = words.value
        batch(() => {
          if (seconds > 0) changeSaid({ isUnsent: true })
          isConnected.value = error instanceof RefusedError
          phase.value = seconds > 0 ? 'failed' : 'busy'
          notice.value = {
            text: [reasonToWait(error, settings.value), unsent?.isSaid && wordsAreSafe, triedAgain]
              .filter(Boolean)
              .join(' '),
            ...(seconds > 0 && { label: tryNow, act: () => hurry() }),
          }
        })
        keep()
        await rest(seconds * 1000, signal)
        phase.value = 'busy'
      }
    }
  }

  /** Waits that long, or until the network is back or somebody is in a hurry. */
  const rest = async (ms: number, signal: AbortSignal): Promise<void> => {
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        removeEventListener('online', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      addEventListener('online', end)
      hurry = end
    })
    signal.throwIfAborted()
  }

  /** Gives words back that were not taken. */
  const giveBack = (): Letter | undefined => {
    changeSaid({ isUnsent: true })
    const letter = unsent
    unsent = undefined
    if (letter?.typed) draft.value = [letter.typed, draft.value].filter(Boolean).join(' ')
    return letter
  }

  /** Says why the conversation does not go on as it was, gives words back that were not taken, and asks again. */
  const explain = (error: unknown) => {
    batch(() => {
      phase.value = 'failed'
      revealed.value = entries.value.length
      const letter = giveBack()
      const again = { label: words.value.startAgain, act: () => void restart() }
      const detail = error instanceof Error ? error.message : String(error)
      if (error instanceof StaleError && error.input) {
        ask(error.input)
        notice.value = {
          text: words.value.otherTab,
        }
      } else if (error instanceof GoneError || error instanceof StaleError)
        notice.value = conversation
          ? { text: words.value.over, ...again }
          : { text: words.value.noConversation }
      else if (!(error instanceof RefusedError))
        notice.value = { text: words.value.somethingWrong, detail, ...again }
      else if (!conversation) {
        // The flow has words for being closed; other reasons name places in the request.
        const { message, errors } = error.problem ?? {}
        notice.value = { text: (!errors && message) || words.value.cannotBegin, detail }
      } else if (letter && (letter.input || letter.typed) && isFaultOfAnswer(error)) {
        // Words that no question asked for were taken while the service waits.
        ask(letter.input, !letter.input)
        const text = isTooLong(error) ? words.value.tooLong : words.value.notTaken
        notice.value = { text, detail }
      } else notice.value = { text: words.value.cannotGoOn, detail, ...again }
    })
  }

  const pause = async (ms: number): Promise<void> => {
    const { signal } = visit
    await new Promise<void>((resolve) => setTimeout(resolve, ms))
    signal.throwIfAborted()
  }

  const perform = async (action: ClientSideAction): Promise<string | undefined> => {
    if (!conversation) return undefined
    const { signal } = visit
    const showStream = (text: string) => {
      streamed.value = text
    }
    const isMarked = settings.value.general?.aiDisclosure === true
    const answer = await doAction(action, { conversation, add, showStream, pause, signal, isMarked })
    signal.throwIfAborted()
    return answer
  }

  /** Shows what a turn brought, bubble by bubble, does what is to be done between them, and goes on where that is due. */
  const play = async (turn: Turn, isFirst = false): Promise<void> => {
    const actions = turn.clientSideActions ?? []
    const due = actions.find(({ expectsDedicatedReply }) => expectsDedicatedReply)
    learn(turn)
    if (turn.dynamicTheme) theme.value = withDynamicTheme(theme.value, turn.dynamicTheme)
    const shown = entries.value.length
    const said = turn.messages.map((message): Entry => ({ kind: 'message', message }))
    batch(() => {
      entries.value = [...entries.value, ...said]
      turnStart.value = shown
      input.value = undefined
    })
    keep()
    const left = new Set(actions.filter((action) => action !== due))
    const done = async (after: string | undefined) => {
      for (const action of left) {
        if (action.lastBubbleBlockId !== after) continue
        left.delete(action)
        await perform(action)
      }
    }
    await done(undefined)
    for (const [index, message] of turn.messages.entries()) {
      await pause(isInstant || isCalm() ? 0 : typingDelay(message, settings.value, isFirst && index === 0))
      revealed.value += 1
      await done(message.id)
    }
    for (const action of left) await perform(action)
    if (turn.logs?.some(({ status, context }) => status === 'error' && context === 'payment input'))
      add({ kind: 'note', text: words.value.unpayable })
    if (due) return obey(due)
    const { messages, input: asked, wakesAt } = turn
    const awaitsEmbed = messages.some((one) => one.type === 'embed' && one.content.waitForEvent?.isEnabled)
    if (asked || awaitsEmbed || wakesAt) ask(asked, wakesAt !== undefined)
    else phase.value = 'over'
  }

  const ask = (asked: Input | undefined, isAsleep = false) => {
    batch(() => {
      input.value = asked
      phase.value = isAsleep ? 'asleep' : 'waiting'
      if (isTyped(asked) && draft.value === '' && settings.value.general?.isInputPrefillEnabled)
        draft.value = asked.prefilledValue ?? ''
    })
  }

  const obey = async (action: ClientSideAction): Promise<void> => {
    const message = await persist(() => perform(action))
    await deliver({ key: randomKey(), message, typed: '', isSaid: false, input: undefined })
  }

  /** Has a reply taken, once, and shows what it leads to. */
  const deliver = async (letter: Letter): Promise<void> => {
    unsent = letter
    keep()
    const { message, key, isForAction: takesAnyVersion = false } = letter
    let turn: Turn | undefined
    try {
      turn = await persist(async (signal) =>
        conversation?.reply(message, { key, signal, takesAnyVersion }),
      ).catch(orNone)
    } catch (error) {
      if (!(error instanceof StaleError)) throw error
      // A timer was faster: its messages are shown, and what was said is still meant for the question that waits.
      const state = await persist(async (signal) => conversation?.look(signal))
      if (!(state && ((await takeOver(state)) || state.paused))) throw error
      // Or a person has come, whom words are for whatever was asked.
      if (state.paused || state.input?.id === letter.input?.id)
        return deliver({ ...letter, key: randomKey(), isForAction: isSentBack(letter) && !!state.paused })
      giveBack()
      return goOnWith(state)
    }
    timed.heard = 0
    marked.value = undefined
    const text = turn?.lastMessageNewFormat
    changeSaid({ isUnsent: false, ...(text !== undefined && isTyped(letter.input) && { text }) })
    unsent = undefined
    await (turn ? play(turn) : catchUp())
  }

  const begin = async (): Promise<void> => {
    const key = randomKey()
    const { conversation: started, answer } = await persist((signal) => start({ key, signal }))
    conversation = started
    wear(answer.flow)
    if ('resultId' in answer && answer.resultId !== undefined)
      memory.keepVisitor(answer.resultId, settings.value)
    await play(answer, true)
  }

  const wear = ({ theme: given = {}, settings: spoken = {} }: Pick<SessionState, 'flow'>['flow']): void =>
    batch(() => {
      theme.value = given
      settings.value = spoken
    })

  const goOn = async (chat: RememberedChat): Promise<void> => {
    conversation = client.resume(chat)
    batch(() => {
      theme.value = chat.theme
      settings.value = chat.settings
      progress.value = chat.progress
      entries.value = chat.entries
      revealed.value = chat.entries.length
    })
    timed.heard = chat.heard ?? 0
    if (chat.unsent) return deliver(chat.unsent)
    if (chat.isOver) {
      phase.value = 'over'
      return
    }
    await catchUp()
  }

  /** Shows a conversation that has not begun here, but on a messenger or with an assistant. */
  const arrive = async (state: SessionState): Promise<void> => {
    const { signal } = visit
    wear(state.flow)
    if (!conversation) return
    const { entriesBefore } = await load(before)
    const said = await entriesBefore(conversation, state, signal)
    batch(() => {
      entries.value = said
      revealed.value = said.length
    })
    if (said.length > 0) timed.heard = state.messages?.length ?? 0
  }

  /** Goes on with what the session waits for. */
  const catchUp = async (): Promise<void> => {
    const state = await persist(async (signal) => conversation?.look(signal))
    if (state && entries.value.length === 0) await arrive(state)
    if (state) await takeOver(state)
    await goOnWith(state)
  }

  const goOnWith = async (state: SessionState | undefined): Promise<void> => {
    const due = state?.clientSideActions?.[0]
    if (due) return obey(due)
    ask(state?.input, state?.wakesAt !== undefined)
  }

  function restart(): Promise<void> {
    visit.abort()
    hurry()
    visit = new AbortController()
    memory.forget()
    conversation = undefined
    unsent = undefined
    timed.heard = 0
    batch(() => {
      entries.value = []
      revealed.value = 0
      turnStart.value = undefined
      input.value = undefined
      progress.value = undefined
      streamed.value = ''
      marked.value = undefined
    })
    return attempt(begin)
  }

  const chat: TimedChat = {
    timed,
    input,
    phase,
    notice,
    add,
    ask,
    keep,
    learn,
    goOn: (state) => void attempt(() => goOnWith(state)),
    perform,
  }

  return {
    entries,
    revealed,
    turnStart,
    input,
    phase,
    notice,
    streamed,
    progress,
    person,
    theme,
    settings,
    draft,
    marked,
    isConnected,
    restart,
    /** Starts, or goes on where this tab was. */
    open(): Promise<void> {
      const chat = memory.recall()
      return attempt(chat ? () => goOn(chat) : begin)
    },
    /** Answers what is asked. */
    reply({ message, shown, typed = '' }: Reply): Promise<void> {
      const asked = input.value
      const letter = { key: randomKey(), message, typed, isSaid: shown !== '', input: asked }
      batch(() => {
        if (letter.isSaid) add({ kind: 'said', text: shown, blockId: asked?.id })
        if (typed !== '') draft.value = ''
        input.value = undefined
      })
      return attempt(() => deliver(letter))
    },
    /** Previews only: has the next timer fire. */
    skipToTimer: () =>
      attempt(async () => {
        // It has no key to be repeated with: the session says what became of one whose answer is lost.
        const turn = await conversation?.skipToTimer().catch((error) => {
          if (!(error instanceof UnreachableError)) throw error
        })
        if (!turn) return catchUp()
        timed.heard += turn.messages.length
        await play(turn)
      }),
    /** Previews only: has the person who leads the conversation give it back. */
    giveBack: () =>
      attempt(async () => {
        await persist(async () => conversation?.giveBack())
        await catchUp()
      }),
    async upload(file: File): Promise<string> {
      if (!conversation) throw new Error('there is no conversation')
      return conversation.upload(file)
    },
  }
}

const timers = () => import('./follow-timers.ts')
const before = () => import('./entries-before.ts')

/** Whether an action has made it, and not the visitor. */
const isSentBack = ({ isSaid, input }: Letter) => !isSaid && !input

/** A reply that was taken, and whose answer is not kept any more, leaves the session to say what came of it. */
function orNone(error: unknown): undefined {
  if (!(error instanceof RefusedError && error.status === 409)) throw error
}

/** Some get unwell of what moves, and all of them wait. */
export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches
