import { modelQuestion } from '../fixtures/short-flows.ts'
import type { Json } from '../support/json.ts'

const text = (words: string) => ({
  id: `t-${words.length}-${words.charCodeAt(0)}`,
  type: 'text',
  content: { richText: [{ type: 'p', children: [{ text: words }] }] },
})

const flow = (id: string, blocks: readonly Json[], rest: Json = {}): Json => ({
  version: '6.1',
  id,
  publicId: id,
  name: id,
  events: [{ id: 'start', type: 'start', outgoingEdgeId: 'e' }],
  edges: [{ id: 'e', from: { eventId: 'start' }, to: { groupId: 'g' } }],
  variables: [{ id: 'v', name: 'V' }],
  groups: [{ id: 'g', title: 'G', blocks }],
  settings: { typingEmulation: { enabled: false } },
  ...rest,
})

const choices = (...names: readonly string[]) => names.map((name) => ({ id: `c-${name}`, content: name }))

const pictures = [
  { id: 'p1', title: 'Cat' },
  { id: 'p2', title: 'Dog' },
]

const cards = [{ id: 'k1', title: 'Bike', paths: [{ id: 'k1p', text: 'Take it' }] }]

/** Asks by every input, and lets no other site in. */
export const everyInput = flow(
  'every-input',
  [
    text('Hello'),
    { id: 'i-text', type: 'text input', options: { labels: { placeholder: 'Name' } } },
    { id: 'i-number', type: 'number input', options: { max: 10 } },
    { id: 'i-mail', type: 'email input' },
    { id: 'i-url', type: 'url input' },
    { id: 'i-phone', type: 'phone number input', options: { defaultCountryCode: 'GB' } },
    { id: 'i-date', type: 'date input' },
    { id: 'i-time', type: 'time input' },
    { id: 'i-rating', type: 'rating input', options: { length: 5, buttonType: 'Icons' } },
    { id: 'i-choice', type: 'choice input', items: choices('Red', 'Blue') },
    {
      id: 'i-several',
      type: 'choice input',
      options: { isMultipleChoice: true },
      items: choices('Salt', 'Pepper'),
    },
    { id: 'i-picture', type: 'picture choice input', items: pictures },
    { id: 'i-cards', type: 'cards', items: cards },
    { id: 'i-file', type: 'file input' },
    text('That was all'),
  ],
  {
    settings: { typingEmulation: { enabled: false }, security: { allowedOrigins: ['https://shop.example'] } },
  },
)

const attack = "document.title = 'owned'; parent.document.title = 'owned'"

/** Brings code along in every place where somebody might run it. */
export const hostile = flow(
  'hostile',
  [
    text(`<img src=x onerror="${attack}"><script>${attack}</script>`),
    {
      id: 'link',
      type: 'text',
      content: { richText: [{ type: 'a', url: `javascript:${attack}`, children: [{ text: 'press me' }] }] },
    },
    {
      id: 'picture',
      type: 'image',
      content: { url: `javascript:${attack}`, clickLink: { url: `javascript:${attack}` } },
    },
    { id: 'frame', type: 'embed', content: { url: `data:text/html,<script>${attack}</script>` } },
    { id: 'script', type: 'Code', options: { content: attack } },
    {
      id: 'ask',
      type: 'rating input',
      options: {
        buttonType: 'Icons',
        length: 2,
        customIcon: { isEnabled: true, svg: `<svg xmlns="http://www.w3.org/2000/svg" onload="${attack}"/>` },
      },
    },
    { id: 'go', type: 'Redirect', options: { url: `javascript:${attack}` } },
    text('still here'),
  ],
  {
    theme: {
      customCss: `@import url("data:text/css,body{display:none}"); html, body, main { display: none } .bubble { color: rgb(1, 2, 3) }`,
    },
  },
)

/** Has a value made by a script in the browser. */
export const scripted = flow('scripted', [
  {
    id: 'set',
    type: 'Set variable',
    options: {
      variableId: 'v',
      expressionToEvaluate: "return origin + ' 42'",
      isCode: true,
      isExecutedOnClient: true,
    },
  },
  text('The value is {{V}}'),
  { id: 'ask', type: 'text input' },
])

