import { contentHash } from '../definition/content-hash.ts'
import type { PublishedFlow, PublishedFlows } from '../stores/published-flows.ts'

/** The tool that goes on with a conversation, for clients that can't show a form. */
export const answerTool = 'answer'

/** A flow that its author offers to assistants. */
export interface FlowTool {
  readonly name: string
  readonly flow: PublishedFlow
  readonly description: string
  /** Variables that a call may fill, each with what belongs there. */
  readonly arguments: Readonly<Record<string, string>>
}

/** The address of the page of a tool, which is read as a resource. */
export const appAddressOf = (name: string) => `ui://flow-runtime/${name}`

/** Every flow that is offered, in the order of their names. Those that nobody can start are there for who has begun. */
export async function listTools(published: PublishedFlows): Promise<readonly FlowTool[]> {
  const tools = (await published.list()).flatMap((flow) => toolOf(flow) ?? [])
  return tools.sort((one, other) => (one.name < other.name ? -1 : 1))
}

function toolOf(published: PublishedFlow): FlowTool | undefined {
  const { flow, publicId } = published
  const { description = '', arguments: filled = {} } = flow.settings.general?.mcp ?? {}
  if (description.trim() === '') return undefined
  return { name: toolNameOf(publicId), flow: published, description, arguments: filled }
}

/** A name that every client takes; a public id that is none gets a mark by which it stays the only one. */
function toolNameOf(publicId: string): string {
  if (/^[\w-]{1,64}$/.test(publicId) && publicId !== answerTool) return publicId
  const mark = contentHash(publicId).slice(0, 8)
  return `${publicId.replace(/[^\w-]+/g, '_').slice(0, 50)}-${mark}`
}

/** Whether somebody can begin with it. */
const isOpen = ({ flow: { isArchived, isClosed } }: FlowTool) => !isArchived && !isClosed

/** Tools as a client lists them, with their pages where there are any. */
export function describeTools(tools: readonly FlowTool[], hasPages: boolean): object[] {
  const flows = tools.filter(isOpen).map(({ name, flow, description, arguments: filled }) => ({
    name,
    title: flow.flow.name || flow.publicId,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(filled).map(([variable, description]) => [variable, { type: 'string', description }]),
      ),
      additionalProperties: false,
    },
    annotations: { openWorldHint: true },
    ...(hasPages && { _meta: { ui: { resourceUri: appAddressOf(name) } } }),
  }))
  return flows.length === 0 ? [] : [...flows, describedAnswer]
}

const describedAnswer = {
  name: answerTool,
  title: 'Answer',
  description:
    'Answers the question that another tool of this server has asked, in the words of the person who was asked. Never answer for them. Each handle is for one answer; without a text this looks whether the conversation has gone on.',
  inputSchema: {
    type: 'object',
    properties: {
      handle: { type: 'string', description: 'As it came with the question' },
      text: { type: 'string', description: 'What the person answers' },
    },
    required: ['handle'],
    additionalProperties: false,
  },
  annotations: { openWorldHint: true },
}
