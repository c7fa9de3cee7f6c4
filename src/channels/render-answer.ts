import type { ClientSideAction } from '../../schemas/action.ts'
import type { ChannelName } from '../../schemas/channel.ts'
import type { Input } from '../../schemas/input.ts'
import type { Message } from '../../schemas/message.ts'
import { type MediaFamily, mediaKindOf } from './capabilities.ts'
import { messengers } from './messenger-table.ts'
import { type Offer, type OptionGroup, offerOf } from './options.ts'
import type { Button, Note, RenderedMessage } from './outgoing.ts'
import { pressId } from './press-id.ts'
import { readRichText } from './text/read-rich-text.ts'
import { cutText, mostFitting, splitText } from './text/split-text.ts'
import {
  cleanText,
  concat,
  joinTexts,
  plain,
  type StyledText,
  trimText,
  withoutLineBreaks,
} from './text/styled-text.ts'
import { isWebLink } from './web-link.ts'
import type { ChannelWords } from './words.ts'

/** The answer of a turn, as far as messengers show it. */
interface Answer {
  readonly messages: readonly Message[]
  readonly input?: Input | undefined
  readonly clientSideActions?: readonly ClientSideAction[] | undefined
}

interface RenderTerms {
  readonly channel: ChannelName
  readonly words: ChannelWords
  /** Number of the turn, which buttons carry: a press of an earlier one is told apart. */
  readonly turn: number
  /** Address of the page for what only a page shows; what needs one is left out where there is none. */
  readonly page?: string | undefined
  /** Whether bubbles that follow each other become one message; as the messenger's rates demand unless given. */
  readonly join?: boolean | undefined
}

/** A part of an answer, before it is cut into messages. */
type Part =
  | { readonly kind: 'text'; readonly text: StyledText; readonly note?: Note }
  | { readonly kind: 'media'; readonly as: string; readonly url: string; readonly caption: StyledText }
  | { readonly kind: 'none'; readonly note: Note }

type TextPart = Extract<Part, { kind: 'text' }>

/** Writes an answer as the messages of a messenger, in order (docs/channels.md). */
export function renderAnswer(answer: Answer, terms: RenderTerms): RenderedMessage[] {
  const parts = partsOf(answer, terms)
  const { input } = answer
  if (!input) return writeParts(parts, terms)
  if (input.type === 'payment input') {
    const { options, runtimeOptions } = input
    const label = [options?.labels?.button || terms.words.pay, runtimeOptions?.amountLabel].join(' ')
    return writeParts([...parts, pageLink(label, 'The payment', terms)], terms)
  }
  const offer = offerOf(input, terms)
  if (offer.hint) parts.push({ kind: 'text', text: plain(offer.hint) })
  if (offer.groups.length > 0) return writeOffer(parts, offer, terms)
  return writeParts(withField(parts, input, terms), terms)
}

/** Asks for what would be typed or picked in a field, which a messenger does not show. */
function withField(parts: readonly Part[], input: Input, { words }: RenderTerms): readonly Part[] {
  const shown = wordsOfField(input, words)
  const last = parts.findLast(({ kind }) => kind !== 'none')
  if (!last) return [...parts, { kind: 'text', text: plain(shown || words.yourAnswer) }]
  if (shown === '' || (last.kind === 'text' && last.text.text.includes(shown))) return parts
  const hint = plain(shown, 'italic')
  if (last.kind !== 'text') return [...parts, { kind: 'text', text: hint }]
  const asked = { ...last, text: joinTexts([last.text, hint], '\n') }
  return parts.map((part) => (part === last ? asked : part))
}

/** Words that stand in a field, or say what is picked there: a question may stand nowhere else. */
function wordsOfField(input: Input, words: ChannelWords): string {
  switch (input.type) {
    case 'date input': {
      const { isRange, hasTime } = input.options ?? {}
      if (isRange) return words.replyDates
      return hasTime ? words.replyDateTime : words.replyDate
    }
    case 'time input':
      return words.replyTime
    // It says where to drop them.
    case 'file input':
      return ''
    default: {
      const { labels } = (input.options ?? {}) as { labels?: { placeholder?: string } }
      return withoutLineBreaks(labels?.placeholder ?? '')
    }
  }
}

