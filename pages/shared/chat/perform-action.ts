import type { ClientSideAction, Conversation, Message } from '../../../client/client.ts'
import { words } from '../words/speak.ts'
import type { Entry } from './entry.ts'
import { safeLink } from './safe-address.ts'
import type { FrameAnswer, FrameRequest } from './script-frame-messages.ts'

/** What an action may do with the conversation that it belongs to. */
export interface ActionStage {
  readonly conversation: Conversation
  add(entry: Entry): void
  /** Shows what a model says while it comes in. */
  showStream(text: string): void
  /** Ends what still goes on when the conversation is given up. */
  readonly signal: AbortSignal
  pause(ms: number): Promise<void>
  /** Whether words of a model are marked as such. */
  readonly isMarked: boolean
}

/**
 * Does what a flow asks of the browser, unless its script has failed elsewhere: half of it may be done. What comes back is the
 * reply that is due, if one is.
 */
export async function performAction(
  action: ClientSideAction,
  stage: ActionStage,
  failure?: string,
): Promise<string | undefined> {
  if (failure !== undefined) {
    report(stage, scriptFailed, failure)
    return ''
  }
  switch (action.type) {
    case 'wait':
      await stage.pause(action.wait.secondsToWaitFor * 1000)
      return undefined
    case 'redirect':
      redirect(action.redirect, stage)
      return undefined
    case 'scriptToExecute':
      await askFrame({ kind: 'script', ...action.scriptToExecute }, stage)
      return undefined
    case 'setVariable':
      return askFrame({ kind: 'script', ...action.setVariable.scriptToExecute }, stage)
    case 'httpRequestToExecute':
      return askFrame({ kind: 'request', ...action.httpRequestToExecute }, stage)
    case 'listenForWebhook':
      await waitForWebhook(stage)
      return undefined
    case 'stream':
      return readStream(stage)
    default:
      report(stage, `Not done in the browser: ${action.type}`, undefined, 'info')
      return undefined
  }
}

function redirect(
  { url, isNewTab }: { readonly url?: string; readonly isNewTab?: boolean },
  stage: ActionStage,
): void {
  const address = safeLink(url)
  if (address === undefined) {
    report(stage, 'A redirect leads nowhere', url)
    return
  }
  if (!isNewTab) {
    location.assign(address)
    return
  }
  // A tab that may not be opened without a click is offered for one; `noopener` hides whether it was.
  const opened = window.open(address, '_blank')
  if (opened) opened.opener = null
  else stage.add({ kind: 'way', address })
}

const scriptFailed = 'A script failed in the browser'

async function askFrame(request: FrameRequest, stage: ActionStage): Promise<string> {
  const { ok, text } = await runInFrame(request)
  if (ok) return text
  report(stage, scriptFailed, text)
  return request.kind === 'request' ? JSON.stringify({ statusCode: 500, data: { message: text } }) : ''
}

async function waitForWebhook({ conversation, signal }: ActionStage): Promise<void> {
  for await (const { type } of conversation.events(signal)) if (type === 'webhook') return
}

async function readStream(stage: ActionStage): Promise<string> {
  const { conversation, showStream, add, signal, isMarked } = stage
  let text = ''
  let failure: unknown
  try {
    for await (const piece of conversation.stream(signal)) {
      text += piece
      showStream(text)
    }
  } catch (error) {
    signal.throwIfAborted()
    failure = error
  }
  showStream('')
  // The service leaves out the bubble that would say it once more.
  if (text !== '') add({ kind: 'message', message: streamedMessage(text, isMarked) })
  if (failure === undefined) return text
  add({ kind: 'note', text: words.value.brokenOff })
  if (text === '') report(stage, 'A stream broke off', String(failure))
  return text
}

const streamedMessage = (markdown: string, isMarked: boolean): Message => ({
  id: 'streamed',
  type: 'text',
  content: { type: 'markdown', markdown },
  ...(isMarked && { generatedBy: 'model' }),
})

/** Tells the author, in the logs of the result, what is of no use to the visitor. */
function report(
  { conversation }: ActionStage,
  description: string,
  details?: string,
  status?: 'error' | 'info',
): void {
  conversation.report(description, details?.slice(0, 1000), status).catch(() => undefined)
}

/** A script that has not come to its end by then is taken for one that never does. */
const limitMs = 30_000

/**
 * Does something in a frame whose document is sandboxed by its own policy: what a flow brings along reaches neither this
 * page nor its storage. Each request has a frame of its own, so that nothing of one is left for the next.
 */
export async function runInFrame(request: FrameRequest): Promise<FrameAnswer> {
  const frame = document.createElement('iframe')
  frame.src = '/script-frame'
  frame.hidden = true
  frame.title = 'Script of this conversation'
  frame.setAttribute('sandbox', 'allow-scripts')
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  document.body.append(frame)
  try {
    await loaded
    return await ask(frame, request)
  } finally {
    frame.remove()
  }
}

function ask(frame: HTMLIFrameElement, request: FrameRequest): Promise<FrameAnswer> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: false, text: 'The script took too long' }), limitMs)
    port1.onmessage = ({ data }: MessageEvent<FrameAnswer>) => {
      clearTimeout(timer)
      resolve({ ok: data.ok === true, text: String(data.text) })
    }
    // Its origin is none, so there is no other way to name it.
    frame.contentWindow?.postMessage(request, '*', [port2])
  })
}
