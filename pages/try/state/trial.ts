import { batch, computed, effect, signal } from '@preact/signals'
import {
  type Client,
  type ClientSideAction,
  type Conversation,
  type PreviewBody,
  RefusedError,
  type SessionState,
  StaleError,
  type StartOptions,
  type Turn,
} from '../../../client/client.ts'
import { read, readJson, write } from '../../shared/browser-storage.ts'
import { createChatMemory } from '../../shared/chat/chat-memory.ts'
import { createChatModel, type Reply } from '../../shared/chat/chat-model.ts'
import type { ActionStage } from '../../shared/chat/perform-action.ts'
import type { Draft } from './draft.ts'
import type { MockRules } from './mock-rules.ts'
import {
  answerIn,
  type Divergence,
  divergenceOf,
  type Moment,
  momentOf,
  ofGivingBack,
  ofTimer,
  type Said,
  type Values,
} from './moments.ts'
import { createStepper } from './stepping.ts'

export type Trial = ReturnType<typeof createTrial>

interface Options {
  readonly client: () => Client
  readonly draft: Draft
  readonly rules: MockRules
  /** Is called when the service asks for a token. */
  readonly onTokenNeeded: () => void
}

/** What an earlier conversation said, which is said once more. */
interface Script {
  readonly before: readonly Moment[]
  /** The last turn to take. */
  readonly upTo: number
}

/** What stands still for a conversation, so that the same words lead to the same again. */
interface Fixed {
  readonly clock: string
  readonly seed: number
}

const key = 'flow-runtime/try/moments'

const fixNow = (): Fixed => ({ clock: new Date().toISOString(), seed: Math.trunc(Math.random() * 2 ** 31) })

