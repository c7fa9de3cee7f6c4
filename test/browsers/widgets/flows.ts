import type { Json } from '../../support/json.ts'

const text = (words: string): Json => ({
  id: `t-${words}`,
  type: 'text',
  content: { richText: [{ type: 'p', children: [{ text: words }] }] },
})

const settings = { general: { isBrandingEnabled: false }, typingEmulation: { enabled: false }, metadata: {} }

/** Widgets before 0.2 read all of this without asking whether it is there, and the options of inputs as well: definitions of their time had them. */
const theme = {
  general: { font: 'Arial', background: { type: 'None' } },
  chat: { hostAvatar: { isEnabled: false }, hostBubbles: {}, guestBubbles: {}, buttons: {}, inputs: {} },
}

const flow = (id: string, blocks: readonly Json[], rest: Json = {}): Json => ({
  version: '6',
  id,
  publicId: id,
  name: id,
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e' }],
  edges: [{ id: 'e', from: { eventId: 'start' }, to: { groupId: 'g' } }],
  variables: ['Name', 'Answer', 'Widget'].map((name) => ({ id: `v${name}`, name })),
  groups: [{ id: 'g', title: 'G', blocks }],
  settings,
  theme,
  ...rest,
})

const ask = (type: string, placeholder: string, options: Json = {}): Json => ({
  id: `i-${placeholder}`,
  type,
  options: { variableId: 'vName', labels: { placeholder, button: 'Send' }, ...options },
})

const askName = ask('text input', 'Name')

const question = (content: string): Json => ({
  id: 'm1',
  type: 'openai',
  options: {
    action: 'Create chat completion',
    credentialsId: 'model',
    model: 'any',
    messages: [{ role: 'user', content }],
    responseMapping: [{ variableId: 'vAnswer', item: 'Message content' }],
  },
})

const remembering = (id: string): Json =>
  flow(
    id,
    [
      text('Welcome {{Name}}!'),
      askName,
      text('Hello {{Name}}'),
      ask('text input', 'Plan', { variableId: 'vAnswer' }),
      text('Bye {{Name}}'),
    ],
    {
      settings: {
        ...settings,
        general: { rememberUser: { isEnabled: true, storage: 'local' }, isNewResultOnRefreshEnabled: false },
      },
    },
  )

/** What widgets are shown, each for one of their functions. Pictures, sounds and models are of `site`. */
export function widgetFlows(site: string): Json[] {
  const pictureSrc = `${site}/picture`
  return [
    flow('talk', [text('Who are you?'), askName, text('Hello {{Name}}')]),
    flow('bubbles', [
      text('A text'),
      { id: 'b1', type: 'image', content: { url: pictureSrc } },
      { id: 'b2', type: 'video', content: { url: `${site}/film`, type: 'url' } },
      {
        id: 'b3',
        type: 'video',
        content: { url: 'https://youtube.com/watch?v=1', type: 'youtube', id: '1' },
      },
      { id: 'b4', type: 'embed', content: { url: `${site}/frame`, height: 100 } },
      { id: 'b5', type: 'audio', content: { url: `${site}/sound`, isAutoplayEnabled: false } },
      text('That was all'),
    ]),
    flow('inputs', [
      askName,
      ask('number input', 'Number'),
      ask('email input', 'Mail'),
      ask('url input', 'Address'),
      ask('phone number input', 'Phone', { defaultCountryCode: 'GB' }),
      ask('date input', 'Date', { labels: { from: 'From:', to: 'To:', button: 'Send' }, hasTime: false }),
      ask('rating input', 'Rating', {
        length: 5,
        buttonType: 'Numbers',
        labels: { left: '', right: '', button: 'Send' },
      }),
      {
        id: 'i1',
        type: 'choice input',
        options: { isMultipleChoice: false, buttonLabel: 'Done' },
        items: [{ id: 'c1', content: 'Red' }],
      },
      {
        id: 'i2',
        type: 'choice input',
        options: { isMultipleChoice: true, buttonLabel: 'Done' },
        items: [
          { id: 's1', content: 'Salt' },
          { id: 's2', content: 'Pepper' },
        ],
      },
      {
        id: 'i3',
        type: 'picture choice input',
        options: { isMultipleChoice: false, buttonLabel: 'Done' },
        items: [{ id: 'p1', title: 'Dog', pictureSrc }],
      },
      text('That was all'),
    ]),
    flow('newer-inputs', [
      ask('time input', 'Time'),
      {
        id: 'i1',
        type: 'cards',
        items: [
          { id: 'k1', title: 'Bike', imageUrl: pictureSrc, paths: [{ id: 'k1p', text: 'Take the bike' }] },
        ],
      },
      text('That was all'),
    ]),
    flow('upload', [
      ask('file input', 'File', { labels: { placeholder: 'A file', button: 'Upload' }, sizeLimit: 1 }),
      text('Got {{Name}}'),
    ]),
    flow('payment', [
      ask('payment input', 'Payment', {
        provider: 'Stripe',
        credentialsId: 'shop',
        amount: '12.50',
        currency: 'EUR',
        labels: { button: 'Pay', success: 'Paid' },
      }),
      text('Thank you'),
    ]),
    flow('refusal', [
      ask('email input', 'Mail', { retryMessageContent: 'Once more' }),
      text('Hello {{Name}}'),
    ]),
    flow('redirect', [
      { id: 'r1', type: 'Redirect', options: { url: `${site}/elsewhere`, isNewTab: false } },
    ]),
    flow('wait', [
      text('Before'),
      { id: 'w1', type: 'Wait', options: { secondsToWaitFor: '1.25' } },
      text('After'),
    ]),
    flow('model', [question('Hello'), text('{{Answer}}'), askName, text('Bye {{Name}}')]),
    flow('slow-model', [question('{{Widget}}'), text('{{Answer}}'), askName]),
    remembering('reload'),
    remembering('return'),
    flow('command', [], {
      events: [
        { id: 'start', type: 'start', outgoingEdgeId: 'e' },
        { id: 'help', type: 'command', outgoingEdgeId: 'e2', options: { command: 'help' } },
      ],
      edges: [
        { id: 'e', from: { eventId: 'start' }, to: { groupId: 'g' } },
        { id: 'e2', from: { eventId: 'help' }, to: { groupId: 'g2' } },
      ],
      groups: [
        { id: 'g', title: 'G', blocks: [askName] },
        { id: 'g2', title: 'H', blocks: [text('Help is coming')] },
      ],
    }),
    flow('webhook', [
      text('Listening'),
      {
        id: 'hook',
        type: 'webhook',
        options: { responseVariableMapping: [{ id: 'm', variableId: 'vAnswer', bodyPath: 'data.state' }] },
      },
      text('Heard {{Answer}}'),
    ]),
  ]
}