function partsOf({ messages, clientSideActions = [] }: Answer, terms: RenderTerms): Part[] {
  const lastWith = new Map(messages.map(({ id }, index) => [id, index]))
  const behind = new Map<number, Part[]>()
  for (const action of clientSideActions) {
    const { lastBubbleBlockId: id } = action
    const place = id === undefined ? -1 : (lastWith.get(id) ?? messages.length - 1)
    behind.set(place, [...(behind.get(place) ?? []), ...partsOfAction(action, terms)])
  }
  return [
    ...(behind.get(-1) ?? []),
    ...messages.flatMap((message, index) => [
      ...partsOfMessage(message, terms),
      ...(behind.get(index) ?? []),
    ]),
  ]
}

function partsOfMessage(message: Message, terms: RenderTerms): Part[] {
  switch (message.type) {
    case 'text':
      if (message.content.type === 'markdown') return textParts(plain(cleanText(message.content.markdown)))
      return readRichText(message.content.richText).flatMap((part) =>
        'picture' in part ? [mediaPart('image', part.picture, plain(''), terms)] : textParts(part),
      )
    case 'image': {
      const { url = '', clickLink } = message.content
      const link =
        clickLink?.url && isWebLink(clickLink.url) ? linkText(clickLink.alt ?? '', clickLink.url) : plain('')
      return [mediaPart('image', url, link, terms)]
    }
    case 'video': {
      const { url = '', type = 'url' } = message.content
      return [type === 'url' ? mediaPart('video', url, plain(''), terms) : linkPart('', url, 'The video')]
    }
    case 'audio':
      return [mediaPart('audio', message.content.url ?? '', plain(''), terms)]
    case 'embed': {
      const { url = '', waitForEvent } = message.content
      return [
        waitForEvent?.isEnabled
          ? pageLink(terms.words.newTab, 'The page that the flow waits for', terms)
          : linkPart('', url, 'The page in a frame'),
      ]
    }
    default:
      return [pageLink(terms.words.newTab, 'The widget', terms)]
  }
}

function partsOfAction(action: ClientSideAction, terms: RenderTerms): Part[] {
  if (action.type === 'redirect') return [linkPart('', action.redirect.url ?? '', 'The redirect')]
  if (!action.expectsDedicatedReply || action.type === 'wait' || action.type === 'listenForWebhook') return []
  return [pageLink(terms.words.newTab, `What only a browser does (${action.type})`, terms)]
}

const textParts = (text: StyledText): Part[] => {
  const trimmed = trimText(text)
  return trimmed.text === '' ? [] : [{ kind: 'text', text: trimmed }]
}

const leftOut = (what: string, why: string): Part => ({
  kind: 'none',
  note: { code: 'left-out', text: `${what} is left out: ${why}.` },
})

function mediaPart(family: MediaFamily, url: string, caption: StyledText, { channel }: RenderTerms): Part {
  if (!isWebLink(url)) return leftOut(`The ${family}`, 'it has no address of the web that a messenger opens')
  const as = mediaKindOf(messengers[channel].capabilities, family, url)
  if (as !== undefined) return { kind: 'media', as, url, caption }
  return {
    ...linkPart('', url, `The ${family}`),
    note: linked(`${channel} takes no ${family} of this type`),
  } as Part
}

const linked = (why: string): Note => ({ code: 'linked', text: `It is shown as a link: ${why}.` })

const linkText = (label: string, url: string): StyledText => {
  const text = withoutLineBreaks(label) || url
  return { text, spans: [{ start: 0, end: text.length, style: 'link', url }] }
}

function linkPart(label: string, url: string, what: string): Part {
  if (!isWebLink(url)) return leftOut(what, 'it has no address of the web that a messenger opens')
  return { kind: 'text', text: linkText(label, url), note: linked('messengers show no pages') }
}

function pageLink(label: string, what: string, { page }: RenderTerms): Part {
  return page === undefined ? leftOut(what, 'only a page shows it') : linkPart(label, page, what)
}

function writeParts(parts: readonly Part[], terms: RenderTerms): RenderedMessage[] {
  return joined(parts, terms).flatMap((part) => writePart(part, terms))
}

