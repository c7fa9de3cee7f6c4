import type { Flow, Group } from '../../../schemas/flow.ts'
import { firstById } from '../../engine/compile/lazy-table.ts'

/** Names of variables and groups in the YAML. */
export interface Names {
  /** By the index of the variable: its key, and whether its id is written beside it. */
  readonly variables: readonly { readonly key: string; readonly hasId: boolean }[]
  /** The text that stands for a variable where one is named. */
  variable(id: string): string
  /** Whether a variable has the id. */
  declares(id: string): boolean
  /** By the index of the group. */
  readonly groupKeys: readonly string[]
  /** The key of the group that an id leads to. */
  group(id: string): string | undefined
}

/** Finds names that lead to the same variables and groups as the ids of a flow. */
export function nameParts({ variables, groups }: Flow, keepsIds: boolean): Names {
  const names = countBy(variables, ({ name }) => name)
  const variableKeys = uniqueKeys(variables.map(({ name }) => name))
  const groupKeys = uniqueKeys(groups.map(keyOfGroup))
  const variableById = firstById(variables)
  const groupById = firstById(groups.map(({ id }, index) => ({ id, key: groupKeys[index] as string })))
  const ids = countBy(variables, ({ id }) => id)
  return {
    variables: variables.map(({ id, name }, index) => {
      const key = variableKeys[index] as string
      const isTaken =
        names.get(name) !== 1 || key.trim() !== key || ids.get(id) !== 1 || (id !== key && ids.has(key))
      const isNamed = variableKeys.includes(id)
      return { key, hasId: id !== key && (keepsIds || isTaken || isNamed) }
    }),
    variable(id) {
      const name = variableById.get(id)?.name
      return name !== undefined && names.get(name) === 1 && ids.get(id) === 1 ? name : id
    },
    declares: (id) => variableById.has(id),
    groupKeys,
    group: (id) => groupById.get(id)?.key,
  }
}

/** A title that reads as a way to a step is no key. */
const keyOfGroup = ({ title = '' }: Pick<Group, 'title'>) => title.trim().replaceAll(' > ', ' › ') || 'Group'

/** The texts, and behind those that were there already a number. */
function uniqueKeys(texts: readonly string[]): string[] {
  const taken = new Set<string>(texts)
  const met = new Set<string>()
  return texts.map((text) => {
    let key = text
    for (let number = 2; met.has(key) || (key !== text && taken.has(key)); number++)
      key = `${text} (${number})`
    met.add(key)
    return key
  })
}

/** How many of some things have each name. */
export function countBy<Thing>(
  things: Iterable<Thing>,
  nameOf: (thing: Thing) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const thing of things) counts.set(nameOf(thing), (counts.get(nameOf(thing)) ?? 0) + 1)
  return counts
}
