import { bubble, textInput } from '../fixtures/short-flows.ts'
import { wholeDefinition } from '../support/conformance.ts'
import type { Json } from '../support/json.ts'
import { wideDraft } from './flows.ts'
import type { SoakedService } from './service.ts'

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
  turn: (ask: Ask, session: Json, nth: number) => Promise<void>,
): Kind {
  return {
    name,
    async prepare({ ask }) {
      const sessions = await startSessions(ask, publicId)
      const inOrder = sessions.map(() => oneAfterAnother())
      return (nth) => {
        const place = nth % sessionsPerKind
        return inOrder[place]?.(() => turn(ask, sessions[place] as Json, nth)) ?? Promise.resolve()
      }
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
  going('a continue', 'talk', async (ask, session, nth) => {
    expectIn((await say(ask, session, `number ${nth}`)).text, `number ${nth}`)
  }),
  {
    name: 'a continue of a draft of 1.6 MB',
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
  going('a refused reply', 'refusing', async (ask, session, nth) => {
    expectIn((await say(ask, session, `no number ${nth}`)).text, '"ask"')
  }),
  going('an event', 'commanded', async (ask, session) => {
    expectIn((await say(ask, session, { type: 'command', command: 'help' })).text, 'Help')
  }),
  going('a link', 'linking', async (ask, session, nth) => {
    expectIn((await say(ask, session, `number ${nth}`)).text, '"input"')
  }),
  going('code', 'coding', async (ask, session, nth) => {
    const said = 'x'.repeat(nth % 50)
    expectIn((await say(ask, session, `${said}!`)).text, `${said.length + 1} [2,4]`)
  }),
  going('an upload offer', 'uploading', async (ask, { sessionId }, nth) => {
    const offer = { sessionId, fileName: `${nth}.png`, fileType: 'image/png', fileSize: 10 }
    expectIn((await ask('/v3/generate-upload-url', offer)).text, 'presignedUrl')
  }),
  {
    name: 'a stream',
    prepare:
      async ({ ask }) =>
      async () => {
        const session = await ask('/v1/flows/streaming/startChat', { isStreamEnabled: true })
        expectIn((await say(ask, session, 'Hi')).text, '"stream"')
        const { text } = await ask(`/v2/sessions/${session['sessionId']}/streamMessage`)
        expectIn(text, 'hello')
        expectIn((await say(ask, session, 'Well, hello.')).text, '"more"')
      },
  },
  going('a webhook', 'listening', async (ask, session, nth) => {
    const path = `/v1/flows/listening/blocks/hook/results/${session['resultId']}/executeWebhook`
    await ask(path, { paid: nth })
    await ask(continuePath(session['sessionId']))
    await say(ask, session, 'go on')
  }),
]