/** Joins texts that follow each other into as few messages as hold them, where that is asked for. */
function joined(parts: readonly Part[], { channel, join }: RenderTerms): readonly Part[] {
  const { text: limit, joinsBubbles } = messengers[channel].capabilities
  if (!(join ?? joinsBubbles)) return parts
  const result: Part[] = []
  for (let from = 0; from < parts.length; ) {
    const texts = textsThatFit(parts.slice(from), { limit, channel })
    const note = noteOf(...texts)
    const [first, second] = texts
    if (second) result.push({ kind: 'text', text: joinParts(texts), ...(note && { note }) })
    else result.push(first ?? (parts[from] as Part))
    from += Math.max(1, texts.length)
  }
  return result
}

const joinParts = (texts: readonly TextPart[]) =>
  joinTexts(
    texts.map(({ text }) => text),
    blankLine,
  )

const blankLine = '\n\n'

/** The first parts, as far as they are texts that one message holds. */
function textsThatFit(
  parts: Iterable<Part>,
  { limit, channel }: { readonly limit: number; readonly channel: ChannelName },
): TextPart[] {
  const texts: TextPart[] = []
  let length = -blankLine.length
  for (const part of parts) {
    if (part.kind !== 'text') break
    length += blankLine.length + part.text.text.length
    if (length > limit) break
    texts.push(part)
  }
  const { lengthOf } = messengers[channel].writer
  return texts.slice(
    0,
    mostFitting(texts.length, (many) => lengthOf(joinParts(texts.slice(0, many))) <= limit),
  )
}

const noteOf = (...parts: readonly (Part | undefined)[]): Note | undefined =>
  parts.map((part) => (part && 'note' in part ? part.note : undefined)).find(Boolean)

function writePart(part: Part, { channel }: RenderTerms): RenderedMessage[] {
  const writer = messengers[channel].writer
  if (part.kind === 'none') return [{ notes: [part.note] }]
  if (part.kind === 'text') return writeTexts(part, channel)
  const { caption: limit } = messengers[channel].capabilities
  const fits = part.caption.text.length <= limit && writer.lengthOf(part.caption) <= limit
  const media = writer.writeMedia(part.as, part.url, fits ? part.caption : plain(''))
  const rest = fits ? [] : writeTexts({ kind: 'text', text: part.caption }, channel)
  return [{ request: media, notes: [] }, ...rest]
}

function writeTexts({ text, note }: TextPart, channel: ChannelName): RenderedMessage[] {
  const writer = messengers[channel].writer
  const { text: limit } = messengers[channel].capabilities
  const pieces = splitText(text, limit, writer.lengthOf)
  const split: Note = {
    code: 'split',
    text: `It is longer than ${limit} characters: ${pieces.length} messages.`,
  }
  return pieces.map((piece) => ({
    request: writer.writeText(piece),
    notes: [...(note ? [note] : []), ...(pieces.length > 1 ? [split] : [])],
  }))
}

function writeOffer(parts: readonly Part[], offer: Offer, terms: RenderTerms): RenderedMessage[] {
  const { groups, isMultiple, picturesLeftOut } = offer
  const [only] = groups
  const left: RenderedMessage[] =
    picturesLeftOut > 0
      ? [{ notes: [{ code: 'left-out', text: `Pictures that are left out: ${picturesLeftOut}.` }] }]
      : []
  if (groups.length === 1 && only && only.body === undefined)
    return [...writeGroup(parts, only, { offer, terms }), ...left]
  const hint = isMultiple ? writeParts([{ kind: 'text', text: plain(terms.words.replyNumbers) }], terms) : []
  return [
    ...writeParts(parts, terms),
    ...groups.flatMap((group) => writePictured(group, isMultiple, terms)),
    ...hint,
    ...left,
  ]
}

/** Options below the text that asks for them. */
function writeGroup(
  parts: readonly Part[],
  group: OptionGroup,
  { offer, terms }: { readonly offer: Offer; readonly terms: RenderTerms },
): RenderedMessage[] {
  if (group.form === 'numbers') {
    const list = numberedText(group, offer.isMultiple, terms)
    return writeParts([...parts, ...list], terms)
  }
  const [before, body] = questionAbove(parts, group.form, terms)
  return [...writeParts(before, terms), writeChoices(group, body, terms)]
}

