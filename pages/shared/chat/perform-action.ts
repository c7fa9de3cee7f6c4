import type { ClientSideAction, Conversation, Message } from '../../../client/client.ts'
import type { Entry } from './entry.ts'
import { safeLink } from './safe-address.ts'
import { runInFrame } from './script-frame.ts'
import type { FrameRequest } from './script-frame-messages.ts'

/** What an action may do with the conversation that it belongs to. */
export interface ActionStage {
  readonly conversation: Conversation
  add(entry: Entry): void
  /** Shows what a model says while it comes in. */
  showStream(text: string): void
  pause(ms: number): Promise<void>
}

/** Does what a flow asks of the browser. What comes back is the reply that is due, if one is. */
export async function performAction(
  action: ClientSideAction,
  stage: ActionStage,
): Promise<string | undefined> {
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
      await waitForWebhook(stage.conversation)
      return undefined
    case 'stream':
      return readStream(stage)
    default:
      stage.add({ kind: 'note', text: describe(action) })
      return undefined
  }
}

function redirect(
  { url, isNewTab }: { readonly url?: string; readonly isNewTab?: boolean },
  stage: ActionStage,
): void {
  const address = safeLink(url)
  if (address === undefined) {
    stage.add({ kind: 'note', text: 'A link of this flow leads nowhere.' })
    return
  }
  if (!isNewTab) {
    location.assign(address)
    return
  }
  // A tab that may not be opened without a click is offered for one; `noopener` hides whether it was.
  const opened = window.open(address, '_blank')
  if (opened) opened.opener = null
  else stage.add({ kind: 'way', address, label: 'Continue in new tab' })
}

async function askFrame(request: FrameRequest, stage: ActionStage): Promise<string> {
  const { ok, text } = await runInFrame(request)
  if (ok) return text
  stage.add({ kind: 'note', text: 'A script of this flow failed.' })
  await stage.conversation
    .report('A script failed in the browser', text.slice(0, 1000))
    .catch(() => undefined)
  return request.kind === 'request' ? JSON.stringify({ statusCode: 500, data: { message: text } }) : ''
}

async function waitForWebhook(conversation: Conversation): Promise<void> {
  for await (const { type } of conversation.events()) if (type === 'webhook') return
}

async function readStream({ conversation, showStream, add }: ActionStage): Promise<string> {
  let text = ''
  let failure: unknown
  try {
    for await (const piece of conversation.stream()) {
      text += piece
      showStream(text)
    }
  } catch (error) {
    failure = error
  }
  showStream('')
  // The service leaves out the bubble that would say it once more.
  if (text !== '') add({ kind: 'message', message: streamedMessage(text) })
  if (failure === undefined) return text
  add({ kind: 'note', text: 'The answer broke off.' })
  if (text === '') await conversation.report('A stream broke off', String(failure)).catch(() => undefined)
  return text
}

const streamedMessage = (markdown: string): Message => ({
  id: 'streamed',
  type: 'text',
  content: { type: 'markdown', markdown },
})

function describe(action: ClientSideAction): string {
  if (action.type === 'googleAnalytics')
    return `Analytics, not sent: ${action.googleAnalytics.action ?? 'an event'}`
  if (action.type === 'pixel') return `Pixel, not sent: ${action.pixel.name ?? action.pixel.eventType}`
  if (action.type === 'chatwoot') return 'Live chat, not opened on this page.'
  if (action.type === 'startPropsToInject') return 'Analytics and head code are not loaded on this page.'
  return `Not done on this page: ${action.type}`
}
