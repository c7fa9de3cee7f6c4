import { once } from 'node:events'
import { WebSocket } from 'ws'
import { bubble, textInput } from '../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../support/conformance.ts'
import type { Json } from '../../support/json.ts'
import { wideDraft } from './flows.ts'
import { assistantToken, messengerSecret, type SoakedService } from './service.ts'

/** Bytes of a process, once its garbage is collected. */
export interface Memory {
  readonly heap: number
  /** Beside the heap. */
  readonly external: number
  /** Given by the system. */
  readonly resident: number
}

/** One repetition; the number is another each time. */
export type Repeat = (nth: number) => Promise<void>

/** A kind of turn or request. */
export interface Kind {
  readonly name: string
  /** Repetitions that are measured, when others than usual. */
  readonly times?: number
  /** What a round may add, where it is more than usual. */
  readonly most?: Partial<Memory>
  /** Bytes for the stores of a service of its own, where those of the others are too few. */
  readonly memoryBytes?: number
  /** Makes what the repetitions share. */
  prepare(service: SoakedService): Promise<Repeat>
}

/** Sessions that take turns, as one would be answered one request after the other. */
const sessionsPerKind = 8

type Ask = SoakedService['ask']

const continuePath = (sessionId: unknown) => `/v1/sessions/${sessionId}/continueChat`

async function startSessions(ask: Ask, publicId: string): Promise<Json[]> {
  const starts = Array.from({ length: sessionsPerKind }, () => ask(`/v1/flows/${publicId}/startChat`))
  return Promise.all(starts)
}

/** Runs each piece of work once the one before is done: some take several requests of one session. */
function oneAfterAnother(): (work: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve()
  return (work) => {
    last = last.then(work)
    return last
  }
}

/** A kind whose repetitions all go on with sessions of one flow. */
function going(
  name: string,
  publicId: string,
  turn: (service: SoakedService, session: Json, nth: number) => Promise<void>,
): Kind {
  return {
    name,
    async prepare(service) {
      const sessions = await startSessions(service.ask, publicId)
      const inOrder = sessions.map(() => oneAfterAnother())
      return (nth) => {
        const place = nth % sessionsPerKind
        return inOrder[place]?.(() => turn(service, sessions[place] as Json, nth)) ?? Promise.resolve()
      }
    },
  }
}

/** Streams an answer to a new visitor, and sends it back. */
function streaming(name: string, publicId: string): Kind {
  return {
    name,
    prepare:
      async ({ ask }) =>
      async () => {
        const session = await ask(`/v1/flows/${publicId}/startChat`, { isStreamEnabled: true })
        expectIn((await say(ask, session, 'Hi')).text, '"stream"')
        const { text } = await ask(`/v2/sessions/${session['sessionId']}/streamMessage`)
        expectIn(text, 'hello')
        expectIn((await say(ask, session, 'Well, hello.')).text, '"more"')
      },
  }
}

const say = async (ask: Ask, { sessionId }: Json, message: unknown) =>
  ask(continuePath(sessionId), { message, textBubbleContentFormat: 'markdown' })

function expectIn(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`${part} is missing in ${text.slice(0, 1_000)}`)
}

const draftOf = (nth: number) =>
  wholeDefinition({ id: `draft-${nth}`, blocks: [bubble('b', `Draft ${nth}`), textInput('i')] })

/** Bytes in which a large draft has room, or the results of all sessions of a kind however long they grow. */
const roomy = 128 * 1024 * 1024

