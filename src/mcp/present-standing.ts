import { optionsOf } from '../channels/options.ts'
import type { ChannelWords } from '../channels/words.ts'
import { formOf } from './form.ts'
import type { Standing } from './lead-conversation.ts'
import type { ClientAbilities } from './read-message.ts'
import { markdownOf } from './write-answer.ts'

/** Result of a call: what it came to, or a question to the person. */
export type CallResult = Readonly<Record<string, unknown>>

interface Terms {
  readonly words: ChannelWords
  readonly replyLength: number
  readonly abilities: ClientAbilities
  readonly pages: string | undefined
  readonly questionName: string
  /** Stands before all else. */
  readonly notice?: string | undefined
  /** The state that a retry of this call brings back. */
  stateOf(version: string): string
  /** By which the conversation goes on in words. */
  handle(): string
}

export function errorResult(text: string): CallResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** Writes what a conversation came to for a client: as a question where it can ask one, else as a text. */
export function presentStanding(standing: Standing, terms: Terms): CallResult {
  const { abilities, words, notice } = terms
  const texts = [...(notice ? [notice] : []), ...standing.said.flatMap((said) => markdownOf(said, words))]
  const { input, waitsFor } = standing
  const page = pageOf(standing, terms)
  const isShown = abilities.showsApps && page !== undefined
  if (!isShown && input && waitsFor === undefined && abilities.showsForms)
    return askByForm(texts, standing, terms)
  if (!isShown && page !== undefined && waitsFor === 'page' && abilities.opensPages)
    return askByPage(texts, page, terms)
  return inWords(texts, standing, { ...terms, page, isShown })
}

function askByForm(texts: readonly string[], { input, version }: Standing, terms: Terms): CallResult {
  const { words, replyLength } = terms
  const { fields } = formOf(input as NonNullable<Standing['input']>, words, replyLength)
  const requestedSchema = { type: 'object', properties: fields, required: Object.keys(fields) }
  const message = texts.join('\n\n') || words.yourAnswer
  return ask({ mode: 'form', message, requestedSchema }, terms.stateOf(version), terms)
}

/** The state has no version: what is done there may go on as far as it likes. */
function askByPage(texts: readonly string[], url: string, terms: Terms): CallResult {
  const message = texts.join('\n\n') || terms.words.newTab
  return ask({ mode: 'url', message, url }, terms.stateOf(''), terms)
}

function ask(params: object, requestState: string, { questionName }: Terms): CallResult {
  return {
    resultType: 'input_required',
    inputRequests: { [questionName]: { method: 'elicitation/create', params } },
    requestState,
  }
}

/** The page on which this conversation goes on; its id stands behind the #, which no log of a server has. */
function pageOf({ publicId, sessionId }: Standing, { pages }: Terms): string | undefined {
  return pages && `${pages}/f/${encodeURIComponent(publicId)}#session=${encodeURIComponent(sessionId)}`
}

/** Hints for the assistant, beside what the flow says. */
const states = {
  asks: 'Ask the person, and call `answer` with the handle and what they say.',
  page: 'This goes on in a browser: give the person the link. Then call `answer` with the handle and no text.',
  noPage: 'This needs the page of the flow, which this service does not show: it cannot go on here.',
  time: 'The conversation goes on by itself later: call `answer` with the handle and no text to look.',
  person:
    'A person leads the conversation now: call `answer` with what is said to them, or without a text to look.',
  call: 'The flow waits for another system: call `answer` with the handle and no text to look again.',
  shown:
    'The person is shown this conversation, and answers there: call `answer` with the handle and no text to look how far it has come.',
  over: 'The conversation is over.',
} as const

function inWords(
  texts: readonly string[],
  standing: Standing,
  { words, page, isShown, handle }: Terms & { readonly page: string | undefined; readonly isShown: boolean },
): CallResult {
  const { input, waitsFor, isOver } = standing
  const waits = waitsFor === 'page' && page === undefined ? 'noPage' : waitsFor
  const state = isOver ? 'over' : isShown ? 'shown' : (waits ?? 'asks')
  const options = input ? optionsOf(input, words).map(({ label }) => label) : []
  const held = isOver ? {} : { handle: handle() }
  const shown = isOver || page === undefined ? {} : { page }
  const lines = [
    ...texts,
    ...(options.length > 0 ? [options.map((label) => `- ${label}`).join('\n')] : []),
    states[state],
    ...(waitsFor === 'page' && page !== undefined ? [page] : []),
    ...(held.handle === undefined ? [] : [`handle: ${held.handle}`]),
  ]
  return {
    content: [{ type: 'text', text: lines.join('\n\n') }],
    structuredContent: {
      state,
      messages: texts,
      ...(input && { question: { type: input.type, ...(options.length > 0 && { options }) } }),
      ...shown,
      ...held,
    },
    isError: false,
  }
}
