import type { TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Message } from '../../../schemas/message.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import type { Step } from '../../engine/model/step.ts'
import { deepFreeze, JsonFragment } from '../../engine/templates/json-fragment.ts'

/** Compiled form of a bubble: produces its message when it is reached. */
export type ShowBubble = (context: RunContext) => Step

/** Shows nothing: a bubble that was never filled in is passed over. */
export const showNothing: ShowBubble = () => ({})

/** Shows a message. One that never changes is made when it is first shown, and shared by all who see it. */
export function showMessage(
  isConstant: boolean,
  make: (context: RunContext) => Message,
  next?: Step['next'],
): ShowBubble {
  const show: ShowBubble = (context) => {
    const message = new JsonFragment(make(context))
    return next ? { message, next } : { message }
  }
  if (!isConstant) return show
  let kept: Step | undefined
  return (context) => {
    kept ??= deepFreeze(show(context))
    return kept
  }
}

/** A copy of what an author filled in, without the fields that the schema of the message does not list. */
export function pickListed(schema: TObject, content: object): object {
  const properties: TProperties = schema.properties
  const listed = Object.entries(content).filter(([key]) => Object.hasOwn(properties, key))
  return Object.fromEntries(listed.map(([key, value]) => [key, pickFrom(properties[key], value)]))
}

function pickFrom(schema: TSchema | undefined, value: unknown): unknown {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord && schema?.['properties'] ? pickListed(schema as TObject, value) : value
}
