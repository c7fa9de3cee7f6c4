import type { Json } from '../support/json.ts'

/** A flow of today, with everything that was written otherwise in older versions. */
interface Flow extends Json {
  readonly id: string
  readonly groups: readonly Group[]
  readonly edges: readonly Edge[]
  readonly events: readonly Json[]
}

interface Group extends Json {
  readonly id: string
  readonly blocks: readonly Block[]
}

interface Block extends Json {
  readonly id: string
  readonly type: string
  readonly items?: readonly Json[]
  readonly options?: Json
  readonly content?: Json
}

interface Edge extends Json {
  readonly from: Json
  readonly to: Json
}

const startGroup = 'group-of-start'

const flowLink = ({ flowId, ...rest }: Json) => ({
  type: 'Typebot link',
  options: { typebotId: flowId, ...rest },
})

/** Versions 6 and 6.1: blocks as they are, but for the link. */
const withForeignLinks = (flow: Flow): Flow => ({
  ...flow,
  groups: flow.groups.map((group) => ({
    ...group,
    graphCoordinates: { x: 12.5, y: -3 },
    blocks: group.blocks.map((block) => ({
      ...block,
      outgoingEdgeId: block['outgoingEdgeId'] ?? null,
      ...(block.type === 'Flow link' && flowLink(block.options ?? {})),
    })),
  })),
})

/** Versions 3 to 5, and those that had no version yet: a group with a start, and blocks and items that name their parents. */
function withStartGroup(flow: Flow): Flow {
  const linked = withForeignLinks(flow)
  const [{ outgoingEdgeId } = {}] = flow.events
  const start = { id: 'start', groupId: startGroup, type: 'start', label: 'Start', outgoingEdgeId }
  const groups = linked.groups.map((group) => ({
    ...group,
    blocks: group.blocks.map((block) => ({
      ...block,
      groupId: group.id,
      ...(block.items && {
        items: block.items.map((item) => ({ ...item, blockId: block.id, type: kindOf(block) })),
      }),
      ...(block.type === 'text' && { content: { ...block.content, html: '<div></div>', plainText: '' } }),
    })),
  }))
  return {
    ...linked,
    events: null as never,
    groups: [
      { id: startGroup, title: 'Start', graphCoordinates: { x: 0, y: 0 }, blocks: [start] },
      ...groups,
    ],
    edges: flow.edges.map((edge) =>
      'eventId' in edge.from ? { ...edge, from: { groupId: startGroup, blockId: 'start' } } : edge,
    ),
  }
}

const kindOf = ({ type }: Block) => (type === 'Condition' ? 1 : 0)

/** Versions 1 and 2: blocks of steps. */
function withSteps(flow: Flow): Json {
  const { groups, edges, events: _events, ...rest } = withStartGroup(flow)
  const place = ({ groupId, blockId, ...more }: Json) => ({
    ...more,
    blockId: groupId,
    ...(blockId !== undefined && { stepId: blockId }),
  })
  return {
    ...rest,
    publishedTypebotId: 'copy',
    blocks: groups.map(({ blocks, ...group }) => ({
      ...group,
      steps: blocks.map(({ groupId, items, ...step }) => ({
        ...step,
        blockId: groupId,
        ...(items && { items: items.map(({ blockId, ...item }) => ({ ...item, stepId: blockId })) }),
        ...(step.type === 'Typebot link' && { options: place(step.options ?? {}) }),
      })),
    })),
    edges: edges.map(({ from, to, ...edge }) => ({ ...edge, from: place(from), to: place(to) })),
  }
}

/** How the editors of each version wrote a flow. */
export const versions: Readonly<Record<string, (flow: Flow) => Json>> = {
  '1': (flow) => ({ ...withSteps(flow), version: '1' }),
  '2': (flow) => ({ ...withSteps(flow), version: undefined }),
  none: (flow) => ({ ...withStartGroup(flow), version: null }),
  '3': (flow) => ({ ...withStartGroup(flow), version: '3' }),
  '4': (flow) => ({ ...withStartGroup(flow), version: '4' }),
  '5': (flow) => ({ ...withStartGroup(flow), version: '5' }),
  '6': (flow) => ({ ...withForeignLinks(flow), version: '6' }),
  '6.1': (flow) => ({ ...withForeignLinks(flow), version: '6.1' }),
}

/** Columns of the table of an editor, beside those of a flow. */
const columns = {
  createdAt: '2022-05-01T10:00:00.000Z',
  updatedAt: '2022-05-02T10:00:00.000Z',
  icon: null,
  folderId: null,
  customDomain: null,
  workspaceId: 'w1',
  resultsTablePreferences: null,
  selectedThemeTemplateId: null,
  whatsAppCredentialsId: null,
  riskLevel: null,
  isArchived: false,
  isClosed: false,
}

/** In which shapes a flow leaves its editor. */
export const forms: Readonly<Record<string, (flow: Json) => Json>> = {
  'the file of an editor': (flow) => ({ ...columns, ...flow }),
  'a public copy': ({ name: _name, publicId: _publicId, id, ...flow }) => ({
    ...flow,
    id: 'copy',
    typebotId: id,
  }),
  'what an API answers': (flow) => ({ typebot: { ...columns, ...flow } }),
  'what an API answers of a public copy': ({ id, ...flow }) => ({
    publishedTypebot: { ...flow, id: 'copy', typebotId: id },
    version: '1',
  }),
}
