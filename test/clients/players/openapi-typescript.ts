import type { components, paths } from './types.js'

type Schemas = components['schemas']
type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never
type Started = Json<paths['/v1/flows/{publicId}/startChat']['post']['responses'][200]>
type Continued = Json<paths['/v1/sessions/{sessionId}/continueChat']['post']['responses'][200]>
type StartBody = Json<NonNullable<paths['/v1/flows/{publicId}/startChat']['post']['requestBody']>>
type ContinueBody = Json<NonNullable<paths['/v1/sessions/{sessionId}/continueChat']['post']['requestBody']>>

/** Plays a flow with types alone; what it was asked for, and the code of a reply that came too late. */
export async function play(address: string, reply: (input: Schemas['Input']) => string) {
  const asked: Schemas['Input']['type'][] = []
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    return fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const start: StartBody = { prefilledVariables: { Name: 'Ada', Topic: ['Web', null] } }
  const started = (await (await post('/v1/flows/lead-form/startChat', start)).json()) as Started
  const path = `/v1/sessions/${started.sessionId}/continueChat`
  let input = started.input
  while (input && asked.length < 30) {
    asked.push(input.type)
    const said: ContinueBody = { message: { type: 'text', text: reply(input) } }
    const answer = (await (await post(path, said)).json()) as Continued
    input = answer.input
  }
  const problem = (await (await post(path, { message: 'late' })).json()) as Schemas['ErrorBody']
  const code: 'NOT_FOUND' | 'CONFLICT' | undefined =
    problem.code === 'NOT_FOUND' || problem.code === 'CONFLICT' ? problem.code : undefined
  return { asked, code, reason: problem.reason }
}
