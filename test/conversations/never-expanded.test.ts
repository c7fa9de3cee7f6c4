import { describe, expect, it } from 'vitest'
import type { ContinueChatBody } from '../../schemas/continue-chat.ts'
import type { StartChatBody } from '../../schemas/start-chat.ts'
import { anonymous } from '../../src/ports/caller.ts'
import type { Result } from '../../src/stores/result-store.ts'
import { createRecordingOutside } from '../fixtures/recording-outside.ts'
import { bubble, setVariable, textInput, variable } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { sandbox } from '../support/sandbox.ts'
import { createTestChat } from '../support/start.ts'
import { parseWire } from '../support/wire.ts'

const secret = 's3cr3t'

/** What visitors type who know how flows are written. */
const typed = [
  '{{Secret}}',
  '{{=1+1=}}',
  '${Secret}',
  '${{Secret}}',
  '{{= {{Secret}} =}}',
  '{{{Secret}}}',
  '{{={{Secret}}.normalize()=}}',
  'a {{Secret}} b {{=1+1=}} c',
]

/** What came of a text that a visitor typed, in a turn behind the input that took it. */
interface Outcome {
  readonly response: Json
  readonly result: Result
  readonly sent: {
    readonly url: string
    readonly headers: ReadonlyMap<string, string>
    readonly body: string
  }
  readonly mail: { readonly text?: string; readonly html?: string; readonly subject?: string }
}

const variables = [
  variable('Said'),
  variable('Secret', { value: secret }),
  variable('Copy'),
  variable('List', { value: ['first'] }),
]

/** Asks, runs the blocks with what was typed, and asks again for the same variable. */
async function run(text: string, blocks: readonly Json[], more: Json = {}): Promise<Outcome> {
  const { outside, requests, mails } = createRecordingOutside({ said: text })
  const asking = [textInput('asks', 'vSaid'), ...blocks, textInput('again', 'vSaid')]
  const definition = wholeDefinition({ variables, blocks: asking, ...more })
  const { chat, results } = createTestChat([definition], { sandbox, ...outside })
  const body = { textBubbleContentFormat: 'markdown', ...(more['body'] as Json) }
  await chat.startPublished({ publicId: 'flow-1', origin: undefined, body: body as StartChatBody })
  const next = { message: text, ...body } as ContinueChatBody
  const response = await chat.continue({
    caller: anonymous,
    sessionId: 'session-1',
    origin: undefined,
    body: next,
  })
  const result = await results.get('flow-1', 'result-1')
  const request = requests[0]
  return {
    response: parseWire(response),
    result: result!,
    sent: { url: request?.url ?? '', headers: new Map(request?.headers), body: request?.body ?? '' },
    mail: mails[0] ?? {},
  }
}

const listOf = (response: Json, key: string) => (response[key] ?? []) as Json[]

const markdownOf = ({ response }: Outcome) =>
  listOf(response, 'messages').map(({ content }) => (content as Json)['markdown'])

const contentOf = ({ response }: Outcome) => listOf(response, 'messages')[0]?.['content'] as Json

const inputOf = ({ response }: Outcome) => response['input'] as Json

const actionOf = ({ response }: Outcome) => listOf(response, 'clientSideActions')[0] as Json

const keptAs = ({ result }: Outcome, name: string) =>
  result.variables.find((kept) => kept.name === name)?.value

function textsIn(nodes: unknown): string {
  return (nodes as { text?: string; children?: unknown }[])
    .map(({ text, children }) => text ?? textsIn(children))
    .join('')
}

const request = (webhook: Json, options: Json = {}): Json => ({
  id: 'h',
  type: 'Webhook',
  options: { webhook: { url: 'https://a.example/', method: 'POST', ...webhook }, ...options },
})

const custom = (body: string) => request({ body }, { isCustomBody: true })

const row = (key: string, value: string) => ({ id: key, key, value })

const mail = (options: Json): Json => ({
  id: 'e',
  type: 'Email',
  options: { credentialsId: 'default', recipients: ['desk@shop.example'], ...options },
})

