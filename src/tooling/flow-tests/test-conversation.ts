import type { OperatorStep, TestContact } from '../../../schemas/flow-test.ts'
import type { Input } from '../../../schemas/input.ts'
import type { Message } from '../../../schemas/message.ts'
import type { Mocks } from '../../../schemas/mocks.ts'
import type { TurnDependencies } from '../../conversations/dependencies.ts'
import { type AskedOfWorld, MockWorld } from '../../conversations/effects/mocks/mock-world.ts'
import { setInitialVariables } from '../../conversations/start/initial-variables.ts'
import { newConversation } from '../../conversations/start/walk-first-turn.ts'
import { firstTimer, timersAfter } from '../../conversations/timers/timers-after.ts'
import { retell } from '../../conversations/trace/retell.ts'
import { Journal } from '../../conversations/turn/journal.ts'
import { beginTurn, walkTurn } from '../../conversations/turn/run-turn.ts'
import { contentHash } from '../../definition/content-hash.ts'
import type { BlockHandler } from '../../engine/model/block-handler.ts'
import { type Conversation, currentFrameOf } from '../../engine/model/conversation.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { LogEntry } from '../../engine/model/log-entry.ts'
import { chooseLocale, type Program, programIn } from '../../engine/model/program.ts'
import type { UserInput } from '../../engine/model/step.ts'
import { computeProgress } from '../../engine/turn/progress.ts'
import type { Turn } from '../../engine/turn/turn.ts'
import type { Value } from '../../engine/values/value.ts'
import { resume } from '../../engine/walk/resume-walk.ts'
import { start } from '../../engine/walk/start-walk.ts'
import { takeOver } from '../../engine/walk/take-over.ts'
import { fire } from '../../engine/walk/timed-walk.ts'
import { TurnPath } from './turn-path.ts'

/** Outcome of one turn of a conversation. */
export interface PlayedTurn {
  readonly messages: readonly Message[]
  readonly input: Input | undefined
  readonly logs: readonly LogEntry[]
  readonly came: TurnPath['came']
  readonly steps: TurnPath['steps']
  /** The ids of the blocks that ran, in order. */
  readonly blocks: readonly string[]
  readonly asked: readonly AskedOfWorld[]
  /** The first call that no mock fits, where the world has none for it. */
  readonly missed: string | undefined
  /** Those of the conversation so far, as pointers into the file of tests. */
  readonly usedRules: readonly string[]
  /** Undefined where it is not known. */
  readonly progress: number | undefined
  readonly actions: number
}

/** Options of a conversation. */
interface ConversationTerms {
  readonly program: Program
  readonly mocks: Mocks
  readonly vars: Readonly<Record<string, unknown>>
  readonly contact?: TestContact | undefined
  /** The language that the visitor asks for. */
  readonly locale?: string | undefined
  /** Whether links lead to published flows. */
  readonly isTrusted: boolean
  readonly deps: TurnDependencies
}

type Timer = NonNullable<ReturnType<typeof firstTimer>>

/** How long sessions live where the operator says nothing else. */
const usualTtlMs = 24 * 60 * 60 * 1000

/** One conversation with a flow, in a world of mocks. */
export class TestConversation {
  readonly world: MockWorld
  readonly #terms: ConversationTerms
  readonly #conversation: Conversation
  #isUnderWay = false
  #timers: readonly Timer[] | undefined

