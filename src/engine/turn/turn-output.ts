import type { ClientSideAction } from '../../../schemas/action.ts'
import type { Input } from '../../../schemas/input.ts'
import type { Message } from '../../../schemas/message.ts'
import type { Frame } from '../model/conversation.ts'
import { LimitExceeded } from '../model/limits.ts'
import type { LogEntry, LogPlace } from '../model/log-entry.ts'
import type { CompiledBlock } from '../model/program.ts'
import { JsonFragment } from '../templates/json-fragment.ts'
import type { TurnBudget } from './turn-budget.ts'
import type { TurnJournal } from './turn-journal.ts'

/** An accepted reply, as a result keeps it. */
interface AcceptedAnswer {
  /** The result that it belongs to; live conversations only. */
  readonly resultId: string | undefined
  readonly blockId: string
  readonly content: string
  readonly attachedFileUrls?: readonly string[]
}

/** A line of the transcript, as a result keeps it. */
interface OutputLine {
  /** The result of the flow that was being walked. */
  readonly resultId: string | undefined
  readonly role: 'assistant' | 'user'
  readonly text: string
}

/** An exception of a handler, which the walk survived; for the log of the service. */
interface Defect {
  readonly error: unknown
  readonly block: CompiledBlock
}

/** Position in the logs and defects. */
interface OutputMark {
  readonly logs: number
  readonly defects: number
}

/** Output of a turn so far, within its budget; when it is over, its outcome. */
export class TurnOutput {
  readonly #budget: TurnBudget
  readonly #currentPlace: () => LogPlace
  readonly #journal: TurnJournal | undefined
  readonly #messages: JsonFragment<Message>[] = []
  readonly #actions: JsonFragment<ClientSideAction>[] = []
  readonly #logs: LogEntry[] = []
  readonly #answers: AcceptedAnswer[] = []
  readonly #said: OutputLine[] = []
  readonly #finished: Frame[] = []
  readonly #defects: Defect[] = []
  #input: JsonFragment<Input> | undefined
  #lastBubbleBlockId: string | undefined
  #lastMessageNewFormat: string | undefined
  #dynamicTheme: Readonly<Record<string, string>> | undefined

  /** Logs that name no place of their own get the place at which the turn is. */
  constructor(budget: TurnBudget, currentPlace: () => LogPlace, journal?: TurnJournal) {
    this.#budget = budget
    this.#currentPlace = currentPlace
    this.#journal = journal
  }

  get messages(): readonly JsonFragment<Message>[] {
    return this.#messages
  }

  get input(): JsonFragment<Input> | undefined {
    return this.#input
  }

  get actions(): readonly JsonFragment<ClientSideAction>[] {
    return this.#actions
  }

  get logs(): readonly LogEntry[] {
    return this.#logs
  }

  get answers(): readonly AcceptedAnswer[] {
    return this.#answers
  }

  /** New lines of the transcript, if it is kept. */
  get said(): readonly OutputLine[] {
    return this.#said
  }

  /** Linked flows that ended and have a result of their own. */
  get finished(): readonly Frame[] {
    return this.#finished
  }

  get defects(): readonly Defect[] {
    return this.#defects
  }

  /** Present when a reply was accepted in another form than it was sent. */
  get lastMessageNewFormat(): string | undefined {
    return this.#lastMessageNewFormat
  }

  /** The addresses of the theme that change with the conversation, as they are at the end of the turn. */
  get dynamicTheme(): Readonly<Record<string, string>> | undefined {
    return this.#dynamicTheme
  }

  show(message: JsonFragment<Message>): void {
    const { messagesPerTurn } = this.#budget.limits
    if (this.#messages.length >= messagesPerTurn) {
      throw new LimitExceeded('messagesPerTurn', `more than ${messagesPerTurn} messages in one turn`)
    }
    this.#budget.consume(message.json.length)
    this.#messages.push(message)
  }

  /** Has later actions run after this bubble, which was shown. */
  runActionsAfter(bubbleBlockId: string): void {
    this.#lastBubbleBlockId = bubbleBlockId
  }

  act(action: ClientSideAction): void {
    const lastBubbleBlockId = this.#lastBubbleBlockId
    const piece = new JsonFragment(
      lastBubbleBlockId === undefined ? action : { ...action, lastBubbleBlockId },
    )
    this.#budget.consume(piece.json.length)
    this.#actions.push(piece)
  }

  ask(input: JsonFragment<Input>): void {
    this.#budget.consume(input.json.length)
    this.#input = input
  }

  /** Nothing is asked of the visitor any more. */
  withdrawInput(): void {
    this.#input = undefined
  }

  log(entry: LogEntry): void {
    this.#budget.consume(entry.description.length + (entry.details?.length ?? 0))
    this.logUncharged(entry)
  }

  /** Adds logs that are shown even when the budget is spent, or that another budget has paid for. */
  logUncharged(entry: LogEntry): void {
    this.#journal?.logged(entry.description)
    this.#logs.push(entry.place ? entry : { ...entry, place: this.#currentPlace() })
  }

  accept(answer: AcceptedAnswer): void {
    this.#answers.push(answer)
  }

  setLastMessageNewFormat(content: string): void {
    this.#lastMessageNewFormat = content
  }

  setDynamicTheme(addresses: Readonly<Record<string, string>>): void {
    this.#dynamicTheme = addresses
  }

  say(line: OutputLine): void {
    this.#said.push(line)
  }

  finish(frame: Frame): void {
    this.#finished.push(frame)
  }

  reportDefect(defect: Defect): void {
    this.#defects.push(defect)
  }

  mark(): OutputMark {
    return { logs: this.#logs.length, defects: this.#defects.length }
  }

  /** Drops the logs and defects between two marks; they will come again, or were never meant to be seen. */
  drop(from: OutputMark, to: OutputMark): void {
    this.#logs.splice(from.logs, to.logs - from.logs)
    this.#defects.splice(from.defects, to.defects - from.defects)
  }
}