const model = (messages: Json[]): Json => ({
  id: 'm',
  type: 'openai',
  options: { action: 'Create chat completion', credentialsId: 'c1', model: 'm-1', messages },
})

const askedOfModel = ({ sent }: Outcome) =>
  (JSON.parse(sent.body).messages as Json[]).map(({ content }) => content)

const script = (content: string): Json => ({
  id: 'c',
  type: 'Code',
  options: { content, isExecutedOnClient: false },
})

const richText = { body: { textBubbleContentFormat: 'richText' } }

/** Where a text goes that was typed: how the flow is written, and where to find the text afterwards. */
const places: [
  place: string,
  blocks: Json[],
  look: (outcome: Outcome, text: string) => unknown,
  more?: Json | undefined,
][] = [
  ['a line of rich text', [bubble('b', '{{Said}}')], (of) => textsIn(contentOf(of)['richText']), richText],
  ['a bubble, in markdown', [bubble('b', '{{Said}}')], (of) => markdownOf(of)[0]],
  [
    'the address of a link',
    [
      {
        id: 'b',
        type: 'text',
        content: { richText: [{ type: 'a', url: '{{Said}}', children: [{ text: 'x' }] }] },
      },
    ],
    (of) => (contentOf(of)['richText'] as Json[])[0]?.['url'],
    richText,
  ],
  [
    'the address of a picture',
    [{ id: 'b', type: 'image', content: { url: '{{Said}}' } }],
    (of) => contentOf(of)['url'],
  ],
  ['a prefilled value', [], (of) => inputOf(of)['prefilledValue']],
  [
    'the label of an input',
    [{ ...textInput('i'), options: { labels: { placeholder: '{{Said}}' } } }],
    (of) => ((inputOf(of)['options'] as Json)['labels'] as Json)['placeholder'],
  ],
  [
    'an item to pick',
    [{ id: 'i', type: 'choice input', items: [{ id: 'x', content: '{{Said}}' }] }],
    (of) => (inputOf(of)['items'] as Json[])[0]?.['content'],
  ],
  [
    'items from a variable',
    [{ id: 'i', type: 'choice input', items: [], options: { dynamicVariableId: 'vSaid' } }],
    (of) => (inputOf(of)['items'] as Json[])[0]?.['content'],
  ],
  ['the body of all answers', [request({})], (of) => JSON.parse(of.sent.body)['Said']],
  ['the state in a body', [custom('{{state}}')], (of) => JSON.parse(of.sent.body)['Said']],
  ['a field of a body', [custom('{"a":"{{Said}}"}')], (of) => JSON.parse(of.sent.body)['a']],
  ['a whole body', [custom('{{Said}}')], (of) => of.sent.body],
  [
    'a field of a form',
    [
      request(
        { body: '{"a":"{{Said}}"}', headers: [row('content-type', 'application/x-www-form-urlencoded')] },
        { isCustomBody: true },
      ),
    ],
    (of) => new URLSearchParams(of.sent.body).get('a'),
  ],
  ['a header', [request({ headers: [row('x-said', '{{Said}}')] })], (of) => of.sent.headers.get('x-said')],
  [
    'a query',
    [request({ queryParams: [row('q', '{{Said}}')] })],
    (of) => new URL(of.sent.url).searchParams.get('q'),
  ],
  [
    'the address of a request',
    [request({ url: 'https://a.example/?{{Said}}' })],
    (of) => of.sent.url.replace('https://a.example/?', ''),
  ],
  [
    'a request of the client',
    [request({ body: '{"a":"{{Said}}"}' }, { isCustomBody: true, isExecutedOnClient: true })],
    (of) => ((actionOf(of)['httpRequestToExecute'] as Json)['body'] as Json)['a'],
  ],
  [
    'what another system answers',
    [
      request({}, { responseVariableMapping: [{ id: 'r', variableId: 'vCopy', bodyPath: 'data.said' }] }),
      bubble('b', '{{Copy}}'),
    ],
    (of) => markdownOf(of)[0],
  ],
  [
    'a value in a body path',
    [
      request(
        {},
        {
          responseVariableMapping: [
            { id: 'r', variableId: 'vCopy', bodyPath: '[{{Said}}, "{{Said}}"].join("\\n")' },
          ],
        },
      ),
    ],
    (of) => twice(keptAs(of, 'Copy')),
  ],
  [
    'the address of a redirect',
    [{ id: 'r', type: 'Redirect', options: { url: 'https://a.example/{{Said}}' } }],
    (of) => String((actionOf(of)['redirect'] as Json)['url']).replace('https://a.example/', ''),
  ],
  ['a mail', [mail({ body: '{{Said}}' })], (of) => of.mail.text],
  [
    'a mail in HTML',
    [mail({ body: '<p>{{Said}}</p>', isBodyCode: true })],
    (of) => of.mail.html?.replace(/<\/?p>/g, ''),
  ],
  [
    'a mail of all answers',
    [mail({ isCustomBody: false })],
    (of, text) => (of.mail.html?.includes(text) === true ? text : of.mail.html),
  ],
  ['the subject of a mail', [mail({ body: 'x', subject: '{{Said}}' })], (of) => of.mail.subject],
  ['a question to a model', [model([{ role: 'user', content: '{{Said}}' }])], (of) => askedOfModel(of)[0]],
  [
    'a dialogue with a model',
    [
      setVariable('s', 'vList', { type: 'Append value(s)', item: '{{Said}}' }),
      model([{ role: 'Dialogue', dialogueVariableId: 'vList' }]),
    ],
    (of) => askedOfModel(of)[1],
  ],
  [
    'a transcript',
    [setVariable('s', 'vCopy', { type: 'Transcript' }), bubble('b', '{{Copy}}')],
    (of) => String(markdownOf(of)[0]).replace(/^User: "(.*)"$/s, '$1'),
  ],
  ['the transcript of a result', [], (of) => of.result.transcript.find(({ role }) => role === 'user')?.text],
  ['the answers of a result', [], (of) => of.result.answers[0]?.content],
  ['the variables of a result', [], (of) => keptAs(of, 'Said')],
  [
    'a copy',
    [setVariable('s', 'vCopy', { expressionToEvaluate: '{{Said}}' }), bubble('b', '{{Copy}}')],
    (of) => markdownOf(of)[0],
  ],
  [
    'a sentence that is no code',
    [setVariable('s', 'vCopy', { expressionToEvaluate: 'Oh, {{Said}}' }), bubble('b', '{{Copy}}')],
    (of) => String(markdownOf(of)[0]).replace('Oh, ', ''),
  ],
  [
    'code',
    [setVariable('s', 'vCopy', { expressionToEvaluate: '"" + {{Said}}' }), bubble('b', '{{Copy}}')],
    (of) => markdownOf(of)[0],
  ],
  [
    'code of the sandbox',
    [
      setVariable('s', 'vCopy', { expressionToEvaluate: 'String({{Said}}).normalize()' }),
      bubble('b', '{{Copy}}'),
    ],
    (of) => markdownOf(of)[0],
  ],
  ['code in a text', [bubble('b', '{{={{Said}}=}}')], (of) => markdownOf(of)[0]],
  ['code in a text, in the sandbox', [bubble('b', '{{={{Said}}.normalize()=}}')], (of) => markdownOf(of)[0]],
  ['a script', [script('setVariable("Copy", {{Said}})'), bubble('b', '{{Copy}}')], (of) => markdownOf(of)[0]],
  [
    'a script of the client',
    [{ id: 'c', type: 'Code', options: { content: 'f({{Said}})' } }],
    (of) => ((actionOf(of)['scriptToExecute'] as Json)['args'] as Json[])[0]?.['value'],
  ],
  [
    'an appended value',
    [
      setVariable('s', 'vList', { type: 'Append value(s)', item: '{{Said}}' }),
      bubble('b', '{{={{List}}[1]=}}'),
    ],
    (of) => markdownOf(of)[0],
  ],
]

