import { defineRule } from '../../rule.ts'

/** A row as blocks have them: what it reads stands under one of several names, or is the usual part of the answer. */
interface Row {
  readonly variableId?: string
  readonly bodyPath?: string
}

/** Rows of a mapping for a variable that an earlier row has. */
export const mappingOverwritten = defineRule({
  code: 'mapping-overwritten',
  severity: 'warning',
  title: 'Two rows of a mapping for one variable',
  description:
    'Of several rows that write one variable only one counts: with HTTP requests, webhooks and models the first that works, with blocks of vendors the last. If both values are wanted, use two variables.',
  checkBlock({ block, marks: { mapping }, pointer }, { report }) {
    if (!mapping) return
    const { options } = block as { options?: Readonly<Record<string, readonly Row[] | undefined>> }
    const first = new Map<string, number>()
    const at = `${pointer}/options/${mapping.option}`
    for (const [index, { variableId, bodyPath = 'usual' }] of (options?.[mapping.option] ?? []).entries()) {
      if (!variableId || !bodyPath) continue
      const taken = first.get(variableId)
      if (taken === undefined) first.set(variableId, index)
      else
        report({
          pointer: `${at}/${index}`,
          message:
            mapping.counts === 'first'
              ? `Row ${taken + 1} writes this variable already.`
              : `What row ${taken + 1} writes into this variable is overwritten.`,
          variableId,
          related: [{ pointer: `${at}/${taken}`, message: 'The first row for the variable.' }],
        })
    }
  },
})
