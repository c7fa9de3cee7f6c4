import type { Definition } from '../../../client/client.ts'
import { labelOf } from '../../../src/tooling/flow-graph/block-label.ts'
import {
  asList,
  asName,
  asRecord,
  asText,
  type LooseJson,
} from '../../../src/tooling/flow-graph/loose-json.ts'

/** A block with what one has to know to find it. */
export interface PlacedBlock {
  readonly id: string
  readonly type: string
  readonly groupId: string
  readonly groupTitle: string
  readonly pointer: string
  /** The first words of what it says, or what kind it is. */
  readonly label: string
  readonly reads: ReadonlySet<string>
  readonly writes: ReadonlySet<string>
}

export interface PlacedEdge {
  readonly id: string
  /** Undefined for an event's. */
  readonly blockId: string | undefined
  /** The item or path that it leaves by. */
  readonly item: string | undefined
  readonly target: string
}

/** What a definition consists of, by ids. */
export interface FlowParts {
  readonly title: string | undefined
  /** The language of its own texts. */
  readonly language: string | undefined
  /** Those that it is translated into. */
  readonly locales: readonly string[]
  readonly groupTitles: ReadonlyMap<string, string>
  readonly blocks: ReadonlyMap<string, PlacedBlock>
  readonly edges: ReadonlyMap<string, PlacedEdge>
  readonly variables: readonly { readonly id: string; readonly name: string; readonly value: unknown }[]
}

/** What of a flow somebody looks at. */
export type Selection =
  | { readonly kind: 'block'; readonly blockId: string }
  | { readonly kind: 'edge'; readonly edgeId: string }
  | { readonly kind: 'variable'; readonly variableId: string }
  | undefined

/** Levels of a block that are looked through; the service takes no deeper ones. */
const deepest = 130

/** Finds the parts of a definition, of which nothing is certain: authors write it as they go. */
export function readParts(definition: Definition | undefined): FlowParts {
  const { name, publicId, groups, edges, variables, events, settings, localizations } = asRecord(definition)
  const declared = asList(variables).map((one) => {
    const { id, name: called, value } = asRecord(one)
    return { id: asName(id), name: asName(called), value: value ?? null }
  })
  const idOf = new Map(declared.map((one) => [one.name, one.id]))
  const blocks = new Map<string, PlacedBlock>()
  const sources = new Map<string, Pick<PlacedEdge, 'blockId' | 'item'>>()
  const groupTitles = new Map<string, string>()
  for (const [groupAt, group] of asList(groups).entries()) {
    const { id: groupId, title, blocks: inGroup } = asRecord(group)
    const groupTitle = asText(title) || asName(groupId)
    groupTitles.set(asName(groupId), groupTitle)
    for (const [at, one] of asList(inGroup).entries()) {
      const block = asRecord(one)
      const id = asName(block['id'])
      const found = variablesIn(block, idOf)
      const pointer = `/groups/${groupAt}/blocks/${at}`
      blocks.set(id, {
        id,
        type: asName(block['type']),
        groupId: asName(groupId),
        groupTitle,
        pointer,
        label: labelOf(block),
        ...found,
      })
      addSources(block, id, sources)
    }
  }
  for (const event of asList(events)) {
    const edge = asText(asRecord(event)['outgoingEdgeId'])
    if (edge !== undefined) sources.set(edge, { blockId: undefined, item: asName(asRecord(event)['type']) })
  }
  const placed = asList(edges).map((one): PlacedEdge => {
    const { id, to } = asRecord(one)
    const { groupId, blockId } = asRecord(to)
    const source = sources.get(asName(id)) ?? { blockId: undefined, item: undefined }
    const within = blocks.get(asName(blockId))
    const group = groupTitles.get(asName(groupId)) ?? asName(groupId)
    return { id: asName(id), ...source, target: within ? `${group}: ${within.label}` : group }
  })
  return {
    title: asText(name) ?? asText(publicId),
    language: asText(asRecord(asRecord(settings)['general'])['language']),
    locales: Object.keys(asRecord(localizations)),
    groupTitles,
    blocks,
    edges: new Map(placed.map((edge) => [edge.id, edge])),
    variables: declared,
  }
}

function addSources(
  block: LooseJson,
  blockId: string,
  sources: Map<string, Pick<PlacedEdge, 'blockId' | 'item'>>,
): void {
  const add = (part: LooseJson, item: string | undefined) => {
    const edge = asText(part['outgoingEdgeId'])
    if (edge !== undefined) sources.set(edge, { blockId, item })
  }
  add(block, undefined)
  for (const one of asList(block['items'])) {
    const item = asRecord(one)
    const label = asText(item['content']) ?? asText(item['title']) ?? asName(item['id'])
    add(item, label)
    for (const path of asList(item['paths'])) add(asRecord(path), asText(asRecord(path)['text']) ?? label)
  }
}

/** Names of properties that hold the id of a variable which the block fills; others are read. */
const filled = /^(?:variableId|.*saveVariableId|.*VariableIdToSave)$/i

function variablesIn(block: LooseJson, idOf: ReadonlyMap<string, string>) {
  const reads = new Set<string>()
  const writes = new Set<string>()
  const look = (value: unknown, name: string, isCompared: boolean, level: number): void => {
    if (level > deepest) return
    if (typeof value === 'string') {
      for (const [, placeholder = ''] of value.matchAll(/\{\{([^{}]{1,200})\}\}/g)) {
        const id = idOf.get(placeholder)
        if (id !== undefined) reads.add(id)
      }
      if (/variableId/i.test(name)) (filled.test(name) && !isCompared ? writes : reads).add(value)
    } else if (Array.isArray(value)) for (const part of value) look(part, name, isCompared, level + 1)
    else
      for (const [key, part] of Object.entries(asRecord(value)))
        look(part, key, isCompared || key === 'comparisons', level + 1)
  }
  look(block, '', false, 0)
  return { reads, writes }
}
