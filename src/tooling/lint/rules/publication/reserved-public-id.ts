import { defineRule } from '../../rule.ts'

/** Names that the service itself answers at `/<name>`. */
export const reservedPublicIds: readonly string[] = Object.freeze([
  'docs',
  'health',
  'healthz',
  'metrics',
  'openapi.json',
  'published-flows',
  'ready',
  'script-frame',
  'try',
])

/** Public ids whose short address is one of the service. */
export const reservedPublicId = defineRule({
  code: 'reserved-public-id',
  severity: 'info',
  title: 'A public id that is an address of the service',
  description: `With \`COMPAT_API\` the page of a flow is at \`/<public id>\` too. At some addresses the service answers itself: ${reservedPublicIds.map((id) => `\`${id}\``).join(', ')}. A flow of that name has its page at \`/f/<public id>\` alone; everything else of it works. Use another id where frames or links name the short address.`,
  checkFlow({ model, report }) {
    const { publicId } = model.flow
    if (publicId === undefined || !reservedPublicIds.includes(publicId)) return
    report({
      pointer: '/publicId',
      message: `The service itself answers at /${publicId}.`,
      hint: `The page of the flow is at /f/${publicId}; choose another id where its page is to be at /<public id>.`,
    })
  },
})
