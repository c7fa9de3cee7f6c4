/** The parts of an answer that whoever goes on looks at. */
export interface Turn {
  readonly input?: { readonly id: string; readonly type: string; readonly items?: readonly Item[] }
  readonly clientSideActions?: readonly { readonly type: string; readonly expectsDedicatedReply?: boolean }[]
}

interface Item {
  readonly id: string
  readonly content?: string
  readonly title?: string
  readonly paths?: readonly { readonly id: string; readonly text?: string }[]
}

const texts: Readonly<Record<string, readonly string[]>> = {
  'text input': ['Ada', '', '**{{Name}}**'],
  'number input': ['5', '12.5', '-1', '1e3', '1,000'],
  'email input': ['ada@example.org', 'Ada@EXAMPLE.org'],
  'url input': ['https://a.example/x?y', 'a.example'],
  'phone number input': ['+49 30 901820', '020 7946 0018'],
  'date input': [
    '2027-03-04',
    '12/12/2026 15:30',
    '2027-03-04T10:30 to 2027-04-04T10:30',
    'tomorrow at noon',
  ],
  'time input': ['14:30', '2:30 pm'],
  'rating input': ['3', '5', '1'],
  'payment input': ['Success', 'Failure'],
}

const sentBack = [
  '5',
  '',
  '{"statusCode":200,"data":{"a":[1,{"b":2}]}}',
  '{"data":{"status":"paid"}}',
  '[]',
  'true',
]

/** What suits the present moment of a conversation, the most natural first: something for every kind of input. */
export function suitable(
  { input, clientSideActions = [] }: Turn,
  file = 'https://a.example/f.png',
): readonly unknown[] {
  if (clientSideActions.some(({ expectsDedicatedReply }) => expectsDedicatedReply)) return [...sentBack, null]
  if (!input) return ['Hi', null]
  const offers = (input.items ?? []).flatMap(({ id, content, title, paths }) =>
    paths
      ? paths.map((path) => ({ id: path.id, label: path.text ?? '' }))
      : [{ id, label: content ?? title ?? '' }],
  )
  const chosen = offers.flatMap(({ id, label }) => [
    label,
    { type: 'text', text: label, metadata: { replyId: id } },
  ])
  const several = offers.map(({ label }) => label).join(', ')
  const files = ['text input', 'file input'].includes(input.type)
    ? [
        file,
        { type: 'text', text: 'see', attachedFileUrls: [file] },
        { type: 'audio', url: file },
        `${file}, ${file}`,
      ]
    : []
  return [...(texts[input.type] ?? []), ...chosen, ...(several ? [several] : []), ...files, null]
}
