import type { Form } from './draft.ts'
import type { Workbench } from './workbench.ts'
import { writeText } from './yaml-form.ts'

/** The text of the draft in one of its forms. Throws for one that is no flow. */
export async function textIn({ draft, convert }: Workbench, wanted: Form): Promise<string> {
  if (wanted === draft.form.value) return draft.text.value
  await draft.settle()
  if (wanted === 'yaml') return writeText(draft.text.value, convert)
  return `${JSON.stringify(draft.definition.value, null, 2)}\n`
}

/** Writes the draft in its other form. In YAML most ids are made from places: where they become others, it begins anew. */
export const switchForm = (bench: Workbench, form: Form) =>
  bench.attempt(async () => {
    const { draft } = bench
    const { value: origin } = draft.origin
    if (!origin) return
    const before = draft.parts.value.blocks
    const text = await textIn(bench, form)
    await draft.open(text, origin)
    const { blocks } = draft.parts.value
    if ([...before.keys()].every((id) => blocks.has(id))) draft.keep()
    else await bench.openText(text, origin)
  })
