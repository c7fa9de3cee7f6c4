import { expect, it } from 'vitest'
import type { ClientSideAction } from '../../schemas/action.ts'
import type { Message } from '../../schemas/message.ts'
import { channelWordsOf } from '../../src/channels/words.ts'
import type { ChatDependencies } from '../../src/conversations/dependencies.ts'
import { markdownOf } from '../../src/mcp/write-answer.ts'
import { openCaseWorld } from '../support/case-world.ts'
import { type ConformanceCase, type ConformanceTurn, readConformanceFiles } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { buildMcpApp, openNewClient, openOldClient, type Person, sendNew } from '../support/mcp-clients.ts'
import { createTestChat, type TestChat } from '../support/start.ts'
import { useCasesOf } from '../support/use-cases.ts'

const startFields = new Set(['textBubbleContentFormat', 'prefilledVariables'])
const browserInputs = ['file input', 'payment input']

/** The reason why an assistant can't lead a conversation; undefined where it can. */
function whyNot(testCase: ConformanceCase): string | undefined {
  const then = untilRefused(testCase)
  const request = { ...testCase.request, ...testCase.publicRequest }
  if (Object.keys(request).some((field) => !startFields.has(field))) return 'its start says more than values'
  const values = Object.values((request['prefilledVariables'] ?? {}) as Json)
  if (values.some((value) => typeof value !== 'string')) return 'its start has values that are no texts'
  if (testCase.publicResponse && 'error' in testCase.publicResponse) return 'it is refused'
  if (then.some(({ after, operator }) => after ?? operator)) return 'time passes, or an operator acts'
  const responses = [testCase.response, ...then.map(({ response }) => response ?? {})] as Json[]
  if (responses.some(({ input }) => browserInputs.includes(String((input as Json)?.['type']))))
    return 'it asks for a file or a payment'
  const actions = responses.flatMap(
    ({ clientSideActions }) => (clientSideActions ?? []) as ClientSideAction[],
  )
  if (actions.some(({ type, expectsDedicatedReply }) => expectsDedicatedReply && type !== 'wait'))
    return 'a browser has to reply to it'
  const messages = responses.flatMap((response) => (response['messages'] ?? []) as Message[])
  if (messages.some((one) => one.type === 'embed' && one.content.waitForEvent?.isEnabled))
    return 'a page in it has to send an event'
  if (then.some(({ request }) => typeof (request?.['message'] ?? '') !== 'string'))
    return 'more than words is said'
  if (then.some(({ request }, index) => request?.['message'] === undefined && !endsInWait(responses[index])))
    return 'a reply in it says nothing'
  if (
    then.some(
      ({ request }) =>
        request && Object.keys(request).some((key) => !['message', 'textBubbleContentFormat'].includes(key)),
    )
  )
    return 'a reply in it does more than answer'
  if (then.some(({ request }) => request?.['message'] === '')) return 'an empty text is said'
  return undefined
}

const endsInWait = (response: Json | undefined) =>
  ((response?.['clientSideActions'] ?? []) as ClientSideAction[]).some(
    ({ type, expectsDedicatedReply }) => type === 'wait' && expectsDedicatedReply,
  )

/** The turns before a request that is refused, which no client makes that waits for its turn. */
function untilRefused({ then = [] }: ConformanceCase): readonly ConformanceTurn[] {
  const refused = then.findIndex(({ error }) => error)
  return refused < 0 ? then : then.slice(0, refused)
}

const saysOf = (testCase: ConformanceCase) =>
  untilRefused(testCase).flatMap(({ request }) => {
    const said = request?.['message']
    return typeof said === 'string' ? [said] : []
  })

/** A service whose world is another one for each conversation: to build one for each would take minutes. */
async function openService() {
  let world = createTestChat()
  const current = new Proxy({} as ChatDependencies, {
    get: (_target, name) => Reflect.get(world, name),
  })
  const { app } = await buildMcpApp(useCasesOf(current))
  let person: Person = () => ({ action: 'cancel' })
  return {
    app,
    inWords: await openOldClient(app),
    byForms: await openNewClient(app, (params) => person(params)),
    /** Who answers from now on. */
    seat(next: Person) {
      person = next
    },
    enter(next: TestChat) {
      world = next
    },
  }
}

type Service = Awaited<ReturnType<typeof openService>>

/** A world in which the flow of a case is offered to assistants. */
async function openOffered({ app, enter }: Pick<Service, 'app' | 'enter'>, testCase: ConformanceCase) {
  const { definition, linked = [], random } = testCase
  const { chat, sent, expected } = await openCaseWorld(testCase, 'public')
  const settings = (definition['settings'] ?? {}) as Json
  const values = { ...testCase.request, ...testCase.publicRequest }['prefilledVariables'] as Json | undefined
  const offered = Object.fromEntries(Object.keys(values ?? {}).map((name) => [name, name]))
  const mcp = { description: 'A case', arguments: offered }
  const general = { ...(settings['general'] as Json | undefined), mcp }
  const flow = { ...definition, settings: { ...settings, general } }
  const world = createTestChat([flow, ...linked], { random, ...chat })
  enter(world)
  const publicId = String(definition['publicId'] ?? definition['id'])
  const words = channelWordsOf(flow.settings)
  return { app, world, sent, expected, publicId, words, values: (values ?? {}) as Json }
}

type Offered = Awaited<ReturnType<typeof openOffered>>

