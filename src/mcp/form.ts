import type { Input } from '../../schemas/input.ts'
import type { UserMessage } from '../../schemas/user-message.ts'
import { optionsOf } from '../channels/options.ts'
import type { ChannelWords } from '../channels/words.ts'

/** Field of a form, as far as elicitation knows any. */
type Field = Readonly<Record<string, unknown>> & { readonly type: string }

/** A form that asks for one input. */
interface Form {
  readonly fields: Readonly<Record<string, Field>>
  /** The reply that a filled form means; undefined where something is missing. */
  read(content: Readonly<Record<string, unknown>>): UserMessage | undefined
}

/** Whether an input is for a page alone: of files and payments nothing may pass an assistant. */
export const needsPage = ({ type }: Input): boolean => type === 'file input' || type === 'payment input'

/** The form that asks for an input. Of dates and addresses it demands less than clients would check: the flow reads more. */
export function formOf(input: Input, words: ChannelWords, replyLength: number): Form {
  const label = labelOf(input) ?? words.yourAnswer
  const one = (field: Field): Form => ({
    fields: { answer: { title: label, ...field } },
    read: ({ answer }) => textOf(answer),
  })
  const options = optionsOf(input, words)
  const named = options.map(({ label, reply }, index) => ({
    const: replyIdOf(reply) ?? String(index),
    title: label,
  }))
  if (options.length > 0) {
    const isMultiple = 'options' in input && (input.options as Multiple)?.isMultipleChoice === true
    const replyOf = (id: unknown) => {
      const index = named.findIndex(({ const: known }) => known === id)
      return options[index]?.reply ?? undefined
    }
    if (!isMultiple)
      return {
        fields: { answer: { type: 'string', title: words.chooseOne, oneOf: named } },
        read: ({ answer }) => replyOf(answer) ?? textOf(answer),
      }
    const field = { type: 'array', title: label, minItems: 1, items: { anyOf: named } }
    const labelOf = (id: unknown) => named.find(({ const: known }) => known === id)?.title ?? textOf(id)
    return {
      fields: { answer: field },
      read: ({ answer }) => textOf([answer].flat().map(labelOf).filter(Boolean).join(', ')),
    }
  }
  switch (input.type) {
    case 'number input': {
      const { min, max } = input.options ?? {}
      const bounds = {
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
      }
      return one({ type: 'number', ...bounds })
    }
    case 'rating input': {
      const { buttonType, startsAt = 0, length = 10, labels } = input.options ?? {}
      const minimum = buttonType === 'Icons' ? 1 : startsAt
      const ends = [
        labels?.left && `${minimum}: ${labels.left}`,
        labels?.right && `${length}: ${labels.right}`,
      ]
      const description = ends.filter(Boolean).join(', ')
      return one({ type: 'integer', minimum, maximum: length, ...(description && { description }) })
    }
    case 'email input':
      return one({ type: 'string', format: 'email' })
    case 'date input':
      return dateForm(input, label)
    default:
      return one({ type: 'string', maxLength: replyLength })
  }
}

interface Multiple {
  readonly isMultipleChoice?: boolean
}

function dateForm({ options = {} }: Extract<Input, { type: 'date input' }>, label: string): Form {
  const { hasTime, isRange, labels } = options
  // The other format names a time zone, and a flow asks for the time of its visitor.
  const field = hasTime
    ? { type: 'string', description: 'yyyy-MM-ddTHH:mm' }
    : { type: 'string', format: 'date' }
  if (!isRange)
    return { fields: { answer: { title: label, ...field } }, read: ({ answer }) => textOf(answer) }
  return {
    fields: {
      from: { title: labels?.from ?? label, ...field },
      to: { title: labels?.to ?? label, ...field },
    },
    read: ({ from, to }) => (textOf(from) && textOf(to) ? `${from} to ${to}` : undefined),
  }
}

function labelOf({ options }: Input): string | undefined {
  const { labels } = (options ?? {}) as { labels?: { placeholder?: string } }
  return labels?.placeholder || undefined
}

function replyIdOf(reply: UserMessage | null): string | undefined {
  return typeof reply === 'object' && reply?.type === 'text' ? reply.metadata?.replyId : undefined
}

/** Numbers come as numbers; an empty text is no answer. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return text === '' ? undefined : text
}
