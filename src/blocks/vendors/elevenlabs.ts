import { ElevenlabsBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import type { Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { pathPart } from '../../engine/values/path-part.ts'
import { askVendor, reportProblem } from './lib/ask-vendor.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'

type Options = NonNullable<ElevenlabsBlock['options']>

/** Has a text said, and keeps the recording (docs/behaviour/integrations.md, "Speech"). */
export const elevenlabs = defineVendorBlock<ElevenlabsBlock>({
  schema: ElevenlabsBlock,
  actions: { 'Convert text to speech': say },
})

/** Milliseconds that the vendor has for a recording. */
const timeoutMs = 60_000

function* say(options: Options, context: RunContext): Effects<Step> {
  const { credentialsId, text, voiceId, modelId, saveUrlInVariableId: variableId } = options
  if (voiceId === undefined) return { logs: [reportProblem('Voice ID is missing')] }
  if (text === undefined) return { logs: [reportProblem('Text is missing')] }
  if (variableId === undefined) return { logs: [reportProblem('Save variable is missing')] }
  const answer = yield* askVendor(
    {
      vendor: 'elevenlabs',
      credentialsId,
      method: 'POST',
      path: `/v1/text-to-speech/${pathPart(voiceId)}`,
      headers: [['accept', 'audio/mpeg']],
      json: { text, ...(modelId !== undefined && { model_id: modelId }) },
      saveAs: 'mp3',
      timeoutMs,
    },
    context,
  )
  return answer.ok ? { assignments: [{ variableId, value: answer.text }] } : { logs: [answer.log] }
}
