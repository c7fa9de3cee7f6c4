type Fields = Readonly<Record<string, unknown>>

/**
 * A definition whose theme says by itself what the editors of its version left to their clients, in the colours that an
 * author saw there (docs/moving.md). What it says already stays.
 */
export function withDefaultLook(definition: Fields): Fields {
  const theme = fieldsOf(definition['theme'])
  const look = definition['version'] === '6.1' ? lookOf61(theme) : lookOf6
  return {
    ...definition,
    theme: filled(theme, { general: generalOf(theme, look), chat: chatOf(theme, look) }),
  }
}

interface DefaultLook {
  readonly background: string
  readonly progressBar: Fields
  readonly elements: Fields
}

const lookOf6: DefaultLook = {
  background: '#FFFFFF',
  progressBar: { color: '#e0edff', backgroundColor: '#f1f1f1' },
  elements: {
    hostBubbles: { backgroundColor: '#F7F8FF' },
    guestBubbles: { backgroundColor: '#FF8E21' },
    buttons: { backgroundColor: '#0042DA' },
    inputs: { shadow: 'md' },
  },
}

function lookOf61({ chat }: Fields): DefaultLook {
  const { backgroundColor: ofButtons = '#f98868' } = fieldsOf(fieldsOf(chat)['buttons'])
  const line = (color: unknown) => ({ border: { thickness: 1, color } })
  return {
    background: '#F8F8F8',
    progressBar: { color: '#ff5924', backgroundColor: '#8d8d8d' },
    elements: {
      hostBubbles: { backgroundColor: '#ffffff', ...line('#dfdfdf') },
      guestBubbles: { backgroundColor: '#ff5924', ...line('#ffb8a0') },
      buttons: { backgroundColor: '#ff5924', ...line(ofButtons) },
      inputs: line('#cecece'),
    },
  }
}

function generalOf({ general }: Fields, { background, progressBar }: DefaultLook): Fields {
  const { background: own, progressBar: bar } = fieldsOf(general)
  const { type = 'Color' } = fieldsOf(own)
  return {
    font: { type: 'Google', family: 'Open Sans' },
    ...(type === 'Color' && { background: { type, content: background } }),
    ...(fieldsOf(bar)['isEnabled'] === true && { progressBar }),
  }
}

function chatOf({ chat }: Fields, { elements }: DefaultLook): Fields {
  // The older way to round all corners is read where an element has no way of its own.
  const corners = 'roundness' in fieldsOf(chat) ? {} : { border: { roundeness: 'medium' } }
  const white = { color: '#ffffff', ...corners }
  const dark = { color: '#202020', ...corners }
  const common = {
    container: { maxWidth: '800px' },
    hostBubbles: dark,
    guestBubbles: white,
    buttons: white,
    inputs: { backgroundColor: '#FFFFFF', placeholderColor: '#9095A0', ...dark },
  }
  return filled(elements, common)
}

/** Fields with those that others have beside them, at any depth. */
function filled(own: Fields, others: Fields): Fields {
  const common = Object.entries(others).map(([key, other]) => {
    const value = own[key] ?? other
    return [key, isFields(value) && isFields(other) ? filled(value, other) : value]
  })
  return { ...own, ...Object.fromEntries(common) }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
