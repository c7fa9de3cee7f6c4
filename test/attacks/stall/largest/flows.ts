import { bubble, setVariable, textInput, variable } from '../../../fixtures/short-flows.ts'
import { wholeDefinition } from '../../../support/conformance.ts'
import type { Json, Row } from '../world.ts'

export { bubble, setVariable, textInput, variable }

/** A draft whose start is watched. */
export const started = (name: string, flow: () => Json, more: Json = {}): Row => ({
  name,
  prepare(world) {
    const made = { flow: wholeDefinition({ id: 'draft', ...flow() }), ...more }
    return () => world.post('/v1/flows/draft/preview/startChat', made)
  },
})

/** The variables `V`, `W`, `L` and `T`, with the values that are given. */
const variablesWith = (values: Json): Json[] =>
  ['V', 'W', 'L', 'T'].map((name) => variable(name, name in values ? { value: values[name] } : {}))

/** A draft whose variables hold such values; the start is watched. */
export const startedWith = (name: string, blocks: readonly Json[], values: () => Json): Row =>
  started(name, () => ({ blocks: [...blocks, textInput('last')], variables: variablesWith(values()) }))

/** A draft that waits for a reply, which is watched. */
export const answered = (
  name: string,
  blocks: readonly Json[],
  message: () => unknown,
  values: Json = {},
): Row => ({
  name,
  async prepare(world) {
    const whole = { id: 'draft', blocks: [...blocks, textInput('last')], variables: variablesWith(values) }
    const sessionId = await world.preview(wholeDefinition(whole))
    const reply = { type: 'text', text: message() }
    return () => world.say(sessionId, reply)
  },
})

/** An expression whose result goes into `T`. */
export const computes = (expressionToEvaluate: string, id = 's'): Json =>
  setVariable(id, 'vT', { expressionToEvaluate, isCode: true })

export const times = <Item>(count: number, make: (nth: number) => Item): Item[] =>
  Array.from({ length: count }, (_, nth) => make(nth))