/** Lets those in who are 18, and asks for the age by an input that takes any text. */
export const ageCheck: Json = {
  ...flow('age-check', []),
  edges: [
    { id: 'e', from: { eventId: 'start' }, to: { groupId: 'g-ask' } },
    { id: 'e-decide', to: { groupId: 'g-decide' } },
    { id: 'e-adult', to: { groupId: 'g-adult' } },
    { id: 'e-child', to: { groupId: 'g-child' } },
  ],
  variables: [{ id: 'v', name: 'Age' }],
  groups: [
    {
      id: 'g-ask',
      title: 'Ask',
      blocks: [
        text('How old are you?'),
        { id: 'i-age', type: 'text input', options: { variableId: 'v' }, outgoingEdgeId: 'e-decide' },
      ],
    },
    {
      id: 'g-decide',
      title: 'Decide',
      blocks: [
        {
          id: 'c-age',
          type: 'Condition',
          items: [
            {
              id: 'adult',
              outgoingEdgeId: 'e-adult',
              content: {
                comparisons: [
                  { id: 'c', variableId: 'v', comparisonOperator: 'Greater or equal to', value: '18' },
                ],
              },
            },
          ],
          outgoingEdgeId: 'e-child',
        },
      ],
    },
    { id: 'g-adult', title: 'Adult', blocks: [text("Come in, I'm {{Age}}.")] },
    { id: 'g-child', title: 'Child', blocks: [text('Come back later.')] },
  ],
}

/** Asks another service, and shows what it says. */
export const calling = flow('calling', [
  {
    id: 'call',
    type: 'Webhook',
    options: {
      variablesForTest: [],
      responseVariableMapping: [{ id: 'm', variableId: 'v', bodyPath: 'data.state' }],
      webhook: {
        method: 'POST',
        url: 'https://api.example/orders/7',
        body: '{"id": 7}',
        headers: [],
        queryParams: [],
      },
    },
  },
  text('Your order is {{V}}.'),
  { id: 'ask', type: 'text input' },
])

const askModel = {
  id: 'ask-model',
  type: 'openai',
  options: modelQuestion('Hi', 'v', { credentialsId: 'model', model: 'tiny-1' }),
}

/** Has a model say something while the visitor looks on. */
export const asking = flow('asking', [askModel, text('{{V}}'), text('It said that.')])

/** As `asking`, and says that it is a machine. */
export const disclosing = flow(
  'disclosing',
  [askModel, text('{{V}}'), text('Anything else?'), { id: 'ask', type: 'text input' }],
  { settings: { general: { aiDisclosure: true }, metadata: { title: 'Help desk' } } },
)

/** Waits for what happens elsewhere. */
export const listening = flow('listening', [
  text('Somebody looks into it'),
  {
    id: 'listen',
    type: 'webhook',
    options: { responseVariableMapping: [{ id: 'm', variableId: 'v', bodyPath: 'data.state' }] },
  },
  text('It is {{V}}.'),
])

/** Greets who was here before, as far as it remembers its visitors. */
export const remembering = (id: string, general: Json): Json =>
  flow(
    id,
    [
      text('Hello {{V}}!'),
      { id: 'name', type: 'text input', options: { variableId: 'v' } },
      text('Nice name'),
    ],
    { settings: { typingEmulation: { enabled: false }, general } },
  )

/** Asks the browser for all that is done without an answer, and then leads away. */
export const acting = flow('acting', [
  text('First'),
  { id: 'wait', type: 'Wait', options: { secondsToWaitFor: '0.05' } },
  { id: 'script', type: 'Code', options: { content: "throw new Error('secret of the author')" } },
  { id: 'analytics', type: 'Google Analytics', options: { trackingId: 'G-1', action: 'purchase' } },
  { id: 'pixel', type: 'Pixel', options: { pixelId: '1', eventType: 'Lead' } },
  { id: 'live', type: 'Chatwoot', options: { baseUrl: 'https://desk.example', websiteToken: 't' } },
  { id: 'tab', type: 'Redirect', options: { url: 'https://shop.example/tab', isNewTab: true } },
  { id: 'go-on', type: 'text input' },
  { id: 'away', type: 'Redirect', options: { url: 'shop.example/away' } },
])

/** Has a purchase counted, and says hello. */
export const counting = flow('counting', [
  { id: 'analytics', type: 'Google Analytics', options: { trackingId: 'G-1', action: 'purchase' } },
  text('Hello'),
  { id: 'ask', type: 'text input' },
])

/** Reminds whoever does not answer an input for two seconds. */
export const reminding = (id: string, input: Json): Json =>
  flow(id, [], {
    events: [
      { id: 'start', type: 'start', outgoingEdgeId: 'e' },
      { id: 'idle', type: 'idle', outgoingEdgeId: 'to-r', options: { after: 'PT2S' } },
    ],
    edges: [
      { id: 'e', from: { eventId: 'start' }, to: { groupId: 'g' } },
      { id: 'to-r', from: { eventId: 'idle' }, to: { groupId: 'r' } },
    ],
    groups: [
      { id: 'g', title: 'G', blocks: [text('Well?'), input, text('Thank you')] },
      { id: 'r', title: 'R', blocks: [text('Still there?')] },
    ],
  })