/** The text of two equal lines; undefined when they differ. */
function twice(value: unknown): unknown {
  const [one, other] = String(value).split('\n')
  return one === other ? one : value
}

describe.each(places)('in %s', (_place, blocks, look, more) => {
  it.each(typed)('%s stays as it was typed', async (text) => {
    const outcome = await run(text, blocks, more)
    expect(look(outcome, text)).toBe(text)
  })
})

/** The same places, for what the flow itself says there. */
const filledIn = places.flatMap(([place, blocks, look, more]): typeof places => {
  const written = JSON.stringify(blocks).replaceAll('{{Said}}', '{{Secret}}')
  return written === JSON.stringify(blocks) ? [] : [[place, JSON.parse(written), look, more]]
})

describe('what the flow itself says', () => {
  it.each(filledIn)('is filled in: %s', async (_place, blocks, look, more) => {
    expect(look(await run('Hi', blocks, more), secret)).toBe(secret)
  })
})

describe('in a condition', () => {
  const decide = async (text: string, variableId: string, value: string) => {
    const comparisons = [{ id: 'q', variableId, comparisonOperator: 'Equal to', value }]
    const condition = {
      id: 'c',
      type: 'Condition',
      items: [{ id: 'q', content: { comparisons }, outgoingEdgeId: 'e' }],
    }
    const { response } = await run(text, [], {
      groups: [
        { id: 'g1', title: 'A', blocks: [textInput('asks', 'vSaid'), condition] },
        { id: 'g2', title: 'B', blocks: [bubble('holds')] },
      ],
      blocks: undefined,
      edges: [{ id: 'e', to: { groupId: 'g2' } }],
    })
    return listOf(response, 'messages').length === 1
  }

  it.each(typed)('%s is compared as it was typed', async (text) => {
    expect(await decide(text, 'vSaid', '{{Said}}')).toBe(true)
    expect(await decide(text, 'vSaid', 'x{{Said}}')).toBe(false)
    expect(await decide(text, 'vSecret', '{{Said}}')).toBe(false)
    expect(await decide(text, 'vSaid', '{{Secret}}')).toBe(false)
    expect(await decide(text, 'vSaid', '2')).toBe(false)
  })
})

