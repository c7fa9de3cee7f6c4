import type { CardsInput, PictureChoiceInput } from '../../schemas/blocks/inputs/choices.ts'
import type { ChannelName } from '../../schemas/channel.ts'
import type { Input } from '../../schemas/input.ts'
import type { UserMessage } from '../../schemas/user-message.ts'
import { mediaKindOf } from './capabilities.ts'
import { messengers } from './messenger-table.ts'
import { readPress } from './press-id.ts'
import { joinTexts, plain, type StyledText, withoutLineBreaks } from './text/styled-text.ts'
import { isWebLink } from './web-link.ts'
import type { ChannelWords } from './words.ts'

/** Something that can be chosen, in the order of the input. */
interface Option {
  /** Place among all options of the input, which buttons and numbers carry. */
  readonly index: number
  readonly label: string
  readonly description?: string
  /** The message that a page sends for it; null for none. */
  readonly reply: UserMessage | null
}

/** Options that are shown together, in a message of their own where they have a text. */
export interface OptionGroup {
  readonly options: readonly Option[]
  readonly form: 'buttons' | 'list' | 'numbers'
  readonly body?: StyledText
  readonly picture?: { readonly as: string; readonly url: string }
}

/** Everything that an input offers to choose from. */
export interface Offer {
  readonly groups: readonly OptionGroup[]
  /** Whether several may be chosen. */
  readonly isMultiple: boolean
  /** Pictures that there is no room for. */
  readonly picturesLeftOut: number
  /** Says what the options mean. */
  readonly hint?: string
}

/** Ratings that are offered; of more than these, a number is written. */
const mostRatings = 100

type Ungrouped = Omit<Option, 'index'>

interface Terms {
  readonly channel: ChannelName
  readonly words: ChannelWords
}

/** Options of an input on a messenger; no groups for one that is answered in words. */
export function offerOf(input: Input, terms: Terms): Offer {
  switch (input.type) {
    case 'choice input':
      return inOneGroup(optionsOf(input, terms.words), input.options?.isMultipleChoice === true, terms)
    case 'picture choice input':
      return picturesOf(input, terms)
    case 'cards':
      return cardsOf(input, terms)
    case 'rating input':
      return ratingsOf(input, terms)
    case 'file input': {
      const { isRequired, labels } = input.options ?? {}
      const skip = { label: withoutLineBreaks(labels?.skip ?? '') || terms.words.skip, reply: null }
      return inOneGroup(isRequired === false ? [skip] : [], false, terms)
    }
    default:
      return { groups: [], isMultiple: false, picturesLeftOut: 0 }
  }
}

/** The options of a choice, a picture choice or cards in one list; none of other inputs. */
export function optionsOf(input: Input, { select, pictureNumber }: ChannelWords): readonly Ungrouped[] {
  switch (input.type) {
    case 'choice input':
      return input.items.map(({ id, content = '' }, index) =>
        chosen(id, withoutLineBreaks(content) || String(index + 1), content),
      )
    case 'picture choice input':
      return input.items.map(({ id, title = '', description = '' }, index) => {
        const label = withoutLineBreaks(title) || pictureNumber.replace('{number}', String(index + 1))
        return {
          ...chosen(id, label),
          ...(description.trim() && { description: withoutLineBreaks(description) }),
        }
      })
    case 'cards':
      return input.items.flatMap((card) => pathsOf(card, select).map((option) => withTitle(option, card)))
    default:
      return []
  }
}

const chosen = (replyId: string, label: string, text = label): Ungrouped => ({
  label,
  reply: { type: 'text', text, metadata: { replyId } },
})

function inOneGroup(options: readonly Ungrouped[], isMultiple: boolean, { channel }: Terms): Offer {
  const numbered = options.map((option, index) => ({ index, ...option }))
  const form = isMultiple ? 'numbers' : formOf(numbered, channel)
  return {
    groups: options.length > 0 ? [{ options: numbered, form }] : [],
    isMultiple,
    picturesLeftOut: 0,
  }
}

/** Ratings. Those that would be numbered are numbers already, which are written as they are. */
function ratingsOf({ options = {} }: Extract<Input, { type: 'rating input' }>, terms: Terms): Offer {
  const { buttonType, startsAt = 0, length = 10, labels } = options
  const first = buttonType === 'Icons' ? 1 : startsAt
  const count = Math.min(Math.max(Math.floor(length) - first + 1, 0), mostRatings)
  const ratings = Array.from({ length: count }, (_, step) => String(first + step))
  const offer = inOneGroup(
    ratings.map((rating) => ({ label: rating, reply: rating })),
    false,
    terms,
  )
  const isWritten = offer.groups[0]?.form === 'numbers'
  const ends = [
    [first, labels?.left],
    [length, labels?.right],
  ].flatMap(([rating, label]) => (label ? `${rating} = ${withoutLineBreaks(String(label))}` : []))
  const asks = terms.words.replyRating.replace('{from}', String(first)).replace('{to}', String(length))
  const hint = [...ends, ...(isWritten ? [asks] : [])].join('\n')
  return { ...offer, ...(isWritten && { groups: [] }), ...(hint !== '' && { hint }) }
}