/** Takes one kind of file. */
export const uploading = flow('uploading', [
  {
    id: 'file',
    type: 'file input',
    options: { variableId: 'v', allowedFileTypes: { isEnabled: true, types: ['.pdf'] } },
  },
  text('Thank you'),
])

/** Waits for a page, and asks then. */
export const embedding = flow('embedding', [
  {
    id: 'page',
    type: 'embed',
    content: {
      url: 'https://shop.example/form',
      waitForEvent: { isEnabled: true, name: 'done', saveDataInVariableId: 'v' },
    },
  },
  text('It said {{V}}.'),
  { id: 'words', type: 'text input' },
  text('Thank you'),
])

/** Takes words or a recording. */
export const recording = flow(
  'recording',
  [
    {
      id: 'words',
      type: 'text input',
      options: { audioClip: { isEnabled: true }, attachments: { isEnabled: true } },
    },
    text('Thank you'),
    { id: 'more', type: 'text input' },
  ],
  { settings: { header: { isRestartShown: true } } },
)

/** Wants to be paid. */
export const paying = flow('paying', [
  {
    id: 'pay',
    type: 'payment input',
    options: {
      credentialsId: 'shop',
      amount: '12.50',
      currency: 'EUR',
      labels: { button: 'Pay now' },
      additionalInformation: { description: 'One bike', email: 'ada@shop.example' },
    },
  },
  text('Paid in full'),
])

/** Names in style sheets from elsewhere, and what each of them is. */
export const foreignNames = {
  '.typebot-container': '.chat',
  '.typebot-chat-view': '.frame',
  '.typebot-host-bubble': '.bubble.host',
  '.typebot-guest-bubble': '.bubble.guest',
  '.typebot-avatar-container': '.line .avatar',
  '.typebot-input-container': '.ask',
  '.typebot-progress-bar': '.progress div',
  '.typebot-selectable': '.choice',
  '[data-itemid="blue"]': '.choice:nth-of-type(2)',
  '[data-blockid="name"]': '.guest-line',
  '.typebot-button': '.send',
  '.typebot-input .text-input': '.field',
}

/** Brings a style sheet that was written elsewhere, and a font in it. */
export const styled = flow(
  'styled',
  [
    text('Hello'),
    { id: 'name', type: 'text input' },
    {
      id: 'colours',
      type: 'choice input',
      options: { isMultipleChoice: true },
      items: [
        { id: 'red', content: 'Red' },
        { id: 'blue', content: 'Blue' },
      ],
    },
  ],
  {
    theme: {
      general: {
        background: { type: 'Image', content: 'https://cdn.example/sea.png' },
        progressBar: { isEnabled: true, position: 'fixed' },
      },
      chat: {
        container: { backgroundColor: '#ffffff', opacity: 0.5, blur: 5, maxHeight: '80%', shadow: 'lg' },
        hostBubbles: {
          opacity: 0.2,
          border: { thickness: 2, color: '#000000', roundeness: 'large', opacity: 0.5 },
        },
        hostAvatar: { isEnabled: true, url: 'H' },
      },
      customCss: `@font-face { font-family: Own; src: url(data:font/woff2;base64,) } ${Object.keys(
        foreignNames,
      )
        .map((name, index) => `${name} { outline: 1px solid rgb(1, 2, ${index}) }`)
        .join('\n')}`,
    },
  },
)

/** Wants to be paid, without an account. */
export const unpayable = flow('unpayable', [
  { id: 'pay', type: 'payment input', options: { credentialsId: 'none', amount: '12.50', currency: 'EUR' } },
  text('Paid in full'),
])

/** Wants to be looked at, and to be waited for. */
export const dressed = flow(
  'dressed',
  [text('One'), text('Two words'), { id: 'ask', type: 'text input' }, { id: 'ask-2', type: 'text input' }],
  {
    theme: {
      general: {
        background: { type: 'Color', content: '#102030' },
        progressBar: { isEnabled: true, color: '#00ff00', placement: 'Bottom' },
      },
      chat: {
        hostAvatar: { isEnabled: true, url: '🤖' },
        guestAvatar: { isEnabled: true, url: '🙂' },
        hostBubbles: { backgroundColor: '#445566' },
      },
      customCss:
        'html, body, main { display: none !important } .bubble.host { position: fixed; top: -200px; outline: 3px solid rgb(1, 2, 3) }',
    },
    settings: { typingEmulation: { enabled: true, speed: 1, maxDelay: 600 } },
  },
)

/** Talks before a film. */
export const filmed = flow('filmed', [{ id: 'ask', type: 'text input' }], {
  theme: { general: { background: { type: 'Image', content: 'https://shop.example/film.webm' } } },
})

