import type { Frame } from '../model/conversation.ts'
import { Mask, type SensitiveValue } from '../values/sensitive-values.ts'
import type { Turn } from './turn.ts'

const nothing = () => ''

/**
 * Masks what the marked variables of a turn hold, or held in it; undefined where there is nothing to mask. No mark is one
 * that `beside` holds already, which is written only where there is.
 */
export function maskOf({ conversation, output, sensitive }: Turn, beside = nothing): Mask | undefined {
  const { frames } = conversation
  // Of nearly all turns: every one is looked at.
  if (sensitive.length === 0 && !frames.some(isMarked) && !output.finished.some(isMarked)) return undefined
  return maskOfFrames([...frames, ...output.finished], { sensitive, beside })
}

const isMarked = ({ variables }: Frame) => variables.table.sensitive.length > 0

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
