import { batch, signal } from '@preact/signals'
import {
  type Client,
  type ClientSideAction,
  type Conversation,
  GoneError,
  type Input,
  type PreviewAnswer,
  RefusedError,
  type Settings,
  StaleError,
  type StartAnswer,
  type Started,
  type Theme,
  type Turn,
  type UserMessage,
} from '../../../client/client.ts'
import { randomKey } from '../../../client/random-key.ts'
import type { ChatMemory, RememberedChat } from './chat-memory.ts'
import type { Entry } from './entry.ts'
import { performAction } from './perform-action.ts'
import { typingDelay } from './typing.ts'

/** Something that the visitor has to know, and what can be done about it. */
export interface Notice {
  readonly text: string
  readonly label?: string
  readonly act?: () => void
}

/** What a visitor answers: what is sent, and how it reads in the conversation. */
export interface Reply {
  readonly message: UserMessage | undefined
  readonly shown: string
}

export type ChatPhase = 'busy' | 'waiting' | 'over' | 'failed'

export type ChatModel = ReturnType<typeof createChatModel>

interface Options {
  readonly client: Pick<Client, 'resume'>
  /** Starts the conversation. */
  readonly start: () => Promise<Started<StartAnswer | PreviewAnswer>>
  readonly memory: ChatMemory
  /** Does what the flow asks of a browser. */
  readonly perform?: typeof performAction
  /** Whether bubbles come at once, whatever the flow says. */
  readonly isInstant?: boolean
}