/** A conversation with a draft, and what its turns did. */
export function createTrial({ client, draft, rules, onTokenNeeded }: Options) {
  const moments = signal<readonly Moment[]>([])
  const isReal = signal(false)
  const startFrom = signal<PreviewBody['startFrom']>(undefined)
  const divergence = signal<Divergence | undefined>(undefined)
  const firstValues = signal<Values>({})
  const locale = signal<string | undefined>(undefined)
  const set = signal<Values>({})
  const stepper = createStepper(moments)
  /** What the conversation does by itself, the earliest first. */
  const timers = signal<NonNullable<SessionState['timers']>>([])
  /** Addresses from which nothing could be loaded. */
  const unloaded = signal<ReadonlySet<string>>(new Set())
  /** Actions that wait for a person, by their numbers, with what takes the answer. */
  const pending = signal<ReadonlyMap<number, (answer: string | undefined) => void>>(new Map())
  const memory = createChatMemory('/try')
  /** Only this page writes there. */
  const kept = readJson(read('sessionStorage', key)) as Kept | undefined
  let fixed = fixNow()
  let script: Script | undefined
  let speaking: Reply | undefined
  let conversation: Conversation | undefined
  let actions = 0
  let isGivingBack = false

  const startBody = (): PreviewBody => ({
    ...(draft.definition.value && { flow: draft.definition.value }),
    trace: true,
    prefilledVariables: firstValues.value,
    ...(startFrom.value && { startFrom: startFrom.value }),
    ...(locale.value !== undefined && { locale: locale.value }),
    ...(isReal.value ? { record: true } : { mocks: { ...rules.mocks, ...fixed, ids: 'count' } }),
  })

  const note = (moment: Moment) => {
    const turn = moments.value.length
    batch(() => {
      moments.value = [...moments.value, { ...moment, firstEntry: chat.entries.value.length }]
      stepper.arrive(turn)
    })
    const before = script?.before[turn]
    const diverged = before && divergenceOf(turn, before, moment)
    if (!diverged) return
    script = undefined
    divergence.value = diverged
  }

  const start = async (options: StartOptions) => {
    batch(() => {
      moments.value = []
      pending.value = new Map()
      set.value = {}
      timers.value = []
    })
    speaking = undefined
    await draft.settle()
    try {
      const started = await client().startPreview(draft.origin.value?.label || 'draft', startBody(), options)
      note(momentOf(undefined, started.answer))
      void seeTimers(started.conversation, started.answer)
      return { ...started, conversation: watch(started.conversation) }
    } catch (error) {
      if (error instanceof RefusedError && error.status === 401) onTokenNeeded()
      throw error
    }
  }

  /** Looks what a turn has set. Nothing of it changes the version that the conversation knows. */
  const seeTimers = async ({ sessionId }: Conversation, { actsAfterSeconds }: Turn) => {
    timers.value = []
    if (actsAfterSeconds === undefined) return
    const turns = moments.value.length
    const state = await client()
      .resume({ sessionId })
      .look()
      .catch(() => undefined)
    if (turns === moments.value.length) timers.value = state?.timers ?? []
  }

  /** A conversation whose turns are noted. */
  const watch = (watched: Conversation): Conversation => {
    const reply: Conversation['reply'] = async (message, options) => {
      const { shown = '' } = speaking ?? {}
      const values = set.value
      const isSet = Object.keys(values).length > 0
      const said: Said = { message, shown, isOfAction: speaking === undefined, ...(isSet && { set: values }) }
      try {
        const answer = await watched.reply(message, { ...options, ...(isSet && { setVariables: values }) })
        speaking = undefined
        set.value = {}
        note(momentOf(said, answer))
        void seeTimers(watched, answer)
        return answer
      } catch (error) {
        if (error instanceof StaleError) await catchUp(watched, error)
        throw error
      }
    }
    const skipToTimer: Conversation['skipToTimer'] = async () => {
      const answer = await watched.skipToTimer()
      note(momentOf(ofTimer, answer))
      void seeTimers(watched, answer)
      return answer
    }
    const look: Conversation['look'] = async (signal) => {
      const { version } = watched
      const state = await watched.look(signal)
      if (watched.version !== version) await catchUp(watched, state)
      timers.value = state.timers ?? []
      return state
    }
    const giveBack: Conversation['giveBack'] = async () => {
      await watched.giveBack()
      isGivingBack = true
      await look().finally(() => {
        isGivingBack = false
      })
    }
    conversation = Object.assign(Object.create(watched), {
      reply,
      skipToTimer,
      look,
      giveBack,
    }) as Conversation
    return conversation
  }

  /** What was said in another tab is not known here, but what it led to is; and what timers did. */
  const catchUp = async (watched: Conversation, state: Parameters<typeof momentOf>[1]) => {
    const known = Math.max(0, ...moments.value.map(({ trace }) => trace?.turn ?? 0))
    const turns = await watched.trace().catch(() => [])
    const { asks } = momentOf(undefined, state)
    const missed = turns
      .filter(({ turn }) => turn > known)
      .map((trace): Moment => {
        const moment = { trace, logs: [], asks, answer: answerIn(trace, state.input) }
        if (trace.entry === 'operator' && isGivingBack) return { ...moment, said: ofGivingBack }
        return trace.entry === 'timer'
          ? { ...moment, said: ofTimer }
          : { ...moment, said: undefined, isElsewhere: true }
      })
    moments.value = [...moments.value, ...missed]
  }

  const nextSaid = () => {
    const turn = moments.value.length
    return script && turn <= script.upTo ? script.before[turn]?.said : undefined
  }

  const perform = async (action: ClientSideAction, stage: ActionStage): Promise<string | undefined> => {
    const number = actions
    actions += 1
    stage.add({ kind: 'action', action, number })
    if (!action.expectsDedicatedReply || action.type === 'wait') return undefined
    const next = nextSaid()
    if (next?.isOfAction) {
      await stepper.passed()
      set.value = next.set ?? {}
      return typeof next.message === 'string' ? next.message : undefined
    }
    return new Promise((resolve) => {
      pending.value = new Map(pending.value).set(number, resolve)
    })
  }

  const resume: Client['resume'] = (place) => watch(client().resume(place))

  const chat = createChatModel({ client: { resume }, start, memory, perform, isInstant: true })

  const model = {
    ...chat,
    reply(given: Reply): Promise<void> {
      speaking = given
      return chat.reply(given)
    },
    /** A try keeps no file: an address that leads nowhere stands for it, which can be said again. */
    async upload(file: File): Promise<string> {
      return isReal.value ? chat.upload(file) : `https://files.example/${encodeURIComponent(file.name)}`
    },
    restart(): Promise<void> {
      divergence.value = undefined
      script = undefined
      stepper.leave()
      fixed = fixNow()
      return chat.restart()
    },
  }

  /** Says once more what was said, up to a turn or to where the conversation takes another way. */
  const retry = async (upTo = moments.value.length - 1): Promise<void> => {
    const mine = { before: moments.value, upTo }
    const due = upTo === moments.value.length - 1 ? set.value : {}
    script = mine
    batch(() => {
      divergence.value = undefined
      pending.value = new Map()
      stepper.leave()
    })
    await chat.restart()
    for (;;) {
      await stepper.passed()
      // Something else may have begun while a breakpoint held it.
      if (script !== mine) return
      const next = nextSaid()
      if (!next || next.isOfAction || chat.phase.value !== 'waiting') break
      const { length } = moments.value
      set.value = next.set ?? {}
      if (next.isGivenBack) await model.giveBack()
      else
        await (next.isTimer ? model.skipToTimer() : model.reply({ message: next.message, shown: next.shown }))
      if (moments.value.length === length) break
    }
    if (script) set.value = due
    script = undefined
  }

  /** Gives a variable a value behind a turn; where more was said since, that is said again. */
  const setAfter = async (turn: number, values: Values): Promise<void> => {
    const last = moments.value.length - 1
    if (turn === last) {
      set.value = { ...set.value, ...values }
      return
    }
    moments.value = moments.value.map((moment, at) =>
      at === turn + 1 && moment.said
        ? { ...moment, said: { ...moment.said, set: { ...moment.said.set, ...values } } }
        : moment,
    )
    await retry()
  }

  effect(() =>
    write(
      'sessionStorage',
      key,
      JSON.stringify({
        moments: moments.value,
        fixed,
        isReal: isReal.value,
        startFrom: startFrom.value,
        firstValues: firstValues.value,
        locale: locale.value,
        set: set.value,
        breakpoints: [...stepper.breakpoints.value],
      } satisfies Kept),
    ),
  )

  return {
    model,
    moments,
    /** Whether calls are sent; else nothing leaves the service. */
    isReal,
    /** Where it begins; undefined for the start of the flow. */
    startFrom,
    /** First values of variables, by name. */
    firstValues,
    /** The language that is asked for; undefined for that of the flow. */
    locale,
    /** Values that variables get with the next answer. */
    set,
    setAfter,
    stepper,
    unloaded,
    divergence,
    pending,
    timers,
    retry,
    /** Whether it can be taken once more: nothing is on its way. */
    isFree: computed(() => chat.phase.value !== 'busy' || pending.value.size > 0),
    /** What tests and commands repeat. */
    startBody,
    recording: () => conversation?.recording(),
    answer(number: number, text: string | undefined): void {
      const resolve = pending.value.get(number)
      const rest = new Map(pending.value)
      rest.delete(number)
      pending.value = rest
      resolve?.(text)
    },
    /** Starts from the beginning, whatever was said. */
    begin(): Promise<void> {
      memory.forget()
      return model.restart()
    },
    /** Goes on with what this tab has kept of the draft that is open. */
    goOn(): Promise<void> {
      const chatKept = memory.recall()
      if (!kept || !chatKept) return model.restart()
      batch(() => {
        moments.value = kept.moments
        isReal.value = kept.isReal
        startFrom.value = kept.startFrom
        firstValues.value = kept.firstValues
        locale.value = kept.locale
        set.value = kept.set ?? {}
        stepper.breakpoints.value = new Set(kept.breakpoints)
      })
      fixed = kept.fixed
      const numbers = chatKept.entries.map((entry) => (entry.kind === 'action' ? entry.number : -1))
      actions = Math.max(-1, ...numbers) + 1
      return chat.open()
    },
  }
}

interface Kept {
  readonly moments: readonly Moment[]
  readonly fixed: Fixed
  readonly isReal: boolean
  readonly startFrom?: PreviewBody['startFrom']
  readonly firstValues: Values
  readonly locale?: string | undefined
  /** A tab of an older page has none. */
  readonly set?: Values
  readonly breakpoints: readonly string[]
}