describe('in the look of a flow', () => {
  const definition = wholeDefinition({
    variables: [variable('Said'), variable('Secret', { value: secret })],
    blocks: [textInput('i')],
    theme: { general: { font: { type: 'Custom', family: '{{Said}}' } } },
    settings: { metadata: { title: '{{Said}}' } },
  })

  it.each(typed)('%s stays as it was handed over', async (text) => {
    const { chat } = createTestChat([definition], { sandbox })
    const body: StartChatBody = { prefilledVariables: { Said: text } }
    const response = await chat.startPublished({ publicId: 'flow-1', origin: undefined, body })
    expect(parseWire(response)['flow']).toMatchObject({
      theme: { general: { font: { family: text } } },
      settings: { metadata: { title: text } },
    })
  })
})

describe('in the text for a refused reply', () => {
  it.each(typed)('%s stays as it was handed over', async (text) => {
    const input = { id: 'i', type: 'url input', options: { retryMessageContent: 'No: {{Said}}' } }
    const { chat } = createTestChat([wholeDefinition({ variables, blocks: [input] })], { sandbox })
    const body = { prefilledVariables: { Said: text }, textBubbleContentFormat: 'markdown' } as StartChatBody
    await chat.startPublished({ publicId: 'flow-1', origin: undefined, body })
    const next = { message: text, textBubbleContentFormat: 'markdown' } as ContinueChatBody
    const response = await chat.continue({
      caller: anonymous,
      sessionId: 'session-1',
      origin: undefined,
      body: next,
    })
    expect(parseWire(response)['messages']).toMatchObject([{ content: { markdown: `No: ${text}` } }])
  })
})
