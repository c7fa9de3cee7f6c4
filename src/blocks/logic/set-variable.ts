import { SetVariableBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import { decodeClientValue } from '../json-texts.ts'
import type { ValueSource } from './set-variable/source.ts'
import { isClientSide, sources } from './set-variable/sources.ts'

interface CompiledSetVariable {
  readonly variableId: string
  readonly source: ValueSource
}

/** Gives a variable a value, which the server or the client works out (docs/behaviour/logic.md, "Set variable"). */
export const setVariable = defineBlock<SetVariableBlock, CompiledSetVariable | undefined>({
  schema: SetVariableBlock,
  kind: 'logic',
  compile({ options }, context) {
    const variableId = options?.variableId
    if (!variableId) return undefined
    const source = sources[options.type ?? 'Custom']({ ...options, variableId }, context)
    return { variableId, source }
  },
  run: (compiled, context) => compiled?.source(context) ?? {},
  handleClientReply: (compiled, text) =>
    compiled ? { assignments: [{ variableId: compiled.variableId, value: decodeClientValue(text) }] } : {},
  isPassThrough: ({ options }) => !options?.variableId || !isClientSide(options),
  needsTranscript: ({ options }) => options?.type === 'Transcript',
  marks: { isClientOnly: ({ options }) => options?.isExecutedOnClient === true },
})
