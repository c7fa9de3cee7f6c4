import { ApiError, ChatService, type ErrorBody, type Input, OpenAPI } from './client/index'

/** Plays a flow by the functions of a client; what it was asked for, and the code of a reply that came too late. */
export async function play(address: string, reply: (input: Input) => string) {
  OpenAPI.BASE = address
  const asked: Input['type'][] = []
  const started = await ChatService.startChat('lead-form', undefined, {
    prefilledVariables: { Name: 'Ada', Topic: ['Web', null] },
  })
  const goOn = (text: string) =>
    ChatService.continueChat(started.sessionId, undefined, undefined, { message: { type: 'text', text } })
  let input = started.input
  while (input && asked.length < 30) {
    asked.push(input.type)
    input = (await goOn(reply(input))).input
  }
  const problem = await goOn('late').then(
    () => undefined,
    (error) => (error instanceof ApiError ? (error.body as ErrorBody) : undefined),
  )
  return { asked, code: problem?.code as string | undefined, reason: problem?.reason as string | undefined }
}
