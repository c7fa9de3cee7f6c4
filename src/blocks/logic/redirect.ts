import type { RedirectBlock } from '../../../schemas/blocks/logic.ts'
import { defineBlock } from '../../engine/model/block-handler.ts'
import type { TextTemplate } from '../../engine/templates/text-template.ts'

interface Redirect {
  readonly url: TextTemplate
  readonly isNewTab: boolean | undefined
}

/** Sends the visitor to an address while the walk goes on (docs/behaviour/logic.md, "Redirect"). */
export const redirect = defineBlock<RedirectBlock, Redirect | undefined>({
  types: ['Redirect'],
  kind: 'logic',
  compile: ({ options }, context) =>
    options?.url ? { url: context.text(options.url, '/options/url'), isNewTab: options.isNewTab } : undefined,
  run(compiled, context) {
    if (!compiled) return {}
    const address = context.text(compiled.url).trim()
    if (address === '') {
      return {
        logs: [
          {
            audience: 'visitors',
            status: 'error',
            context: 'Redirect',
            description: 'The address to redirect to is empty',
          },
        ],
      }
    }
    const { isNewTab } = compiled
    const target = { url: withScheme(address), ...(isNewTab !== undefined && { isNewTab }) }
    return { actions: [{ type: 'redirect', redirect: target }] }
  },
  isPassThrough: () => true,
  marks: { changesNothing: true, isClientOnly: () => true },
})

/**
 * Prefixes rather than schemes: an address that starts like one of these is left to the client, every other one is
 * safe.
 */
const knownStart = /^(http|mailto:|tel:|sms:|\{\{.*\}\})/is

function withScheme(address: string): string {
  return knownStart.test(address) ? address : `https://${address}`
}