/** The last texts, as many as there is room for above the options, and what stands before them. */
function questionAbove(
  parts: readonly Part[],
  form: 'buttons' | 'list',
  { channel, join, words }: RenderTerms,
): [before: readonly Part[], body: StyledText] {
  const { buttons, list, joinsBubbles } = messengers[channel].capabilities
  const limit = form === 'list' && list ? list.body : buttons.body
  const most = (join ?? joinsBubbles) ? parts.length : 1
  const isMoved = (part: Part) => part.kind === 'text' && part.note === undefined
  const from = Math.max(parts.length - most, parts.findLastIndex((part) => !isMoved(part)) + 1)
  const texts = textsThatFit(parts.slice(from).reverse(), { limit, channel }).reverse()
  const body = joinParts(texts)
  return [parts.slice(0, parts.length - texts.length), body.text === '' ? plain(words.chooseOne) : body]
}

function numberedText(
  { options }: OptionGroup,
  isMultiple: boolean,
  { channel, words }: RenderTerms,
): [TextPart] {
  const lines = options.map(({ index, label, description }) =>
    plain(`${index + 1}. ${label}${description === undefined ? '' : ` – ${description}`}`),
  )
  const hint = plain(isMultiple ? words.replyNumbers : words.replyNumber)
  const text = concat(joinTexts(lines, '\n'), plain('\n\n'), hint)
  const note: Note = { code: 'numbered', text: `${channel} shows them as numbers to reply with.` }
  return [{ kind: 'text', text, note }]
}

/** An option with a message of its own: a picture or a card. */
function writePictured(group: OptionGroup, isMultiple: boolean, terms: RenderTerms): RenderedMessage[] {
  const { channel } = terms
  const writer = messengers[channel].writer
  const { buttons, caption, list } = messengers[channel].capabilities
  const { body = plain(''), picture, form, options } = group
  const asked = body.text === '' ? plain(options[0]?.label ?? '') : body
  if (form === 'numbers') {
    const hasNumber = isMultiple || options.length === 0
    const text = hasNumber ? body : joinTexts([body, numberedText(group, false, terms)[0].text], '\n\n')
    if (!picture) return writeTexts({ kind: 'text', text }, channel)
    return writePart({ kind: 'media', ...picture, caption: text }, terms)
  }
  // Only buttons have room for a picture above them.
  const above = form === 'list' ? undefined : picture
  const limit = form === 'list' && list ? list.body : Math.min(buttons.body, above ? caption : buttons.body)
  const pieces = splitText(asked, limit, writer.lengthOf)
  const before = pieces.slice(0, -1).map((text): Part => ({ kind: 'text', text }))
  const alone: Part[] = picture && !above ? [{ kind: 'media', ...picture, caption: plain('') }] : []
  return [
    ...[...alone, ...before].flatMap((part) => writePart(part, terms)),
    writeChoices(group, pieces.at(-1) ?? asked, terms, above),
  ]
}

function writeChoices(
  { options, form }: OptionGroup,
  body: StyledText,
  { channel, turn, words }: RenderTerms,
  picture?: { readonly as: string; readonly url: string },
): RenderedMessage {
  const writer = messengers[channel].writer
  const { list } = messengers[channel].capabilities
  if (form !== 'list' || !list || !writer.writeList) {
    const buttons = options.map((option): Button => ({ id: pressId(turn, option), title: option.label }))
    return { request: writer.writeButtons(body, buttons, picture), notes: [] }
  }
  const notes: Note[] = []
  const rows = options.map((option): Button => {
    const title = cutText(option.label, list.title)
    if (title !== option.label)
      notes.push({ code: 'cut', text: `“${option.label}” is cut; it is whole below the title.` })
    const below = title === option.label ? (option.description ?? '') : option.label
    const description = cutText(below, list.description)
    if (description !== below) notes.push({ code: 'cut', text: `“${below}” is cut.` })
    return { id: pressId(turn, option), title, ...(description !== '' && { description }) }
  })
  return {
    request: writer.writeList(body, rows, cutText(withoutLineBreaks(words.select), list.button)),
    notes,
  }
}