/** A conversation as it is shown: what was said, what is asked, and what is amiss. */
export function createChatModel({
  client,
  start,
  memory,
  perform: doAction = performAction,
  isInstant = false,
}: Options) {
  const entries = signal<readonly Entry[]>([])
  /** Entries behind this one are still being typed. */
  const revealed = signal(0)
  const input = signal<Input | undefined>(undefined)
  const phase = signal<ChatPhase>('busy')
  const notice = signal<Notice | undefined>(undefined)
  const streamed = signal('')
  const progress = signal<number | undefined>(undefined)
  const theme = signal<Theme>({})
  const settings = signal<Settings>({})
  let conversation: Conversation | undefined
  let due: ClientSideAction | undefined

  const add = (entry: Entry) => {
    batch(() => {
      entries.value = [...entries.value, entry]
      revealed.value = entries.value.length
    })
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
    })
  }

  /** Runs something that asks the service; what goes wrong becomes a notice with a way on. */
  const attempt = async (act: () => Promise<void>): Promise<void> => {
    batch(() => {
      notice.value = undefined
      phase.value = 'busy'
    })
    try {
      await act()
    } catch (error) {
      explain(error, () => void attempt(act))
    }
    keep()
  }

  const explain = (error: unknown, repeat: () => void) => {
    batch(() => {
      phase.value = 'failed'
      if (error instanceof StaleError) {
        input.value = error.input
        phase.value = error.input ? 'waiting' : 'failed'
        notice.value = {
          text: 'This conversation has gone on in another tab. What is asked now is shown below.',
          ...(!error.input && { label: 'Start again', act: () => void restart() }),
        }
      } else if (error instanceof GoneError)
        notice.value = conversation
          ? { text: 'This conversation is over.', label: 'Start again', act: () => void restart() }
          : { text: 'There is no such conversation.' }
      else if (error instanceof RefusedError && error.status < 429)
        notice.value = {
          text: error.problem?.message ?? error.message,
          // A start that was refused would be so again.
          ...(conversation && { label: 'Start again', act: () => void restart() }),
        }
      else notice.value = { text: networkText(settings.value), label: 'Try again', act: repeat }
    })
  }

  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

  const perform = async (action: ClientSideAction): Promise<string | undefined> => {
    if (!conversation) return undefined
    const showStream = (text: string) => {
      streamed.value = text
    }
    return doAction(action, { conversation, add, showStream, pause })
  }

  /** Shows what a turn brought, bubble by bubble, does what is to be done between them, and goes on where that is due. */
  const play = async (turn: Turn, isFirst = false): Promise<void> => {
    const actions = turn.clientSideActions ?? []
    due = actions.find(({ expectsDedicatedReply }) => expectsDedicatedReply)
    progress.value = turn.progress ?? progress.value
    const shown = entries.value.length
    const said = turn.messages.map((message): Entry => ({ kind: 'message', message }))
    entries.value = [...entries.value, ...said]
    input.value = undefined
    keep()
    const left = new Set(actions)
    const done = async (after: string | undefined) => {
      for (const action of left) {
        if (action === due || action.lastBubbleBlockId !== after) continue
        left.delete(action)
        await perform(action)
      }
    }
    await done(undefined)
    for (const [index, message] of turn.messages.entries()) {
      await pause(isInstant || isCalm() ? 0 : typingDelay(message, settings.value, isFirst && index === 0))
      revealed.value = Math.max(revealed.value, shown + index + 1)
      await done(message.id)
    }
    revealed.value = entries.value.length
    for (const action of left) if (action !== due) await perform(action)
    if (turn.logs?.some(({ status, context }) => status === 'error' && context === 'payment input'))
      add({ kind: 'note', text: 'This can’t be paid at present.' })
    await settle(turn)
  }

  const settle = async ({ messages, input: asked }: Pick<Turn, 'messages' | 'input'>): Promise<void> => {
    if (due) return obey(due)
    const awaitsEmbed = messages.some((one) => one.type === 'embed' && one.content.waitForEvent?.isEnabled)
    batch(() => {
      input.value = asked
      phase.value = asked || awaitsEmbed ? 'waiting' : 'over'
    })
  }

  const obey = async (action: ClientSideAction): Promise<void> => {
    const answer = await perform(action)
    const turn = await conversation?.reply(answer)
    if (turn) await play(turn)
  }

  const begin = async (): Promise<void> => {
    const { conversation: started, answer } = await start()
    conversation = started
    batch(() => {
      theme.value = answer.flow.theme ?? {}
      settings.value = answer.flow.settings ?? {}
    })
    if ('resultId' in answer && answer.resultId !== undefined)
      memory.keepVisitor(answer.resultId, settings.value)
    await play(answer, true)
  }

  const goOn = async (chat: RememberedChat): Promise<void> => {
    conversation = client.resume(chat)
    batch(() => {
      theme.value = chat.theme
      settings.value = chat.settings
      progress.value = chat.progress
      entries.value = chat.entries
      revealed.value = chat.entries.length
    })
    if (chat.isOver) {
      phase.value = 'over'
      return
    }
    const state = await conversation.look()
    progress.value = state.progress ?? progress.value
    due = state.clientSideActions?.[0]
    if (due) return obey(due)
    batch(() => {
      input.value = state.input
      phase.value = 'waiting'
    })
  }

  function restart(): Promise<void> {
    memory.forget()
    conversation = undefined
    batch(() => {
      entries.value = []
      revealed.value = 0
      input.value = undefined
      progress.value = undefined
    })
    return attempt(begin)
  }

  return {
    entries,
    revealed,
    input,
    phase,
    notice,
    streamed,
    progress,
    theme,
    settings,
    restart,
    /** Starts, or goes on where this tab was. */
    open(): Promise<void> {
      const chat = memory.recall()
      return attempt(chat ? () => goOn(chat) : begin)
    },
    /** Answers what is asked. */
    reply({ message, shown }: Reply): Promise<void> {
      const before = { entries: entries.value, input: input.value }
      const blockId = input.value?.id
      if (shown !== '') add({ kind: 'said', text: shown, blockId })
      input.value = undefined
      // The service answers a key once, however often the visitor tries.
      const key = randomKey()
      return attempt(async () => {
        try {
          const turn = await conversation?.reply(message, { key })
          const text = turn?.lastMessageNewFormat
          if (text !== undefined) entries.value = [...before.entries, { kind: 'said', text, blockId }]
          if (turn) await play(turn)
        } catch (error) {
          if (error instanceof RefusedError) entries.value = before.entries
          throw error
        }
      })
    },
    async upload(file: File): Promise<string> {
      if (!conversation) throw new Error('there is no conversation')
      return conversation.upload(file)
    },
  }
}

/** Some get unwell of what moves, and all of them wait. */
export const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

function networkText({ general }: Settings): string {
  const { networkErrorTitle, networkErrorMessage } = general?.systemMessages ?? {}
  if (networkErrorTitle || networkErrorMessage)
    return [networkErrorTitle, networkErrorMessage].filter(Boolean).join('. ')
  return 'The answer did not come through. Please check the connection.'
}
