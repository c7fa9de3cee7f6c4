import { defineRule } from '../../rule.ts'

interface Row {
  readonly variableId?: string
  readonly bodyPath?: string
  readonly item?: string
}

/** Rows of a mapping for a variable that an earlier row has. */
export const mappingOverwritten = defineRule({
  code: 'mapping-overwritten',
  severity: 'warning',
  title: 'Two rows of a mapping for one variable',
  description:
    'Of several rows that write one variable the first that works counts: the later one is read only where the earlier fails. If both values are wanted, use two variables.',
  blockTypes: ['Webhook', 'Zapier', 'Make.com', 'Pabbly', 'webhook'],
  checkBlock({ block, pointer }, { report }) {
    const options = ('options' in block ? block.options : undefined) as
      | { readonly responseVariableMapping?: readonly Row[] }
      | undefined
    const first = new Map<string, number>()
    for (const [index, { variableId, bodyPath }] of (options?.responseVariableMapping ?? []).entries()) {
      if (!variableId || !bodyPath) continue
      const taken = first.get(variableId)
      const at = `${pointer}/options/responseVariableMapping`
      if (taken === undefined) first.set(variableId, index)
      else
        report({
          pointer: `${at}/${index}`,
          message: `Row ${taken + 1} writes this variable already.`,
          variableId,
          related: [{ pointer: `${at}/${taken}`, message: 'The first row for the variable.' }],
        })
    }
  },
})
