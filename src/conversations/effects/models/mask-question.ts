import type { EffectAnswer } from '../../../engine/model/effects.ts'
import type { Turn } from '../../../engine/turn/turn.ts'
import { maskOf } from '../../../engine/turn/turn-mask.ts'
import { inJson, type Mask, mapTexts, unmasking } from '../../../engine/values/sensitive-values.ts'
import { jsonIn } from '../../../lib/json-bounds.ts'
import type { PerformedEffect } from '../effect-executor.ts'

/** A question that a model is asked, without the values of marked variables; they come back with the answer. */
interface MaskedQuestion {
  readonly effect: PerformedEffect
  readonly mask: Mask
  unmask(answer: EffectAnswer): EffectAnswer
}

/** Members of a question that name what the model needs as it is: addresses of images are fetched by them. */
const plainMembers: ReadonlySet<string> = new Set(['type', 'role', 'id', 'url', 'image_url', 'model', 'name'])

/** Undefined for what asks no model, and where there is nothing to mask. */
export function maskQuestion(effect: PerformedEffect, turn: Turn): MaskedQuestion | undefined {
  if (effect.type === 'complete') {
    const { completion } = effect
    const mask = maskOf(turn, () => JSON.stringify(completion.body))
    if (!mask) return undefined
    const body = mapTexts(completion.body, mask.text, plainMembers)
    return {
      effect: { ...effect, completion: { ...completion, body } },
      mask,
      unmask: (answer) => unmaskCompletion(answer, mask),
    }
  }
  if (effect.type !== 'callVendor' || effect.call.streamFormat === undefined) return undefined
  const { call } = effect
  const mask = maskOf(turn, () => JSON.stringify(call.json))
  if (!mask) return undefined
  return {
    effect: { ...effect, call: { ...call, json: mapTexts(call.json, mask.text, plainMembers) } },
    mask,
    unmask: (answer) => unmaskResponse(answer, mask),
  }
}

/** Arguments of functions are JSON in a text. */
function unmaskCompletion(answer: EffectAnswer, { values }: Mask): EffectAnswer {
  const whole = unmasking(values)
  const inArguments = unmasking(values, inJson)
  const change = (text: string) => (isJsonObject(text) ? inArguments(text) : whole(text))
  return mapTexts(answer, change, plainMembers)
}

/** The text of a response is JSON. */
function unmaskResponse(answer: EffectAnswer, { values }: Mask): EffectAnswer {
  return mapTexts(answer, unmasking(values, inJson), plainMembers)
}

const isJsonObject = (text: string) => text.startsWith('{') && jsonIn(text) !== undefined

/** Puts values back into a text that comes in pieces: what may be the beginning of a mark is held back until it is known. */
export function createUnmaskingStream({ values }: Mask): { add(piece: string): string; rest(): string } {
  const whole = unmasking(values)
  const longest = Math.max(...values.map(({ mark }) => mark.length))
  let held = ''
  return {
    add(piece) {
      held += piece
      const open = held.lastIndexOf('[')
      const isOpen = open >= 0 && held.length - open < longest && !held.slice(open).includes(']')
      const end = isOpen ? open : held.length
      const ready = whole(held.slice(0, end))
      held = held.slice(end)
      return ready
    },
    rest() {
      const rest = held
      held = ''
      return rest
    },
  }
}