/** What is left of a conversation: all that was said in it and came of it, but for the names of requests. */
async function leftBy(
  { world, sent, expected }: Offered,
  testCase: ConformanceCase,
  shown: readonly string[],
) {
  expect(sent, testCase.description).toEqual(expected)
  const result = await world.results.get(String(testCase.definition['id']), 'result-1')
  const logs = result?.logs?.map(({ requestId: _, ...log }) => log)
  return { shown: shown.filter(Boolean).join('\n\n'), result: { ...result, logs } }
}

/** Over HTTP, as a page would lead it. */
async function playOverHttp(service: Service, testCase: ConformanceCase) {
  const offered = await openOffered(service, testCase)
  const { app, publicId, values, words } = offered
  const post = async (url: string, payload: Json): Promise<Json> => {
    const whole = { ...payload, textBubbleContentFormat: 'markdown' }
    const response = await app.inject({ method: 'POST', url, payload: whole })
    expect(response.statusCode, response.payload).toBe(200)
    return response.json()
  }
  let turn = await post(`/v1/flows/${encodeURIComponent(publicId)}/startChat`, { prefilledVariables: values })
  const { sessionId } = turn
  const goOn = (body: Json) => post(`/v1/sessions/${sessionId}/continueChat`, body)
  const says = saysOf(testCase)
  const shown: string[] = []
  for (;;) {
    const { messages, clientSideActions = [] } = turn as unknown as {
      messages: Message[]
      clientSideActions?: ClientSideAction[]
    }
    shown.push(...markdownOf({ messages, actions: clientSideActions }, words))
    if (endsInWait(turn)) turn = await goOn({})
    else if (turn['input'] && says.length > 0) turn = await goOn({ message: says.shift() })
    else break
  }
  return leftBy(offered, testCase, shown)
}

const structured = (result: Json) => result['structuredContent'] as Json

async function playInWords(service: Service, testCase: ConformanceCase) {
  const offered = await openOffered(service, testCase)
  const client = service.inWords
  const says = saysOf(testCase)
  const call = async (name: string, given: Json) =>
    structured((await client.callTool({ name, arguments: given })) as Json)
  let at = await call(await toolOf(offered), offered.values)
  const shown = [...(at['messages'] as string[])]
  while (at['state'] === 'asks' && says.length > 0) {
    at = await call('answer', { handle: at['handle'], text: says.shift() })
    shown.push(...(at['messages'] as string[]))
  }
  return leftBy(offered, testCase, shown)
}

/** The official clients keep the list for a while. */
const toolOf = async ({ app }: Offered) => {
  const { tools } = (await sendNew(app, 'tools/list')).body['result'] as { tools: { name: string }[] }
  return tools[0]!.name
}

async function playByForms(service: Service, testCase: ConformanceCase) {
  const offered = await openOffered(service, testCase)
  const says = saysOf(testCase)
  const shown: string[] = []
  const { yourAnswer } = offered.words
  const client = service.byForms
  service.seat((params) => {
    const message = String(params['message'])
    if (message !== yourAnswer) shown.push(message)
    const content = says[0] === undefined ? undefined : filled(params, says[0])
    if (content === undefined) return { action: 'cancel' }
    says.shift()
    return { action: 'accept', content }
  })
  const name = await toolOf(offered)
  const call = async (name: string, given: Json) => {
    const at = structured((await client.callTool({ name, arguments: given })) as Json)
    shown.push(...(at['messages'] as string[]))
    return at
  }
  let at = await call(name, offered.values)
  while (at['state'] === 'asks' && says.length > 0)
    at = await call('answer', { handle: at['handle'], text: says.shift() })
  return leftBy(offered, testCase, shown)
}

/** A form as a person fills it, who means these words; undefined where it has no place for them. */
function filled({ requestedSchema }: Json, said: string): Json | undefined {
  const { properties } = requestedSchema as { properties: Record<string, Json> }
  if ('from' in properties) {
    const [from, to] = said.split(' to ')
    return to === undefined ? undefined : { from, to }
  }
  const { type, oneOf, items } = properties['answer']!
  const options = (oneOf ?? (items as Json | undefined)?.['anyOf'] ?? []) as {
    const: string
    title: string
  }[]
  const idOf = (title: string) => options.find((each) => each.title === title)?.const
  if (type === 'array') return { answer: said.split(', ').map((title) => idOf(title) ?? title) }
  if (type === 'number' || type === 'integer')
    return { answer: String(Number(said)) === said ? Number(said) : said }
  return { answer: idOf(said) ?? said }
}

const files = readConformanceFiles()
const playable = files.map(({ cases, ...file }) => ({
  ...file,
  cases: cases.filter((each) => !whyNot(each)),
}))

it.each(playable.filter(({ cases }) => cases.length > 0))(
  'leads the conversations of $path as a page does',
  async ({ cases }) => {
    const service = await openService()
    for (const testCase of cases) {
      const left = await playOverHttp(service, testCase)
      expect(await playInWords(service, testCase), testCase.description).toEqual(left)
      expect(await playByForms(service, testCase), testCase.description).toEqual(left)
    }
  },
)

it('plays most cases, and leaves out those that need more than an assistant has', () => {
  const reasons = files.flatMap(({ cases }) => cases.map(whyNot))
  const played = reasons.filter((reason) => reason === undefined)
  expect(played.length).toBeGreaterThan(1_000)
})