  constructor(terms: ConversationTerms) {
    const { mocks, contact } = terms
    const locale = chooseLocale(terms.program, { locale: terms.locale ?? contact?.locale })
    const program = programIn(locale, terms.program)
    this.#terms = terms
    this.world = new MockWorld({ rules: mocks }, { isHurried: true })
    this.#conversation = newConversation({
      program,
      body: {},
      locale,
      owner: this.#owner,
      contact: contact && {
        ...contact,
        isVerified: true,
        readAt: 0,
        memory: Object.entries(contact.memory ?? {}),
      },
      isProgressTracked: true,
    })
  }

  /** Whether something can still be said. */
  get isWaiting(): boolean {
    return this.#conversation.waitingBlock !== undefined && !this.#conversation.hasEnded
  }

  /** Awaited in the place of an input. */
  get awaited(): string {
    if (!this.isWaiting) return 'nothing'
    if (this.isPaused) return 'person'
    return this.#conversation.sleep ? 'time' : 'an action of the client'
  }

  /** Whether a person leads it. */
  get isPaused(): boolean {
    return this.#conversation.pause !== undefined
  }

  /** The id of the block that waits. */
  get waitingBlock(): string | undefined {
    return this.#conversation.waitingBlock?.id
  }

  /** Handler of the block that waits. */
  get waitingHandler(): BlockHandler | undefined {
    return this.#conversation.waitingBlock?.handler
  }

  /** Names the place and the values that a conversation has come to: from equal ones it goes on alike. */
  get state(): string {
    const { frames, returnStack, waitingBlock } = this.#conversation
    const places = frames.map(({ program, variables, resumeAt }) => [
      program.id,
      [...variables.changed],
      resumeAt?.id,
    ])
    const returns = returnStack.map(({ block }) => block.id)
    return contentHash(JSON.stringify([waitingBlock?.id, places, returns, this.isPaused]))
  }

  /** The value of a variable of the flow that is being walked; undefined for one that it does not declare. */
  valueOf(name: string): Value | undefined {
    const { variables } = currentFrameOf(this.#conversation)
    const [first] = variables.table.byName(name).candidates
    return first && variables.get(first.id)
  }

  start(): Promise<PlayedTurn> {
    return this.#play((turn) => {
      const { vars, contact } = this.#terms
      setInitialVariables(turn, { prefilled: { ...contact?.attributes, ...vars }, remembered: [] })
      return start(turn, undefined, undefined)
    })
  }

  /** Throws BAD_REQUEST for what the conversation can do nothing with. */
  say(input: UserInput | undefined): Promise<PlayedTurn> {
    return this.#play((turn) => resume(turn, input))
  }

  /** Does what an operator does. Throws BAD_REQUEST for a group that there is not. */
  async operate({ status, groupId, says = '', name }: OperatorStep): Promise<PlayedTurn> {
    if (status !== undefined) {
      const type = ({ paused: 'pause', open: 'open', closed: 'close' } as const)[status]
      return this.#play((turn) => takeOver(turn, { type, groupId }))
    }
    const set = this.#timers
    const turn = await this.#play((turn) => takeOver(turn, { type: 'say', text: says, name }))
    // It is nothing that the visitor did.
    if (!this.isPaused) this.#timers = set
    return turn
  }

  /** Lets the deadline pass for which a person was waited; undefined where there is none. */
  async passDeadline(): Promise<PlayedTurn | undefined> {
    const deadline = this.#timers?.find(({ type }) => type === 'pause')
    return deadline && (await this.#play((turn) => fire(turn, deadline), deadline))
  }

  /** Whether the window of replies is open. */
  get isGathering(): boolean {
    return this.#conversation.gathered !== undefined
  }

  /** Lets the window of replies pass, and takes what was said in it; undefined where none is open. */
  async closeWindow(): Promise<PlayedTurn | undefined> {
    const window = this.#timers?.find(({ type }) => type === 'reply')
    if (!window) return undefined
    const { now } = this.world
    if (now !== undefined) this.world.advance(Math.max(0, Number(window.due) - now))
    return await this.#play((turn) => fire(turn, window), window)
  }

  /** Lets time pass on a clock that stands; the turns of the timers that come due in it, each at its time. */
  async *pass(ms: number): AsyncGenerator<PlayedTurn> {
    const end = Number(this.world.now) + ms
    for (;;) {
      const timer = firstTimer(this.#timers)
      if (Number(timer?.due ?? Infinity) > end) break
      this.world.advance(Math.max(0, Number(timer?.due) - Number(this.world.now)))
      yield await this.#play((turn) => fire(turn, timer as Timer), timer)
    }
    this.world.advance(Math.max(0, end - Number(this.world.now)))
  }

  get #owner() {
    return {
      kind: 'preview',
      isTrusted: this.#terms.isTrusted,
      sessionId: 'test',
      isUnderWay: this.#isUnderWay,
      mocks: this.world,
    } as const
  }

  async #play(walkOf: (turn: Turn) => Effects<unknown>, fired?: Timer): Promise<PlayedTurn> {
    const { deps } = this.#terms
    const path = new TurnPath()
    const asked = this.world.asked.length
    const owner = this.#owner
    const journal = new Journal({ ports: deps.ports, keepsSteps: true })
    const run = beginTurn(this.#conversation, { owner, textBubbleContentFormat: 'markdown', journal }, deps)
    const { turn } = run
    await walkTurn(run, walkOf(turn))
    retell(journal, path, { owner })
    this.#isUnderWay = true
    this.#timers = timersAfter(this.#conversation, {
      now: this.world.now ?? 0,
      before: this.#timers,
      fired,
      isMarkdown: false,
      sessionTtlMs: usualTtlMs,
    })
    const { output, conversation } = turn
    const calls = this.world.asked.slice(asked)
    const isFailing = this.#terms.mocks.unmatched === 'fail'
    return {
      messages: output.messages.map(({ value }) => value),
      input: this.isPaused ? undefined : output.input?.value,
      logs: output.logs,
      came: path.came,
      steps: path.steps,
      blocks: turn.budget.trail.map(({ id }) => id),
      asked: calls,
      missed: isFailing ? calls.find(({ missed }) => missed !== undefined)?.missed : undefined,
      usedRules: this.world.usedRules,
      progress: computeProgress(conversation, output.actions.length > 0),
      actions: output.actions.length,
    }
  }
}
