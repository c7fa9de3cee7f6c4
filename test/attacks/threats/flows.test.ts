import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCodeSandbox } from '../../../src/adapters/code-sandbox/code-sandbox.ts'
import { ProgramCache } from '../../../src/conversations/session/program-cache.ts'
import { fireTimer } from '../../../src/conversations/timers/fire-timer.ts'
import { type Block, request, Type } from '../../../src/own-blocks/kit/block-kit.ts'
import { compileYaml } from '../../../src/publication/flow-folder/compile-yaml.ts'
import { bubble, endlessFlow, setVariable, textInput, variable } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { registryWith } from '../../support/own-blocks.ts'
import { sandbox } from '../../support/sandbox.ts'
import { openService, shownIn } from './open-service.ts'

const code = (expressionToEvaluate: string, variableId = 'vT'): Json =>
  setVariable('s1', variableId, { expressionToEvaluate, isCode: true })

/** The addresses that a reader of CommonMark finds. */
function linksIn(markdown: string): string[] {
  const found = (node: Nodes): string[] => [
    ...('url' in node ? [node.url] : []),
    ...('children' in node ? node.children.flatMap(found) : []),
  ]
  return found(fromMarkdown(markdown))
}

describe('threats by flows', () => {
  it('A flow that comes with a public start is run in place of the published one', async () => {
    const { start } = await openService([wholeDefinition({ blocks: [bubble('b1', 'published')] })])
    const { status, body } = await start({ flow: wholeDefinition({ blocks: [bubble('b1', 'smuggled')] }) })
    expect([status, shownIn(body)]).toEqual([200, ['published']])
  })

  it('Code of a flow leaves its sandbox', async () => {
    process.env['SECRET_OF_HOST'] = 'hush'
    onTestFinished(() => void delete process.env['SECRET_OF_HOST'])
    for (const way of [
      'globalThis.process.env.SECRET_OF_HOST',
      'this.constructor.constructor("return process.env.SECRET_OF_HOST")()',
      '[].map.constructor("return globalThis.process.env.SECRET_OF_HOST")()',
      'require("node:process").env.SECRET_OF_HOST',
    ]) {
      const flow = wholeDefinition({
        variables: [variable('T', { value: 'kept' })],
        blocks: [code(`try { return ${way} } catch { return "caught" }`), bubble('b1', '{{T}}')],
      })
      const { start } = await openService([flow], { sandbox })
      const { body, text } = await start()
      expect(shownIn(body)).toEqual(['caught'])
      expect(text).not.toContain('hush')
    }
  })

  it('Code never ends, or takes all memory', async () => {
    const bounded = createCodeSandbox({ limitMs: 200, memoryBytes: 8 * 2 ** 20 })
    onTestFinished(() => bounded.close())
    const harmful = [
      'for (;;);',
      'const a = []; for (;;) a.push("x".repeat(10000) + a.length)',
      '/^(a+)+$/.test("a".repeat(40) + "!")',
    ]
    const blocks = harmful.map((content, index) => ({
      id: `c${index}`,
      type: 'Code',
      options: { content, isExecutedOnClient: false },
    }))
    const { start, app } = await openService(
      [wholeDefinition({ blocks: [...blocks, bubble('b1', 'still here')] })],
      { sandbox: bounded },
    )
    const turn = start()
    expect((await app.inject('/health')).statusCode).toBe(200)
    const { body } = await turn
    expect(shownIn(body)).toEqual(['still here'])
    expect(body.logs).toMatchObject(harmful.map(() => ({ status: 'error' })))
  })

  it('A flow never ends', async () => {
    const { start, app } = await openService([endlessFlow])
    const turn = start()
    expect((await app.inject('/health')).statusCode).toBe(200)
    const { status, body } = await turn
    expect(status).toBe(200)
    expect(body.logs).toMatchObject([
      { status: 'error', description: 'The conversation was stopped: more than 1000 blocks in one turn' },
    ])
  })

  it('A conversation goes on by itself without an end', async () => {
    const blocks = [
      { id: 'h', type: 'Handoff', options: { deadline: 'PT0S' } },
      { id: 'j', type: 'Jump', options: { groupId: 'g1' } },
    ]
    const { preview, world } = await openService([])
    expect((await preview({ flow: wholeDefinition({ blocks }) })).status).toBe(200)
    let turns = 0
    for (; turns < 100; turns++) {
      const [due] = await world.conversations.due(1)
      if (!due) break
      await fireTimer(due, world)
    }
    expect(turns).toBe(20)
  })

  it('The tests of a draft take for ever', async () => {
    const flow = wholeDefinition({
      variables: [variable('T')],
      groups: [{ id: 'g1', blocks: [{ ...textInput('i1', 'vT'), outgoingEdgeId: 'e' }] }],
      edges: [{ id: 'e', to: { groupId: 'g1' } }],
    })
    const answers = Array.from({ length: 20 }, (_, nth) => `${nth}`)
    const every = { name: 'every way', explore: { says: { 'text input': answers } } }
    const { post, app } = await openService([], { testsMs: 1 })
    const run = post('/v1/flows/test', { flow, tests: { tests: [every, every] } })
    expect((await app.inject('/health')).statusCode).toBe(200)
    const { body } = await run
    expect(body.tests[1].outcome).toBe('not run')
  })

  it('A text to convert takes for ever, or stands for far more', async () => {
    const { post, app } = await openService([], { convertMs: 300 })
    const keys = Array.from({ length: 40_000 }, (_, nth) => `k${nth}`)
    const refusal = 'takes longer than 300 ms to convert'
    const slow = post('/v1/flows/convert', { source: `{${keys.join(',')}}`, to: 'json' })
    expect((await app.inject('/health')).statusCode).toBe(200)
    const { status, body } = await slow
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ message: refusal }] } })
    const { post: convert } = await openService([])
    const long = `flow: f\ngroups: { A: [&a ${'x'.repeat(200_000)}, ${'*a, '.repeat(60)}] }`
    const unfolded = await convert('/v1/flows/convert', { source: long, to: 'json' })
    expect(unfolded.body.errors[0].message).toContain('must stand for at most 8388608 characters')
  })

  it('A recording that somebody sends hangs the service, or says what limits it has', async () => {
    const flow = wholeDefinition({ blocks: Array.from({ length: 20 }, (_, nth) => bubble(`b${nth}`)) })
    const elsewhere = await openService([])
    const { body } = await elsewhere.preview({ flow, record: true })
    const url = `/v1/sessions/${body.sessionId}/recording`
    const recording = (await elsewhere.app.inject({ method: 'GET', url })).json()
    for (const name of Object.keys(recording.start.limits)) recording.start.limits[name] = 1e300
    expect((await elsewhere.post('/v1/flows/replay', { recording })).body.divergence).toBeUndefined()
    const { post } = await openService([], { limits: { blocksPerTurn: 10 } })
    expect((await post('/v1/flows/replay', { recording })).body.divergence).toMatchObject({ turn: 1 })
    const [start] = recording.turns
    const turns = [{ ...start, found: { queue: [[]] } }]
    expect((await post('/v1/flows/replay', { recording: { ...recording, turns } })).status).toBe(400)
  })

  it('A check of a draft takes for ever', async () => {
    // Without flaws, as more findings than are listed end a check as well.
    const blocks = Array.from({ length: 3000 }, (_, nth) => bubble(`b${nth}`))
    const { post, app } = await openService([], { limits: { turnMs: 1 } })
    const check = post('/v1/flows/validate', { flow: wholeDefinition({ blocks }) })
    expect((await app.inject('/health')).statusCode).toBe(200)
    const { body } = await check
    expect(body.findings).toMatchObject([
      { code: 'not-all-checked', message: expect.stringMatching(/^The check took too long/) },
    ])
  })

  it('A pattern takes for ever', async () => {
    const matches = { variableId: 'vT', comparisonOperator: 'Matches regex', value: '^(a+)+$' }
    const flow = wholeDefinition({
      variables: [variable('T', { value: `${'a'.repeat(5000)}!` })],
      blocks: [
        {
          id: 'c1',
          type: 'Condition',
          items: [{ id: 'i1', outgoingEdgeId: 'e1', content: { comparisons: [{ id: 'x', ...matches }] } }],
        },
        bubble('b1', 'no match'),
      ],
      edges: [{ id: 'e1', to: { groupId: 'g1' } }],
    })
    const { start } = await openService([flow])
    expect(shownIn((await start()).body)).toEqual(['no match'])
  })

  it('Code takes for ever to parse', async () => {
    const patterns = [sameNames(600, 1100), setsOfTexts(500)]
    const expressions = patterns.map((pattern) => `{{T}} ? "parsed" : ${pattern}`)
    const rows = patterns.map((pattern) => ({ variableId: 'vT', bodyPath: `data.match(${pattern})` }))
    const request = {
      options: { webhook: { url: 'https://api.example' }, responseVariableMapping: rows },
    }
    const blocks = Array.from({ length: 16 }, (_, index) => [
      ...expressions.map((expression, number) => ({ ...code(expression), id: `s${index}-${number}` })),
      { id: `h${index}`, type: 'Webhook', ...request },
    ])
    const flow = wholeDefinition({
      variables: [variable('T', { value: 'set' })],
      blocks: [...blocks.flat(), bubble('b1', '{{T}}')],
    })
    const { preview } = await openService([])
    const { body } = await preview({ flow })
    expect(shownIn(body)).toEqual(['parsed'])
    expect(JSON.stringify(body.logs ?? [])).not.toContain('stopped')
  })

  it('Marks piled on a letter take for ever', async () => {
    const pile = `a${'\u0301\u0316'.repeat(30_000)}`
    const asking = (type: string, rest: Json) => {
      const options = { isMultipleChoice: true, dynamicVariableId: 'vPile' }
      return wholeDefinition({
        variables: [variable('Pile')],
        blocks: [{ id: 'i1', type, options, ...rest }],
      })
    }
    for (const flow of [
      asking('choice input', { items: [] }),
      asking('cards', { items: [{ id: 'k1', title: '{{Pile}}' }] }),
    ]) {
      const { start, say } = await openService([flow])
      const { body } = await start({ prefilledVariables: { Pile: pile } })
      for (let times = 0; times < 6; times++)
        expect((await say(body.sessionId, `b${pile.slice(0, 15_000)}`)).body.input).toMatchObject({
          id: 'i1',
        })
    }
  })

  it('What a visitor says is run as a template or as code', async () => {
    const inServer = 'setVariable("W", ["<{{= {{Said}}.trim() =}}>", {{= {{Said}}.trim() =}}].join())'
    const flow = wholeDefinition({
      variables: [
        variable('Said'),
        variable('Secret', { value: 'hush' }),
        ...['T', 'U', 'W'].map((name) => variable(name)),
      ],
      blocks: [
        textInput('i1', 'vSaid'),
        code('"<" + {{Said}} + ">"'),
        setVariable('inline', 'vU', { expressionToEvaluate: '"({{= {{Said}}.trim() =}})"' }),
        { id: 'server', type: 'Code', options: { content: inServer, isExecutedOnClient: false } },
        bubble('b1', 'You said {{Said}}'),
        bubble('b2', '{{T}}'),
        { id: 'm1', type: 'image', content: { url: 'https://a.example/{{Said}}' } },
        bubble('b3', '{{= {{Said}}.length =}}'),
        bubble('b4', '{{U}} {{W}}'),
        { id: 'client', type: 'Code', options: { content: 'show("{{= {{Said}}.trim() =}}")' } },
      ],
    })
    const { start, say } = await openService([flow], { sandbox })
    for (const said of [
      '{{Secret}}',
      '{{= 6 * 7 =}}',
      '" + {{Secret}} + "',
      '" + (40+2) + "',
      '[40+2]',
      '" + vSecret + "',
      '"; setVariable("Said", {{Secret}}); "',
    ]) {
      const { body } = await start()
      const { body: answer, text } = await say(body.sessionId, said)
      expect(text).not.toMatch(/hush|42/)
      const [first, second, image, length, inline] = answer.messages
      expect([
        first.content.markdown,
        second.content.markdown,
        image.content.url,
        length.content.markdown,
        inline.content.markdown,
      ]).toEqual([
        `You said ${said}`,
        `<${said}>`,
        `https://a.example/${said}`,
        String(said.length),
        `(${said}) <${said}>,${said}`,
      ])
      expect(answer.clientSideActions).toMatchObject([
        { scriptToExecute: { args: [{ value: said }], content: expect.not.stringContaining(said) } },
      ])
    }
  })

  it('A key reaches a prototype', async () => {
    const flow = wholeDefinition({
      variables: [variable('__proto__'), variable('constructor'), variable('T')],
      theme: { customCss: 'a' },
      blocks: [code('[{{__proto__}}, ({}).polluted, {{constructor}}].join()'), bubble('b1', '{{T}}')],
    })
    const polluting = '{"polluted":"yes","customCss":"b"}'
    const { start, preview, post } = await openService([flow], { sandbox })
    const bodies = [
      `{"__proto__":${polluting},"prefilledVariables":{"__proto__":${polluting},"constructor":{"prototype":${polluting}},"T":${polluting}}}`,
      `{"prefilledVariables":{"toString":"x","hasOwnProperty":"x","__defineGetter__":"x"}}`,
    ]
    for (const body of bodies) expect((await post('/v1/flows/flow-1/startChat', body)).status).toBe(200)
    const text = JSON.stringify({ flow }).replace('"customCss"', `"__proto__":${polluting},"customCss"`)
    const drafted = await post('/v1/flows/flow-1/preview/startChat', text)
    expect(drafted.body.flow.theme).toEqual({ customCss: 'a' })
    expect(drafted.text).not.toContain('polluted')
    expect(({} as Json)['polluted']).toBeUndefined()
    expect(shownIn((await start()).body)).toEqual([',,'])
    expect((await preview({ flow })).status).toBe(200)
  })

  it('A value breaks out of the address that it stands in', async () => {
    const link = { type: 'a', url: 'https://shop.example/?q={{Said}}', children: [{ text: 'go' }] }
    const flow = wholeDefinition({
      variables: [variable('Said')],
      blocks: [
        textInput('i1', 'vSaid'),
        {
          id: 't1',
          type: 'text',
          content: { richText: [{ type: 'p', children: [link, { text: ' {{Said}}' }] }] },
        },
      ],
    })
    const { start, say } = await openService([flow])
    for (const said of [
      'a [x](javascript:alert(1)',
      ') [x](https://evil.example) (',
      '> <https://evil.example> ',
      '[x](<java\tscript:alert(1)>) `',
    ]) {
      const { body } = await start()
      const { markdown } = (await say(body.sessionId, said)).body.messages[0].content
      const [first] = linksIn(markdown)
      expect(new URL(first!).origin).toBe('https://shop.example')
      expect(decodeURIComponent(new URL(first!).search)).toContain(said.trimEnd())
      expect(linksIn(markdown).filter((address) => !/^https:/.test(address))).toEqual([])
    }
  })

  it('A value breaks out of the style rule that it stands in', async () => {
    const rule = '.a { background: url("{{Said}}") } /* {{Said}} */ .b { color: {{Said}}; margin: 0 }'
    const flow = wholeDefinition({
      variables: [variable('Said')],
      theme: { customCss: rule, general: { font: { type: 'Custom', css: rule } } },
      blocks: [bubble('b1', 'Hi')],
    })
    const { start } = await openService([flow])
    for (const said of [
      '</style><script>alert(1)</script>',
      '"); } * { display: none } .c { content: ("',
      'red; } @import "https://evil.example"; .c { margin: 0',
      '*/ body { display: none } /*',
      'url(https://evil.example',
      '\\',
      'red\n}',
      '"Open Sans", \'Noto Sans\'',
      '"',
      '\'"\'} "a\'b" {',
    ]) {
      const { theme } = (await start({ prefilledVariables: { Said: said } })).body.flow
      for (const css of [theme.customCss, theme.general.font.css]) {
        // Without escapes, what is left has the structure of the rule that the author wrote.
        const structure = css.replace(/\\[\da-f]+ /g, '').replace(/[^{}()[\]"'*;@<>\\]/g, '')
        // Where it stands alone, a value may be a text.
        expect(structure.replaceAll('()', '')).toMatch(/^\{\(""\)\}\*\*\{(?:""|'')*;\}$/)
      }
    }
  })

  it('An address runs when it is opened', async () => {
    const harmful = 'javascript:alert(1)'
    const link = { type: 'a', url: '{{Said}}', children: [{ text: 'go' }] }
    const flow = wholeDefinition({
      variables: [variable('Said')],
      theme: {
        chat: { hostAvatar: { url: '{{Said}}' } },
        general: { background: { type: 'Image', content: harmful } },
      },
      settings: { metadata: { favIconUrl: harmful } },
      blocks: [
        { id: 't1', type: 'text', content: { richText: [{ type: 'p', children: [link] }] } },
        bubble('t2', '{{Said}}'),
        bubble('t3', '[go]({{Said}})'),
        { id: 'm1', type: 'image', content: { url: '{{Said}}', clickLink: { url: harmful } } },
        { id: 'm2', type: 'embed', content: { url: '{{Said}}' } },
        { id: 'm3', type: 'video', content: { url: '{{Said}}' } },
        { id: 'm4', type: 'audio', content: { url: '{{Said}}' } },
        { id: 'r1', type: 'Redirect', options: { url: '{{Said}}' } },
        {
          id: 'p1',
          type: 'picture choice input',
          items: [{ id: 'i1', pictureSrc: harmful, title: '{{Said}}' }],
        },
      ],
    })
    const { preview } = await openService([])
    for (const format of ['richText', 'markdown']) {
      const prefilledVariables = { Said: harmful }
      const { status, body } = await preview({ flow, prefilledVariables, textBubbleContentFormat: format })
      expect(status).toBe(200)
      const linked = [...JSON.stringify(body).matchAll(/\]\(([^)]*)/g)].map(([, address]) => address)
      const opened = [...addressesIn(body), ...linked]
      expect(opened.length).toBeGreaterThan(8)
      expect(opened.filter((address) => /^\s*javascript:/i.test(String(address)))).toEqual([])
    }
  })
})

