import { aiDisclosures } from '../../../../schemas/ai-disclosure.ts'
import { variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const at = '/groups/0/blocks/0'
const variables = [variable('A')]
const block = (type: string, options?: Json) => ({ variables, blocks: [{ id: 'b', type, options }] })
const keptBeside = (options: Json) => ({ blocks: [{ id: 'b', type: 'Webhook', webhookId: 'w', options }] })
const request = (webhook: Json, options: Json = {}) => block('Webhook', { webhook, ...options })
const to = (url: string, options: Json = {}) => request({ url }, options)
const sending = (body: string, headers: Json[] = []) =>
  request({ url: 'https://a.example', body, headers }, { isCustomBody: true })
const mapping = (...bodyPaths: string[]) =>
  to('https://a.example', {
    responseVariableMapping: bodyPaths.map((bodyPath) => ({ id: 'm', variableId: 'vA', bodyPath })),
  })
const model = (options: Json) => block('openai', { action: 'Create chat completion', model: 'm', ...options })
const said = [{ role: 'user', content: 'Hello' }]
const tools = (...given: Json[]) => model({ messages: said, tools: given })
const url = `${at}/options/webhook/url`

/** A bubble and an input before a model is asked. */
const greeting = (text: string, more: Json = {}) => ({
  variables,
  blocks: [
    { id: 't', type: 'text', content: { richText: [{ type: 'p', children: [{ text }] }] } },
    { id: 'i', type: 'text input' },
    { id: 'b', type: 'openai', options: { action: 'Create chat completion', model: 'm' } },
  ],
  ...more,
})

export const calls: readonly RuleCase[] = [
  {
    code: 'no-ai-disclosure',
    finds: [
      [model({ messages: said }), at],
      [block('elevenlabs', { action: 'Convert text to speech' }), at],
      ...[
        'Hello, I am Ada. How can I help?',
        'Ho scritto ai clienti',
        'J’ai reçu votre message',
        'Ia pergi ke pasar',
        'Belli ki geldiniz',
        'Gruß von der Bottega, Maria',
      ].map((text): [Json, string] => [greeting(text), '/groups/0/blocks/2']),
      [
        // What is said behind the first answer comes too late.
        {
          variables,
          blocks: [
            { id: 'i', type: 'text input' },
            { id: 't', type: 'text', content: 'I am a bot' },
            { id: 'b', type: 'openai', options: { action: 'Create chat completion', model: 'm' } },
          ],
        },
        '/groups/0/blocks/2',
      ],
    ],
    spares: [
      { ...model({ messages: said }), settings: { general: { aiDisclosure: true } } },
      { variables, blocks: [{ id: 't', type: 'text', content: 'Hello' }] },
      ...Object.values(aiDisclosures).map((text) => greeting(text)),
      ...['I am a chatbot.', 'Ihr virtueller Helfer', 'Réponse automatique', 'Я бот'].map((text) =>
        greeting(text),
      ),
    ],
  },
  {
    code: 'not-available',
    finds: [[block('openai', { action: 'Compose music' }), at]],
    spares: [block('openai', { action: 'Create chat completion' }), block('Webhook', {})],
  },
  {
    code: 'retired-action',
    finds: [[block('openai', { action: 'Ask Assistant' }), `${at}/options/action`]],
    spares: [block('openai', { action: 'Ask Model' }), block('groq', { action: 'Create chat completion' })],
  },
  {
    code: 'no-tool-allowed',
    finds: [
      [model({ messages: said, mcpServers: [{}] }), `${at}/options/mcpServers/0`],
      [
        model({ messages: said, mcpServers: [{ tools: ['a'] }, { credentialsId: 'c', tools: [] }] }),
        `${at}/options/mcpServers/1`,
      ],
    ],
    spares: [model({ messages: said, mcpServers: [{ tools: ['a'] }] }), model({ messages: said })],
  },
  {
    code: 'account-missing',
    surroundings: {
      hasAccount: (type, id) => ['smtp post', 'openai default-openai', 'gmail box'].includes(`${type} ${id}`),
    },
    finds: [
      [block('Email', { recipients: ['a@b.example'] }), `${at}/options`],
      [block('Email', { credentialsId: 'gone' }), `${at}/options/credentialsId`],
      [block('anthropic', { action: 'x' }), `${at}/options`],
      [block('gmail', { credentialsId: 'post' }), `${at}/options/credentialsId`],
      [block('Google Sheets', { action: 'Get data' }), `${at}/options`],
      [block('zendesk', { credentialsId: 'gone' }), `${at}/options/credentialsId`],
    ],
    spares: [
      block('Email', { credentialsId: 'post' }),
      block('openai', { action: 'x' }),
      block('OpenAI', { task: 'Create chat completion' }),
      block('gmail', { credentialsId: 'box' }),
      block('zendesk', { webWidgetKey: 'k' }),
      block('qr-code', { data: 'x' }),
      block('Email'),
    ],
  },
  {
    code: 'request-without-url',
    finds: [
      [request({ method: 'GET' }), `${at}/options/webhook`],
      [to(' '), `${at}/options/webhook`],
      [keptBeside({}), `${at}/webhookId`],
    ],
    spares: [
      to('https://a.example'),
      block('Webhook'),
      keptBeside({ webhook: { url: 'https://a.example' } }),
    ],
  },
  {
    code: 'bad-url',
    finds: [
      [to('a.example/x'), url],
      [to('https://a b.example'), url],
      [to('ftp://a.example'), url],
    ],
    spares: [
      to('https://a.example/{{A}}?q={{A}}'),
      to('https://{{A}}.example:{{A}}/'),
      to('{{A}}/x'),
      to(''),
    ],
  },
  {
    code: 'plain-http',
    finds: [[to('http://a.example/x'), url]],
    spares: [to('https://a.example'), to('http://10.0.0.7/x'), to('http://localhost:3000')],
  },
  {
    code: 'private-address',
    finds: [
      [to('http://localhost:3000/x'), url],
      [to('https://192.168.1.4'), url],
      [to('http://[::1]:8080/'), url],
      [to('https://db.internal/{{A}}'), url],
      [to('http://172.31.255.255/'), url],
      [to('http://100.64.0.1/'), url],
      [to('http://[fd12::1]/'), url],
      [to('http://[::ffff:10.0.0.1]/'), url],
    ],
    spares: [
      to('https://a.example'),
      to('https://172.32.0.1/'),
      to('https://100.128.0.1/'),
      to('https://[2606:4700::1111]/'),
      to('https://172.15.0.1/'),
      to('https://{{A}}/'),
      to('http://localhost', { isExecutedOnClient: true }),
    ],
  },
  {
    code: 'body-not-json',
    finds: [
      [sending(`{${' '.repeat(64 * 1024 - 1)}`), `${at}/options/webhook/body`],
      [sending('{"a": "{{A}}",}'), `${at}/options/webhook/body`],
      [sending('{"a": {{A}}'), `${at}/options/webhook/body`],
    ],
    spares: [
      sending('{"a": "{{A}}", "b": {{A}}, "c": {{= [1] =}}}'),
      sending('name={{A}}'),
      sending(`{${' '.repeat(64 * 1024)}`),
      sending('{{A}}'),
      sending('{a}', [{ id: 'h', key: 'Content-Type', value: 'text/plain' }]),
    ],
  },
  {
    code: 'path-root-missing',
    finds: ['free', 'body.free', 'items[0]', 'items[10].name', "x['a b']", 'x["a"]', 'a?.b', ' free '].map(
      (path) => [mapping(path), `${at}/options/responseVariableMapping/0/bodyPath`] as const,
    ),
    spares: [
      mapping('data', 'data.free', 'data[0].a', 'statusCode', 'response.data', 'true', 'null', 'undefined'),
      mapping('Math.max(1, data.a)', 'free.map((x) => x)', 'a + b', 'JSON', '{{A}}.b', '"free"', ''),
    ],
  },
  {
    code: 'failure-ignored',
    finds: [[mapping('data.name'), `${at}/options/responseVariableMapping`]],
    spares: [mapping('data.name', 'statusCode'), mapping(), to('https://a.example')],
  },
  {
    code: 'mail-without-recipient',
    finds: [[block('Email', { credentialsId: 'post', recipients: [''] }), `${at}/options`]],
    spares: [block('Email', { recipients: ['{{A}}'] }), block('Email')],
  },
  {
    code: 'mail-in-preview',
    finds: [
      [block('Email', { recipients: ['a@b.example'] }), at],
      [block('gmail', {}), at],
      [
        { blocks: ['Webhook', 'Email', 'gmail'].map((type) => ({ id: type, type, options: {} })) },
        '/groups/0/blocks/1',
      ],
    ],
    spares: [block('Email'), block('Webhook', {})],
  },
  {
    code: 'model-missing',
    finds: [
      [block('openai', { model: 'm' }), `${at}/options`],
      [block('mistral', { action: 'Create chat completion' }), `${at}/options`],
    ],
    spares: [model({}), block('openai')],
  },
  {
    code: 'messages-missing',
    finds: [
      [model({ messages: [{ role: 'user' }] }), `${at}/options`],
      [model({ action: 'Generate variables' }), `${at}/options`],
    ],
    spares: [
      model({ messages: said }),
      model({ systemMessage: 'Be brief' }),
      model({ messages: [{ role: 'Dialogue', dialogueVariableId: 'vA' }] }),
      model({ action: 'Generate variables', prompt: '{{A}}' }),
    ],
  },
  {
    code: 'bad-tool-name',
    finds: [
      [tools({ name: 'find a flight', code: '1' }), `${at}/options/tools/0/name`],
      [tools({ name: 'find', code: '1' }, { name: 'find', code: '2' }), `${at}/options/tools/1/name`],
      [tools({ code: '1' }), `${at}/options/tools/0`],
      [
        tools({ name: 'find', code: '1', parameters: [{ name: 'x', type: 'enum' }] }),
        `${at}/options/tools/0/parameters/0`,
      ],
    ],
    spares: [
      tools({ name: 'find_flight-2', code: '1', parameters: [{ name: 'x', type: 'enum', values: ['a'] }] }),
    ],
  },
]