/** Greets by a name that it may be given, and lets one site embed it. */
export const embedded = (id: string, allowedOrigins: readonly string[]): Json =>
  flow(
    id,
    [
      text('Hello {{First name}}!'),
      { id: 'ask', type: 'text input' },
      text('Thank you'),
      { id: 'ask-2', type: 'text input' },
      text('That was all'),
    ],
    {
      variables: [{ id: 'v', name: 'First name' }],
      settings: { typingEmulation: { enabled: false }, security: { allowedOrigins } },
    },
  )

/** Asks in words, by choices, and for something that can be refused. */
export const announcing = (allowedOrigins: readonly string[]): Json =>
  flow(
    'announcing',
    [
      text('Who are you?'),
      { id: 'name', type: 'text input' },
      text('Tea or coffee?'),
      { id: 'drink', type: 'choice input', items: choices('Tea', 'Coffee') },
      text('How do we reach you?'),
      { id: 'mail', type: 'email input' },
      text('That was all'),
    ],
    { settings: { typingEmulation: { enabled: false }, security: { allowedOrigins } } },
  )

/** Asks by each of the 17 forms of inputs that the page has, in a language that it speaks. */
export const everyForm = (language: string, greeting: string, allowedOrigins: readonly string[]): Json =>
  flow(
    `forms-${language}`,
    [
      text(greeting),
      { id: 'text', type: 'text input' },
      { id: 'long', type: 'text input', options: { isLong: true } },
      { id: 'number', type: 'number input' },
      { id: 'email', type: 'email input' },
      { id: 'url', type: 'url input' },
      { id: 'phone', type: 'phone number input', options: { defaultCountryCode: 'GB' } },
      { id: 'date', type: 'date input' },
      { id: 'range', type: 'date input', options: { isRange: true } },
      { id: 'time', type: 'time input' },
      { id: 'rating', type: 'rating input', options: { length: 5, labels: { left: '0', right: '5' } } },
      { id: 'stars', type: 'rating input', options: { length: 5, buttonType: 'Icons' } },
      { id: 'choice', type: 'choice input', items: choices('Red', 'Blue') },
      {
        id: 'several',
        type: 'choice input',
        options: { isMultipleChoice: true },
        items: choices('Salt', 'Pepper'),
      },
      { id: 'pictures', type: 'picture choice input', items: pictures },
      { id: 'cards', type: 'cards', items: cards },
      { id: 'file', type: 'file input' },
      {
        id: 'payment',
        type: 'payment input',
        options: {
          credentialsId: 'shop',
          amount: '12.50',
          currency: 'EUR',
          additionalInformation: { email: 'ada@shop.example' },
        },
      },
      text('That was all'),
    ],
    {
      settings: {
        typingEmulation: { enabled: false },
        general: { language },
        header: { isRestartShown: true },
        security: { allowedOrigins },
      },
    },
  )

/** Asks in words and otherwise, with a turn between that is longer than a screen. */
export const talking = flow('talking', [
  text('Who are you?'),
  { id: 'name', type: 'text input', options: { variableId: 'v' } },
  ...Array.from({ length: 30 }, (_, index) => text(`Line ${index + 1}${'.'.repeat(index)}`)),
  {
    id: 'drink',
    type: 'choice input',
    items: [
      { id: 'tea', content: 'Tea' },
      { id: 'coffee', content: 'Coffee' },
    ],
  },
  text('How do we reach you?'),
  { id: 'mail', type: 'email input' },
  { id: 'photo', type: 'file input', options: { isMultipleAllowed: true } },
  text('Thank you, {{V}}'),
])

/** Speaks a language that is read from the right. */
export const arabic = flow(
  'arabic',
  [
    text('مرحبًا! كيف يمكننا مساعدتك؟'),
    { id: 'topic', type: 'choice input', items: choices('تتبّع طلب', 'إرجاع منتج', 'سؤال آخر') },
    text('ما رقم الطلب؟ تجده في رسالة التأكيد.'),
    { id: 'number', type: 'text input' },
    text('شكرًا لك. الطلب في الطريق إليك. كيف تقيّم خدمتنا؟'),
    { id: 'stars', type: 'rating input', options: { length: 5, buttonType: 'Icons' } },
  ],
  {
    name: 'متجر الشمال',
    settings: {
      typingEmulation: { enabled: false },
      general: { language: 'ar' },
      header: { isRestartShown: true },
    },
  },
)

/** Takes its time before each message but the first. */
export const slow = flow(
  'slow',
  [
    text('Who are you?'),
    { id: 'name', type: 'text input' },
    ...['We look for you', 'we look once more', 'and have found you'].map(text),
    { id: 'wish', type: 'text input', options: { isLong: true } },
    text('So be it, then'),
  ],
  { settings: { typingEmulation: { enabled: true, speed: 200, maxDelay: 2 } } },
)