/** Every kind of turn and request, each by itself. */
export const kinds: readonly Kind[] = [
  {
    name: 'a start',
    prepare:
      async ({ ask }) =>
      async (nth) => {
        const { text } = await ask('/v1/flows/talk/startChat', {
          prefilledVariables: { Said: `number ${nth}` },
        })
        expectIn(text, `number ${nth}`)
      },
  },
  {
    name: 'a start that resumes',
    prepare:
      async ({ ask }) =>
      async () => {
        const body = { contact: { id: 'ann' }, resume: true }
        expectIn((await ask('/v1/flows/talk/startChat', body)).text, '"isVerified":true')
      },
  },
  going('a continue', 'talk', async ({ ask }, session, nth) => {
    expectIn((await say(ask, session, `number ${nth}`)).text, `number ${nth}`)
  }),
  {
    name: 'a continue of a draft of 1.6 MB',
    memoryBytes: roomy,
    times: 5_000,
    // Each turn runs a block that has not run before, and is kept prepared, as part of the program.
    most: { heap: 10 * 1024 * 1024, resident: 32 * 1024 * 1024 },
    async prepare({ ask }) {
      const { sessionId } = await ask('/v1/flows/wide/preview/startChat', { flow: wideDraft(26_000) })
      const inOrder = oneAfterAnother()
      return () => inOrder(async () => expectIn((await say(ask, { sessionId }, 'x')).text, '"progress":'))
    },
  },
  {
    name: 'a preview of a new draft',
    prepare:
      async ({ ask }) =>
      async (nth) => {
        const flow = draftOf(nth)
        const { text } = await ask('/v1/flows/any/preview/startChat', { flow })
        expectIn(text, `Draft ${nth}`)
      },
  },
  {
    name: 'a preview of the same drafts',
    prepare:
      async ({ ask }) =>
      async (nth) => {
        await ask('/v1/flows/any/preview/startChat', { flow: draftOf(nth % 5) })
      },
  },
  {
    name: 'a flow in YAML written as JSON',
    // Each is a thread of its own, of which two run at once.
    times: 60,
    prepare: async ({ ask }) => {
      const inOrder = oneAfterAnother()
      return (nth) =>
        inOrder(async () => {
          const source = `flow: draft\nname: Draft ${nth}\nstart: Hello\ngroups:\n  Hello:\n    - Hello!\n`
          const { text } = await ask('/v1/flows/convert', { source, to: 'json' })
          expectIn(text, `Draft ${nth}`)
        })
    },
  },
  going('a refused reply', 'refusing', async ({ ask }, session, nth) => {
    expectIn((await say(ask, session, `no number ${nth}`)).text, '"ask"')
  }),
  going('an event', 'commanded', async ({ ask }, session) => {
    expectIn((await say(ask, session, { type: 'command', command: 'help' })).text, 'Help')
  }),
  going('a link', 'linking', async ({ ask }, session, nth) => {
    expectIn((await say(ask, session, `number ${nth}`)).text, '"input"')
  }),
  going('code', 'coding', async ({ ask }, session, nth) => {
    const said = 'x'.repeat(nth % 50)
    expectIn((await say(ask, session, `${said}!`)).text, `${said.length + 1} [2,4]`)
  }),
  going('an upload offer', 'uploading', async ({ ask }, { sessionId }, nth) => {
    const offer = { sessionId, fileName: `${nth}.png`, fileType: 'image/png', fileSize: 10 }
    expectIn((await ask('/v3/generate-upload-url', offer)).text, 'presignedUrl')
  }),
  streaming('a stream of a model', 'streaming'),
  streaming('a stream of an assistant', 'assisting'),
  {
    name: 'a message of a messenger, and its answer',
    // As many as a bot may send in half a minute.
    times: 800,
    prepare:
      async ({ ask, vendors }) =>
      async (nth) => {
        const chat = { id: nth + 1, type: 'private' }
        const message = { message_id: 1, date: 1_790_000_000, chat, from: { id: chat.id }, text: 'hi' }
        const told = vendors.told(chat.id)
        await ask(
          '/v1/channels/bot/webhook',
          { update_id: nth, message },
          { 'x-telegram-bot-api-secret-token': messengerSecret },
        )
        expectIn(await told, 'You said')
      },
  },
  {
    name: 'a call of an assistant, and its answer',
    prepare:
      async ({ ask }) =>
      async (nth) => {
        const call = async (name: string, given: Json) => {
          const params = { name, arguments: given }
          const body = { jsonrpc: '2.0', id: nth, method: 'tools/call', params }
          return (await ask('/mcp', body, { authorization: `Bearer ${assistantToken}` })).text
        }
        const begun = await call('told', { Said: `number ${nth}` })
        expectIn(begun, `number ${nth}`)
        const [, handle] = /"handle":"([^"]+)"/.exec(begun) ?? []
        expectIn(await call('answer', { handle, text: 'more' }), 'You said more')
      },
  },
  going('a call of a vendor', 'asking', async ({ ask }, session, nth) => {
    expectIn((await say(ask, session, `number ${nth}`)).text, `City 499 number ${nth}`)
  }),
  going('a payment, and the event that confirms it', 'paying', async ({ ask, vendors }, session) => {
    const intentId = /pi_\d+/.exec(String(session['text']))?.[0] ?? ''
    const { event, signature } = vendors.paid(intentId)
    await ask('/v1/webhooks/stripe/shop', event, { 'stripe-signature': signature })
    const { text } = await say(ask, session, 'Success')
    expectIn(text, 'To be paid')
    session['text'] = text
  }),
  {
    name: 'a form with a file',
    prepare:
      async ({ ask }) =>
      async (nth) => {
        const { sessionId } = await ask('/api/v1/typebots/uploading/startChat')
        const offer = await ask('/api/v2/generate-upload-url', { sessionId, fileType: 'image/png' })
        const form = new FormData()
        form.append('file', new Blob([`number ${nth}`]), 'a.png')
        const { status } = await fetch(String(offer['presignedUrl']), { method: 'POST', body: form })
        expectIn(String(status), '204')
      },
  },
  {
    name: 'a stream as a text',
    prepare:
      async ({ ask }) =>
      async () => {
        const session = await ask('/api/v1/typebots/streaming/startChat', { isStreamEnabled: true })
        expectIn((await say(ask, session, 'Hi')).text, '"stream"')
        const { text } = await ask(`/api/v1/sessions/${session['sessionId']}/streamMessage`)
        expectIn(text, 'hello')
      },
  },
  going('a message to the older API', 'talk', async ({ ask }, { sessionId }, nth) => {
    const { text } = await ask('/api/v1/sendMessage', { sessionId, message: `number ${nth}` })
    expectIn(text, `number ${nth}`)
  }),
  {
    ...going('a webhook that a socket waits for', 'listening', async ({ ask, address }, session, nth) => {
      const { resultId } = session
      const socket = new WebSocket(`${address.replace('http', 'ws')}/parties/main/${resultId}/webhooks`)
      await once(socket, 'open')
      const path = `/v1/flows/listening/blocks/hook/results/${resultId}/executeWebhook`
      const [[message]] = await Promise.all([once(socket, 'message'), ask(path, { paid: nth })])
      expectIn(String(message), `{"data":{"paid":${nth}}}`)
      socket.close()
      await say(ask, session, String(message))
      await say(ask, session, 'go on')
    }),
    memoryBytes: roomy,
  },
  {
    ...going('a webhook', 'listening', async ({ ask }, session, nth) => {
      const path = `/v1/flows/listening/blocks/hook/results/${session['resultId']}/executeWebhook`
      await ask(path, { paid: nth })
      await ask(continuePath(session['sessionId']))
      await say(ask, session, 'go on')
    }),
    memoryBytes: roomy,
  },
]
