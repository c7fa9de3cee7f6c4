import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'

/** Code that means harm. */
export interface HostileCode {
  readonly name: string
  /** One line, an expression. */
  readonly code: string
  /** Runs into a limit, of which there is a log: everywhere, or where code may await. */
  readonly isCutOff: 'everywhere' | 'where it awaits' | 'never'
}

const now = (code: string) => `(() => { ${code} })()`

/** What strangers may write. */
export const hostileCodes: readonly HostileCode[] = [
  { name: 'an endless loop', code: now('for (;;);'), isCutOff: 'everywhere' },
  { name: 'a list that grows', code: now('const a = []; for (;;) a.push({})'), isCutOff: 'everywhere' },
  {
    name: 'a text that grows',
    code: now('const a = []; for (;;) a.push("x".repeat(10000) + a.length)'),
    isCutOff: 'everywhere',
  },
  { name: 'a list of a billion', code: 'new Array(1e9).fill(7).map(String).join()', isCutOff: 'everywhere' },
  {
    name: 'a recursion without end',
    code: now('function f() { return f() + 1 } return f()'),
    isCutOff: 'everywhere',
  },
  { name: 'a pattern that backtracks', code: '/^(a+)+$/.test("a".repeat(40) + "!")', isCutOff: 'everywhere' },
  {
    name: 'a look-around that backtracks',
    code: '/(?=(a|aa)+$)b/.exec("a".repeat(60) + "!")',
    isCutOff: 'everywhere',
  },
  {
    name: 'a back-reference that backtracks',
    code: '"a".repeat(4000).replace(/(a*)*\\1b/g, "")',
    isCutOff: 'everywhere',
  },
  { name: 'a promise that never settles', code: 'new Promise(() => {})', isCutOff: 'where it awaits' },
  {
    name: 'promises without end',
    code: '((go) => go(go))((go) => Promise.resolve(go).then(go))',
    isCutOff: 'where it awaits',
  },
  {
    name: 'a changed prototype',
    code: now(
      'Object.prototype.toJSON = () => { for (;;); }; Array.prototype.push = null; JSON.stringify = null; return { __proto__: { a: 1 }, b: [1] }',
    ),
    isCutOff: 'never',
  },
  {
    name: 'a getter that never ends',
    code: '({ get a() { for (;;); } })',
    isCutOff: 'everywhere',
  },
  {
    name: 'the constructor of functions',
    code: 'this.constructor.constructor("return process")().env',
    isCutOff: 'never',
  },
  {
    name: 'the constructor of a value',
    code: '[].constructor.constructor("return globalThis")().process.env',
    isCutOff: 'never',
  },
  { name: 'an import', code: 'import("node:fs").then((fs) => fs.readdirSync("/"))', isCutOff: 'never' },
  { name: 'a require', code: 'require("node:child_process").execSync("env").toString()', isCutOff: 'never' },
]

/** Where code stands in a flow. */
export interface CodePlace {
  readonly name: string
  readonly mayAwait: boolean
  /** What is said after the start, to get there. */
  readonly message?: string
  /** The input that waits then. */
  readonly asks: string
  flow(code: string): Json
}

const target = { variables: [{ id: 'vT', name: 'T' }] }
const shown = {
  id: 'shown',
  type: 'text',
  content: { richText: [{ type: 'p', children: [{ text: 'still here' }] }] },
}
const last = { id: 'last', type: 'text input' }

const behind = (...blocks: Json[]): Json => ({ ...target, blocks: [...blocks, shown, last] })

export const codePlaces: readonly CodePlace[] = [
  {
    name: 'Set variable',
    mayAwait: true,
    asks: 'last',
    flow: (expressionToEvaluate) =>
      behind({
        id: 's',
        type: 'Set variable',
        options: { variableId: 'vT', expressionToEvaluate, isCode: true },
      }),
  },
  {
    name: 'code in a bubble',
    mayAwait: false,
    asks: 'last',
    flow: (code) => behind({ id: 'm', type: 'image', content: { url: `{{=${code}=}}` } }),
  },
  {
    name: 'a script',
    mayAwait: true,
    asks: 'last',
    flow: (code) =>
      behind({ id: 'c', type: 'Code', options: { content: `return ${code}`, isExecutedOnClient: false } }),
  },
  {
    name: 'a body path',
    mayAwait: false,
    message: '{"data":{"a":1}}',
    asks: 'last',
    flow: (bodyPath) =>
      behind({
        id: 'w',
        type: 'webhook',
        options: { responseVariableMapping: [{ id: 'm', variableId: 'vT', bodyPath }] },
      }),
  },
  {
    name: 'the theme',
    mayAwait: false,
    asks: 'last',
    flow: (code) => ({ ...behind(), theme: { customCss: `{{=${code}=}}` } }),
  },
  {
    name: 'the settings',
    mayAwait: false,
    asks: 'last',
    flow: (code) => ({ ...behind(), settings: { metadata: { title: `{{=${code}=}}` } } }),
  },
  {
    name: 'the text for a refused reply',
    mayAwait: false,
    message: 'no address',
    asks: 'i',
    flow: (code) => ({
      blocks: [shown, { id: 'i', type: 'email input', options: { retryMessageContent: `{{=${code}=}}` } }],
    }),
  },
]

/** A flow with the code in a place, under a public id of its own. */
export function hostileFlow(place: CodePlace, code: string, publicId: string): Json {
  return { ...wholeDefinition(place.flow(code)), id: publicId, publicId }
}

const endless = (id: string): Json => ({
  id,
  type: 'Code',
  options: { content: `for (;;); // ${id}`, isExecutedOnClient: false },
})

/** Runs code until all the time for the code of a turn is used up, and goes on then. */
export const endlessFlow: Json = {
  ...wholeDefinition(behind(...Array.from({ length: 50 }, (_, index) => endless(`c${index}`)))),
  id: 'flow-endless',
}

/** Asks for a name, and greets. */
export const plainFlow: Json = {
  ...wholeDefinition({
    variables: [{ id: 'vName', name: 'Name' }],
    blocks: [
      { id: 'i', type: 'text input', options: { variableId: 'vName' } },
      { ...shown, content: { richText: [{ type: 'p', children: [{ text: 'Hi {{Name}}' }] }] } },
    ],
  }),
  id: 'flow-plain',
}
