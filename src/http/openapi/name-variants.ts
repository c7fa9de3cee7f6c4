/** A union whose members are distinguished by a property, as schemas/tagged-union.ts makes them. */
export interface TaggedUnion {
  readonly $id: string
  readonly oneOf: readonly TaggedMember[]
  readonly discriminator: { readonly propertyName: string }
}

interface TaggedMember {
  readonly $id?: string
  readonly properties: Record<string, { readonly const?: string; readonly enum?: readonly string[] }>
}

/** Whether a schema is such a union, and has a name. */
export function isNamedUnion(node: object): node is TaggedUnion {
  return '$id' in node && 'oneOf' in node && 'discriminator' in node
}

/** Names the members of a union after their tags, so that generators of clients have types for them. */
export function nameVariants({ oneOf, discriminator, $id }: TaggedUnion): {
  readonly members: readonly (TaggedMember & { readonly $id: string })[]
  /** The name of the member by tag. */
  readonly byTag: readonly (readonly [tag: string, name: string])[]
} {
  const names = new Set<string>()
  const byTag: [string, string][] = []
  const members = oneOf.map((member) => {
    const { const: only, enum: several } = member.properties[discriminator.propertyName] ?? {}
    const tags = several ?? (only === undefined ? [] : [only])
    const name = member.$id ?? unusedName(variantName(tags[0] ?? '', $id), names)
    names.add(name.toLowerCase())
    for (const tag of tags) byTag.push([tag, name])
    return { ...member, $id: name }
  })
  return { members, byTag }
}

/** `text input` of `Input` is `TextInput`, `wait` of `ClientSideAction` is `WaitClientSideAction`. */
function variantName(tag: string, union: string): string {
  const words = tag.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const name = words.join('')
  return name.endsWith(union) ? name : name + union
}

/** Tags may differ in case only, and generators write a file for each name. */
function unusedName(name: string, names: ReadonlySet<string>): string {
  let unused = name
  for (let number = 2; names.has(unused.toLowerCase()); number++) unused = `${name}${number}`
  return unused
}
