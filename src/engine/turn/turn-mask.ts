import type { Frame } from '../model/conversation.ts'
import { Mask, type SensitiveValue } from '../values/sensitive-values.ts'
import type { Turn } from './turn.ts'

const nothing = () => ''

/**
 * Masks what the marked variables of a turn hold, or held in it; undefined where there is nothing to mask. No mark is one
 * that `beside` holds already, which is written only where there is.
 */
export function maskOf({ conversation, output, sensitive }: Turn, beside = nothing): Mask | undefined {
  return maskOfFrames([...conversation.frames, ...output.finished], { sensitive, beside })
}

/** The same for a conversation of which the turn is gone. */
export function maskOfFrames(
  frames: readonly Frame[],
  {
    sensitive = [],
    beside = nothing,
  }: { readonly sensitive?: readonly SensitiveValue[]; readonly beside?: () => string } = {},
): Mask | undefined {
  const held = frames.flatMap(({ variables }) => variables.sensitiveValues())
  const values = [...sensitive, ...held]
  return values.length > 0 ? new Mask(values, beside()) : undefined
}
