import { setVariable, variable } from '../../../fixtures/short-flows.ts'
import type { Json } from '../../../support/json.ts'
import type { RuleCase } from './rule-case.ts'

const at = '/groups/0/blocks/0/options'
const variables = [variable('Name')]
const script = (content: string, isExecutedOnClient = false) => ({
  variables,
  blocks: [{ id: 'k', type: 'Code', options: { content, isExecutedOnClient } }],
})
const expression = (expressionToEvaluate: string, isCode = true) => ({
  variables,
  blocks: [setVariable('s', 'vName', { expressionToEvaluate, isCode })],
})
const tool = (code: string) => ({
  blocks: [
    { id: 'o', type: 'openai', options: { action: 'Create chat completion', tools: [{ name: 'f', code }] } },
  ],
})

const valued = (expressionToEvaluate: string, more: Json = {}) => ({
  variables: [variable('A'), variable('B')],
  blocks: [setVariable('s', 'vA', { expressionToEvaluate, ...more })],
})

const onWhatsApp = (type: string, options: Json = {}, isEnabled = true) => ({
  settings: { whatsApp: { isEnabled } },
  blocks: [{ id: 'b', type, options, content: {} }],
})

export const code: readonly RuleCase[] = [
  {
    code: 'script-does-nothing-here',
    finds: [
      ...['Pixel', 'Google Analytics', 'Chatwoot', 'Code'].map(
        (type) => [onWhatsApp(type), '/groups/0/blocks/0'] as const,
      ),
      [onWhatsApp('Webhook', { isExecutedOnClient: true }), '/groups/0/blocks/0'],
      [onWhatsApp('Set variable', { isExecutedOnClient: true }), '/groups/0/blocks/0'],
    ],
    spares: [
      onWhatsApp('Pixel', {}, false),
      onWhatsApp('Redirect'),
      onWhatsApp('embed'),
      onWhatsApp('Code', { isExecutedOnClient: false }),
      onWhatsApp('Webhook'),
    ],
  },
  {
    code: 'looks-like-code',
    finds: [
      '{{A}} * (10',
      '{{A}} + 5)',
      '({{A}} - {{B}}',
      'Math.round({{A}} * (10',
      '{{A}} / 2 2',
      '{{A}} % 2 == = 1',
      '{{A}} === 1 && ) {{B}} > -1',
      '{{A}} <= (2 ? "yes" : "no"',
      `${' '.repeat(1_989)}{{A}} * (10`,
    ].map((text) => [valued(text), '/groups/0/blocks/0/options/expressionToEvaluate'] as const),
    spares: [
      ...[
        '{{A}} * 10',
        '{{A}} is 5 + (2 for me',
        '10 * (10',
        '{{A}}',
        '{{A}}, {{B}})',
        '{{A}} {{B}}',
        '{{A}} * ({{= 1 =}}',
        'from {{A}} - {{B}}',
        `${' '.repeat(1_990)}{{A}} * (10`,
      ].map((text) => valued(text)),
      valued('{{A}} * (10', { isCode: true }),
      valued('{{A}} * (10', { type: 'Empty' }),
    ],
  },
  {
    code: 'invalid-code',
    finds: [[expression('1 +'), `${at}/expressionToEvaluate`]],
    spares: [expression('1 + 1'), expression('1 +', false)],
  },
  {
    code: 'code-needs-browser',
    finds: [
      [script('document.title = {{Name}}'), `${at}/content`],
      [expression('new URL({{Name}}).host'), `${at}/expressionToEvaluate`],
      [expression('return window.location.href'), `${at}/expressionToEvaluate`],
      [expression('fetch({{Name}})'), `${at}/expressionToEvaluate`],
      [tool('setTimeout(() => 1, 5)'), `${at}/tools/0/code`],
    ],
    spares: [
      script('document.title = {{Name}}', true),
      script("const document = { title: 1 }; setVariable('Name', document.title)"),
      script('await fetch({{Name}})'),
      script("if (typeof window !== 'undefined') window.close()"),
      script("const answer = { location: 1, url: 2 }; setVariable('Name', answer.location)"),
      script('const f = ({ history }, [screen]) => history + screen; try { f() } catch (event) { f(event) }'),
      expression('look out of the window', false),
      expression('new Intl.NumberFormat().format({{Name}})'),
      expression('{{Name}} +'),
    ],
  },
  {
    code: 'code-writes-unknown',
    finds: [[script('setVariable("name", 1)'), `${at}/content`]],
    spares: [
      script('setVariable("Name", 1)'),
      script('setVariable(key, 1)'),
      script('setVariable("name", 1)', true),
    ],
  },
  {
    code: 'code-never-ends',
    finds: [
      [script('while (true) { {{Name}} }'), `${at}/content`],
      [script('for (;;) { [1].map(() => { return 1 }) }'), `${at}/content`],
      [script('do { go() } while (1)'), `${at}/content`],
    ],
    spares: [
      script('while (true) { if ({{Name}}) break }'),
      script('for (;;) { return 1 }'),
      script('for (let i = 0; i < 3; i++) { go(i) }'),
      script('while (true) {', false),
    ],
  },
]