function picturesOf(input: PictureChoiceInput, terms: Terms): Offer {
  const isMultiple = input.options?.isMultipleChoice === true
  const options = optionsOf(input, terms.words)
  const pictures = input.items.map(({ pictureSrc = '' }) => pictureOf(pictureSrc, terms.channel))
  const shown = pictures.filter(Boolean).length
  const whole = inOneGroup(options, isMultiple, terms)
  if (shown === 0 || options.length > messengers[terms.channel].capabilities.pictured)
    return { ...whole, picturesLeftOut: input.items.filter(({ pictureSrc }) => pictureSrc).length }
  const groups = options.map((option, index): OptionGroup => {
    const { label, description = '', reply } = option
    const title = isMultiple ? `${index + 1}. ${label}` : label
    const picture = pictures[index]
    return {
      options: [{ index, label: isMultiple ? label : withoutLineBreaks(terms.words.select), reply }],
      form: isMultiple
        ? 'numbers'
        : formOf([{ index, label: withoutLineBreaks(terms.words.select), reply }], terms.channel),
      body: joinTexts([plain(title, 'bold'), plain(description)], '\n'),
      ...(picture && { picture }),
    }
  })
  return {
    groups,
    isMultiple,
    picturesLeftOut: input.items.filter(({ pictureSrc }) => pictureSrc).length - shown,
  }
}

type Card = CardsInput['items'][number]

function cardsOf(input: CardsInput, terms: Terms): Offer {
  const { select } = terms.words
  const hasRoom = input.items.length <= messengers[terms.channel].capabilities.pictured
  let index = 0
  const cards = input.items.map((card) => ({
    card,
    picture: hasRoom ? pictureOf(card.imageUrl ?? '', terms.channel) : undefined,
    options: pathsOf(card, select).map((option) => ({ index: index++, ...option })),
  }))
  const picturesLeftOut = cards.filter(({ card, picture }) => card.imageUrl && !picture).length
  if (!hasRoom) return { ...inOneGroup(optionsOf(input, terms.words), false, terms), picturesLeftOut }
  const groups = cards.map(
    ({ card, picture, options }): OptionGroup => ({
      options,
      form: options.length > 0 ? formOf(options, terms.channel) : 'numbers',
      body: bodyOf(card),
      ...(picture && { picture }),
    }),
  )
  return { groups, isMultiple: false, picturesLeftOut }
}

/** The buttons of a card; one that has none is chosen by its title. */
function pathsOf({ title, paths = [] }: Card, select: string): Ungrouped[] {
  const named = title?.trim() ? title : undefined
  if (paths.length === 0 && named !== undefined) return [{ label: select, reply: named }]
  return paths.map(({ id, text }) => {
    const label = withoutLineBreaks(text ?? '') || select
    return chosen(id, label, named ?? label)
  })
}

const bodyOf = ({ title, description }: Card) =>
  joinTexts([plain(withoutLineBreaks(title ?? ''), 'bold'), plain((description ?? '').trim())], '\n\n')

function withTitle(option: Ungrouped, { title, description }: Card): Ungrouped {
  const name = withoutLineBreaks(title ?? '')
  return {
    label: name === '' ? option.label : `${name}: ${option.label}`,
    reply: option.reply,
    ...(description?.trim() && { description: withoutLineBreaks(description) }),
  }
}

function pictureOf(url: string, channel: ChannelName) {
  const as = isWebLink(url) ? mediaKindOf(messengers[channel].capabilities, 'image', url) : undefined
  return as === undefined ? undefined : { as, url }
}

/** Buttons where they have room for the labels, a list where its descriptions have, else numbers in a text. */
function formOf(options: readonly Option[], channel: ChannelName): OptionGroup['form'] {
  const { buttons, list } = messengers[channel].capabilities
  const labels = options.map(({ label }) => label)
  const differ = !buttons.mustDiffer || new Set(labels).size === labels.length
  const haveText = options.some(({ description }) => description !== undefined)
  if (labels.length <= buttons.count && differ && !haveText && isWithin(labels, buttons.label))
    return 'buttons'
  return list && labels.length <= list.rows && isWithin(labels, list.description) ? 'list' : 'numbers'
}

const isWithin = (labels: readonly string[], length: number) =>
  labels.every((label) => label.length <= length)

/** The deed of somebody on a messenger: a press of a button, whose id came back, or words. */
export interface Deed {
  readonly press?: string
  readonly text?: string
}

/** Meaning of what was said: a reply (null for going on without a word), or a press that belongs to another turn. */
type Meaning = { readonly reply: UserMessage | null } | { readonly isStale: true }

/** The reply that a press or a text means for the input that is waited for. */
export function readSaid(
  { press, text = '' }: Deed,
  asked: Terms & { readonly input: Input | undefined; readonly turn: number },
): Meaning {
  const { groups, isMultiple } = asked.input ? offerOf(asked.input, asked) : { groups: [], isMultiple: false }
  const options = new Map(groups.flatMap((group) => group.options.map((option) => [option.index, option])))
  if (press !== undefined) {
    const { turn, index = -1 } = readPress(press) ?? {}
    const option = turn === asked.turn ? options.get(index) : undefined
    return option ? { reply: option.reply } : { isStale: true }
  }
  const isNumbered = groups.some(({ form }) => form === 'numbers')
  const numbers = isNumbered && /^[\s,;.)&+]*\d[\d\s,;.)&+]*$/.test(text) ? (text.match(/\d+/g) ?? []) : []
  const named = numbers.map((number) => options.get(Number(number) - 1))
  if (named.length === 0 || !named.every((option) => option !== undefined)) return { reply: text }
  if (isMultiple) return { reply: [...new Set(named)].map(({ label }) => label).join(', ') }
  return { reply: named.length === 1 ? (named[0]?.reply ?? null) : text }
}
