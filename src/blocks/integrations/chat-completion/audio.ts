import type { CompileContext, RunContext } from '../../../engine/model/block-handler.ts'
import type { Effects } from '../../../engine/model/effects.ts'
import type { Step } from '../../../engine/model/step.ts'
import { askVendor, askVendorForJson } from '../../vendors/lib/ask-vendor.ts'
import { type CompileAction, type ConfiguredBlock, reportFailure } from './action.ts'

/** Time for a maker to speak or to transcribe. */
const timeoutMs = 60_000

/** Has a text said, and keeps the recording (docs/behaviour/integrations.md, "Speech"). */
export const createSpeech: CompileAction = ({ type: vendor, options }, context) => {
  const { credentialsId, saveUrlInVariableId: variableId } = options
  const texts = compileTexts(['input', 'voice', 'model', 'instructions'], options, context)
  return {
    *run(run): Effects<Step> {
      const { input, voice, model, instructions } = texts(run)
      if (input === '') return { logs: [reportFailure('Create speech input is empty')] }
      if (voice === '') return { logs: [reportFailure('Create speech voice is empty')] }
      if (variableId === undefined) return { logs: [reportFailure('Create speech save variable is empty')] }
      const json = { model: model || 'tts-1', input, voice, ...(instructions !== '' && { instructions }) }
      const call = { vendor, credentialsId, method: 'POST', path: '/audio/speech', json, timeoutMs } as const
      const answer = yield* askVendor({ ...call, saveAs: 'mp3' }, run)
      return answer.ok ? { assignments: [{ variableId, value: answer.text }] } : { logs: [answer.log] }
    },
  }
}

/** Has a recording written down (docs/behaviour/integrations.md, "Speech"). */
export const createTranscription: CompileAction = ({ type: vendor, options }, context) => {
  const { credentialsId, transcriptionVariableId: variableId } = options
  const texts = compileTexts(['url', 'model', 'prompt'], options, context)
  return {
    *run(run): Effects<Step> {
      const { url, model, prompt } = texts(run)
      if (url === '') return { logs: [reportFailure('Audio URL is empty')] }
      if (variableId === undefined) return { logs: [reportFailure('Missing transcription variable')] }
      const form: [string, string][] = [['model', model || 'whisper-1']]
      if (prompt !== '') form.push(['prompt', prompt])
      const file = { field: 'file', address: url }
      const path = '/audio/transcriptions'
      const call = { vendor, credentialsId, method: 'POST', path, form, file, timeoutMs } as const
      const answer = yield* askVendorForJson(call, run)
      if (!answer.ok) return { logs: [answer.log] }
      const { text } = answer.body
      return typeof text === 'string' ? { assignments: [{ variableId, value: text }] } : {}
    },
  }
}

type TextOption = 'input' | 'voice' | 'model' | 'instructions' | 'url' | 'prompt'

/** Fills in several options at once, without the blanks around them. */
function compileTexts<Name extends TextOption>(
  names: readonly Name[],
  options: ConfiguredBlock['options'],
  context: CompileContext,
) {
  const templates = names.map(
    (name) => [name, context.text(options[name] ?? '', `/options/${name}`)] as const,
  )
  return (run: RunContext) =>
    Object.fromEntries(templates.map(([name, text]) => [name, run.text(text).trim()])) as Record<Name, string>
}
