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

/** An addition of a turn to a result: that of the flow that was being walked; live conversations only. */
export interface Added<Part> {
  readonly resultId: string | undefined
  readonly part: Part
}

/** An accepted reply, as a result keeps it. */
interface AcceptedAnswer {
  readonly blockId: string
  readonly content: string
  readonly attachedFileUrls?: readonly string[]
}

/** A line of the transcript, as a result keeps it. */
export interface OutputLine {
  readonly role: 'assistant' | 'user' | 'person'
  readonly text: string
  /** Of a person. */
  readonly name?: string
  /** Of a message that is marked so. */
  readonly generatedBy?: 'model'
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

/** Output of a turn so far, within its budget; when it is over, its outcome. What is charged for is added by its methods alone. */
export class TurnOutput {
  readonly messages: JsonFragment<Message>[] = []
  readonly actions: JsonFragment<ClientSideAction>[] = []
  readonly logs: LogEntry[] = []
  readonly answers: Added<AcceptedAnswer>[] = []
  /** New lines of the transcript, if it is kept. */
  readonly said: Added<OutputLine>[] = []
  /** Linked flows that ended and have a result of their own. */
  readonly finished: Frame[] = []
  readonly defects: Defect[] = []
  input: JsonFragment<Input> | undefined
  /** Present when a reply was accepted in another form than it was sent. */
  lastMessageNewFormat: string | undefined
  /** The addresses of the theme that change with the conversation, as they are at the end of the turn. */
  dynamicTheme: Readonly<Record<string, string>> | undefined
  /** The bubble that later actions run after: the last one that was shown, unless it waits for an event. */
  lastBubbleBlockId: string | undefined
  readonly #budget: TurnBudget
  readonly #currentPlace: () => LogPlace
  readonly #journal: TurnJournal | undefined

  /** Logs that name no place of their own get the place at which the turn is. */
  constructor(budget: TurnBudget, currentPlace: () => LogPlace, journal?: TurnJournal) {
    this.#budget = budget
    this.#currentPlace = currentPlace
    this.#journal = journal
  }

  show(message: JsonFragment<Message>): void {
    const { messagesPerTurn } = this.#budget.limits
    if (this.messages.length >= messagesPerTurn) {
      throw new LimitExceeded('messagesPerTurn', `more than ${messagesPerTurn} messages in one turn`)
    }
    this.#budget.consume(message.json.length)
    this.messages.push(message)
  }

  act(action: ClientSideAction): void {
    const { lastBubbleBlockId } = this
    const piece = new JsonFragment(
      lastBubbleBlockId === undefined ? action : { ...action, lastBubbleBlockId },
    )
    this.#budget.consume(piece.json.length)
    this.actions.push(piece)
  }

  ask(input: JsonFragment<Input>): void {
    this.#budget.consume(input.json.length)
    this.input = input
  }

  log(entry: LogEntry): void {
    this.#budget.consume(entry.description.length + (entry.details?.length ?? 0))
    this.logUncharged(entry)
  }

  /** Adds logs that are shown even when the budget is spent, or that another budget has paid for. */
  logUncharged(entry: LogEntry): void {
    this.#journal?.logged(entry.description)
    this.logs.push(entry.place ? entry : { ...entry, place: this.#currentPlace() })
  }

  mark(): OutputMark {
    return { logs: this.logs.length, defects: this.defects.length }
  }

  /** Drops the logs and defects between two marks; they will come again, or were never meant to be seen. */
  drop(from: OutputMark, to: OutputMark): void {
    this.logs.splice(from.logs, to.logs - from.logs)
    this.defects.splice(from.defects, to.defects - from.defects)
  }
}
