import type { CompileContext, RunContext } from '../engine/model/block-handler.ts'
import type { GroupReference } from '../engine/model/step.ts'
import type { TextTemplate } from '../engine/templates/text-template.ts'

/** Reference of a block to a group: its id, or exactly one placeholder that holds a title. */
export type GroupName =
  | (GroupReference & { readonly by: 'id' })
  | { readonly by: 'title'; readonly template: TextTemplate; readonly source: string }

/** Prepares a group's name; undefined when there is none. */
export function compileGroupName(name: string | undefined, context: CompileContext): GroupName | undefined {
  if (!name) return undefined
  const template = context.text(name, '/options/groupId')
  return template.lone ? { by: 'title', template, source: name } : { by: 'id', value: name, source: name }
}

/** The id or the title to look for. A placeholder without a value gives an empty title. */
export function renderGroupName(name: GroupName, context: RunContext): GroupReference {
  return name.by === 'id' ? name : { by: 'title', value: context.text(name.template), source: name.source }
}
