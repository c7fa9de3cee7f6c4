import type { ChatwootBlock } from '../../../schemas/blocks/integrations.ts'
import { type CompileContext, defineBlock, type RunContext } from '../../engine/model/block-handler.ts'
import type { Step } from '../../engine/model/step.ts'
import { compileClientScript, renderClientScript } from '../../engine/templates/client-script.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'
import { closeScript, openScript } from './chatwoot/chatwoot-script.ts'

interface Widget {
  readonly baseUrl: TextTemplate
  readonly websiteToken: TextTemplate
  readonly user: Readonly<Record<string, TextTemplate>>
}

/** Opens or closes a live-chat widget by a script for the browser (docs/behaviour/integrations.md, "Chatwoot"). */
export const chatwoot = defineBlock<ChatwootBlock, Widget | 'close' | undefined>({
  types: ['Chatwoot'],
  kind: 'integration',
  compile({ options }, context) {
    if (!options) return undefined
    return options.task === 'Close widget' ? 'close' : compileWidget(options, context)
  },
  run(widget, context) {
    if (!widget) return {}
    if (widget === 'close') return act({ content: closeScript, args: [] })
    if (context.isLive) return act(renderOpenScript(widget, context))
    const logs = [
      {
        audience: 'visitors' as const,
        status: 'info' as const,
        description: 'Chatwoot block is not supported in preview',
      },
    ]
    return { ...act({ content: '', args: [] }), logs }
  },
  isPassThrough: () => true,
  marks: { changesNothing: true, isClientOnly: () => true },
})

/** The names that the widget gives the fields of a user. */
const profileFields = [
  ['id', 'id'],
  ['email', 'email'],
  ['name', 'name'],
  ['avatarUrl', 'avatar_url'],
  ['phoneNumber', 'phone_number'],
] as const

function compileWidget(options: NonNullable<ChatwootBlock['options']>, context: CompileContext): Widget {
  const { baseUrl = 'https://app.chatwoot.com', websiteToken = '', user } = options
  const profile = profileFields.flatMap(([field, name]) => {
    const text = user?.[field]
    return text ? [[name, context.text(text, `/options/user/${field}`)] as const] : []
  })
  return {
    baseUrl: context.text(baseUrl, '/options/baseUrl'),
    websiteToken: context.text(websiteToken, '/options/websiteToken'),
    user: Object.fromEntries(profile),
  }
}

function renderOpenScript(widget: Widget, context: RunContext): Script {
  const { resultId = '', flowId, variables } = context
  const resultUrl = `/v1/flows/${encodeURIComponent(flowId.toWellFormed())}/results/${resultId}`
  const source = openScript({ ...widget, resultUrl, resultId }, context)
  return renderClientScript(compileClientScript(source, variables.table), context)
}

type Script = Parameters<typeof act>[0]

function act(scriptToExecute: ReturnType<typeof renderClientScript>): Step {
  return { actions: [{ type: 'chatwoot', chatwoot: { scriptToExecute } }] }
}