/** A pattern in which each group of a name has to be told apart from all others, at every depth. */
const sameNames = (depth: number, count: number) =>
  `/${'(?:'.repeat(depth)}${'(?!(?<me>))|'.repeat(count)}${')'.repeat(depth)}/`

/** A pattern of classes that hold texts, each expanded to more than a thousand. */
const setsOfTexts = (count: number) => `/${'[\\p{RGI_Emoji_ZWJ_Sequence}]'.repeat(count)}/v`

/** What stands anywhere in an answer under a name that clients take for an address. */
function addressesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    typeof child === 'string' && /url$|^pictureSrc$|^content$/i.test(key) ? [child] : addressesIn(child),
  )
}

it('An own block is misled by what a visitor says, or breaks', async () => {
  const own: Block = {
    kit: 1,
    type: 'acme/echo',
    kind: 'logic',
    schema: Type.Object({ text: Type.String() }),
    *run({ text }) {
      if (text === 'throw') throw new Error('secret of the operator')
      const { ok } = yield* request({ url: `http://169.254.169.254/${text}` })
      return { logs: [{ status: 'error', description: ok ? 'reached' : ({ text } as never) }] }
    },
  }
  const programs = new ProgramCache({ registry: registryWith(own), maxBytes: 1e6 })
  const { preview, post, logLines } = await openService([], { programs, drafts: programs })
  const flow = wholeDefinition({
    variables: [variable('V')],
    blocks: [
      textInput('i1', 'vV'),
      { id: 'own', type: own.type, options: { text: '{{V}}' } },
      bubble('b1', 'still here'),
    ],
  })
  for (const said of ['throw', '../admin', '{{V}}', '__proto__']) {
    const { body } = await preview({ flow })
    const answer = await post(`/v1/sessions/${body.sessionId}/continueChat`, { message: said })
    expect(answer.status).toBe(200)
    expect(answer.body.messages).toMatchObject([{ id: 'b1' }])
    expect(answer.body.logs).toMatchObject([
      { description: 'A block failed and was skipped' },
      ...(said === 'throw'
        ? []
        : [{ description: expect.stringContaining('/logs/0/description must be string') }]),
    ])
    expect(answer.text + JSON.stringify(logLines)).not.toContain('secret of the operator')
  }
  const wrong = await preview({ flow: JSON.parse(JSON.stringify(flow).replace('"{{V}}"', '5')) })
  expect(wrong.status).toBe(400)
})

it('A flow in YAML stands for more than it is', () => {
  const around = (text: string) => `flow: f\n${text}\ngroups: {}\n`
  const tenfold = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(`*${of}`).join(', ')}]`
  const texts = [
    `a: ${'['.repeat(200_000)}`,
    around(`a: [${'b, '.repeat(300_000)}]`),
    around(['a: &a [x]', tenfold('b', 'a'), tenfold('c', 'b'), tenfold('d', 'c')].join('\n')),
  ]
  const read = texts.map((text) => compileYaml(text, []))
  expect(read.map(({ problems }) => problems)).toEqual([
    [{ message: 'must not lie deeper than 64 levels', place: '1:69' }],
    [{ message: 'must not hold more than 250000 values', place: '2:749996' }],
    [{ message: 'uses anchors more than 100 times', place: '3:12' }],
  ])
})
