import type { Static } from '@sinclair/typebox'
import { Block } from './blocks/index.ts'
import { Duration, Id, languageTag, StringEnum, Timestamp, VariableValue } from './common.ts'
import { sampleFlow } from './samples.ts'
import { Settings } from './settings.ts'
import { taggedUnion } from './tagged-union.ts'
import { Theme } from './theme.ts'
import { Type } from './type.ts'

/** Every version of a definition that can be run. */
export const formatVersions = ['3', '4', '5', '6', '6.1'] as const
export type FormatVersion = (typeof formatVersions)[number]

const GraphCoordinates = Type.Object(
  { x: Type.Optional(Type.Number()), y: Type.Optional(Type.Number()) },
  { description: 'Where the editor draws it; has no effect' },
)

/** A place to keep a value in while a flow runs. */
export const Variable = Type.Object({
  id: Id,
  name: Type.String({ description: 'What placeholders and prefilledVariables call it', examples: ['Name'] }),
  isSessionVariable: Type.Optional(
    Type.Boolean({ description: 'Whether it is kept out of the result. Default false' }),
  ),
  scope: Type.Optional(
    StringEnum(['session', 'contact'], {
      description:
        'Whose it is: `contact` is remembered for the contact from one conversation to the next (docs/contacts.md). Default session',
    }),
  ),
  sensitivity: Type.Optional(
    StringEnum(['personal', 'secret'], {
      description:
        'Whether its values are masked wherever they are kept or told to others than the visitor; a secret goes with its conversation (docs/privacy.md). Default: neither',
    }),
  ),
  value: Type.Optional(VariableValue),
})
export type Variable = Static<typeof Variable>

/** Connection between two places of a flow. Its origin names it by `outgoingEdgeId`. */
export const Edge = Type.Object({
  id: Id,
  from: Type.Optional(
    Type.Object(
      {
        blockId: Type.Optional(Id),
        itemId: Type.Optional(Id),
        pathId: Type.Optional(Id),
        eventId: Type.Optional(Id),
      },
      { description: 'Kept for the editor; what counts is who names the edge' },
    ),
  ),
  to: Type.Object({
    groupId: Id,
    blockId: Type.Optional(Type.String({ description: 'Default: the first block of the group' })),
  }),
})
export type Edge = Static<typeof Edge>

const eventBase = {
  id: Id,
  outgoingEdgeId: Type.Optional(Id),
  graphCoordinates: Type.Optional(GraphCoordinates),
}

const StartEvent = Type.Object({ ...eventBase, type: Type.Literal('start') })

const CommandEvent = Type.Object({
  ...eventBase,
  type: Type.Literal('command'),
  options: Type.Optional(
    Type.Object({
      command: Type.Optional(Type.String({ description: 'The command that triggers it, compared exactly' })),
      resumeAfter: Type.Optional(
        Type.Boolean({
          description: 'The older way to ask the waiting input again afterwards. Default false',
        }),
      ),
    }),
  ),
})

const ReplyEvent = Type.Object({
  ...eventBase,
  type: StringEnum(['reply', 'invalidReply']),
  options: Type.Optional(
    Type.Object({
      contentVariableId: Type.Optional(Id),
      inputNameVariableId: Type.Optional(Id),
      inputTypeVariableId: Type.Optional(Id),
    }),
  ),
})

const IdleEvent = Type.Object({
  ...eventBase,
  type: Type.Literal('idle'),
  options: Type.Object({
    after: Duration({ description: 'How long a question stays unanswered before', examples: ['PT30M'] }),
    atMost: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'How often it happens until the visitor does something. Default 1',
      }),
    ),
    groupIds: Type.Optional(
      Type.Array(Id, { description: 'Only for questions in these groups. Default: for all' }),
    ),
  }),
})

const ExpireEvent = Type.Object({ ...eventBase, type: Type.Literal('expire') })

/** The members of `FlowEvent`. */
export const eventSchemas = [StartEvent, CommandEvent, ReplyEvent, IdleEvent, ExpireEvent] as const

/** Something that sets the flow going: its start, a command, a reply, silence, the end of its time. */
export const FlowEvent = taggedUnion(eventSchemas, { $id: 'FlowEvent' })
export type FlowEvent = Static<typeof FlowEvent>

/** The fields of a group besides its blocks. */
export const groupBase = {
  id: Id,
  title: Type.Optional(Type.String()),
  graphCoordinates: Type.Optional(GraphCoordinates),
}

/** Blocks that run one after the other. */
export const Group = Type.Object({ ...groupBase, blocks: Type.Array(Block) })
export type Group = Static<typeof Group>

/** A text in another language: alone, or with the hash of the text that it was made from. */
const Translation = Type.Unsafe<string | { readonly text: string; readonly source?: string }>({
  type: ['string', 'object'],
  properties: {
    text: { type: 'string' },
    source: {
      type: 'string',
      description: 'Names the text that was translated, to tell when it has changed',
    },
  },
  required: ['text'],
  additionalProperties: false,
  examples: ['Votre nom ?', { text: 'Votre nom ?', source: 'x1c9f0LTY2dS7Yrb' }],
})
export type Translation = Static<typeof Translation>

/** Texts of a flow in other languages (docs/behaviour/languages.md). */
export const Localizations = Type.Unsafe<Readonly<Record<string, Readonly<Record<string, Translation>>>>>({
  type: 'object',
  propertyNames: { pattern: languageTag },
  additionalProperties: { type: 'object', additionalProperties: Translation },
  description:
    'Texts in other languages: by the tag of the language, and then by the id of a block with the pointer inside; a text of the settings by its pointer',
  examples: [{ fr: { 'b1/content/richText/0/children/0/text': 'Bonjour {{Name}}' } }],
})

const publication = {
  name: Type.Optional(Type.String()),
  publicId: Type.Optional(
    Type.String({ description: "What the flow is published as. Default: its file's name" }),
  ),
  isClosed: Type.Optional(Type.Boolean({ description: 'Whether starts are refused. Default false' })),
  isArchived: Type.Optional(Type.Boolean({ description: 'Whether the flow counts as gone. Default false' })),
  updatedAt: Type.Optional(Timestamp),
  workspaceId: Type.Optional(Type.String({ description: 'A label; it gives access to nothing' })),
}

/**
 * A valid definition in the current shape, of any version: nothing is missing, and the first event is the start
 * (docs/behaviour/walk.md, "Old versions").
 */
export const Flow = Type.Object({
  version: StringEnum(formatVersions),
  id: Id,
  groups: Type.Array(Group),
  events: Type.Array(FlowEvent),
  edges: Type.Array(Edge),
  variables: Type.Array(Variable),
  settings: Settings,
  theme: Theme,
  localizations: Type.Optional(Localizations),
  ...publication,
})
export type Flow = Static<typeof Flow>

/** A flow as a client sends it, in any version that can be run. */
export const FlowDefinition = Type.Object(
  {
    $schema: Type.Optional(
      Type.String({ description: 'Where editors find what may stand here; has no effect' }),
    ),
    version: Type.Optional(
      StringEnum(formatVersions, {
        description:
          'Default 6 when there are events, else 3. The response repeats it. A number counts as its text',
      }),
    ),
    id: Id,
    groups: Type.Array(Group),
    events: Type.Optional(
      Type.Unsafe<FlowEvent[] | null>({
        type: ['array', 'null'],
        items: FlowEvent,
        description: 'From version 6 on the first is the start, and the only one. Ignored in older versions',
      }),
    ),
    edges: Type.Optional(Type.Array(Edge)),
    variables: Type.Optional(Type.Array(Variable)),
    settings: Type.Optional(Settings),
    theme: Type.Optional(Theme),
    localizations: Type.Optional(Localizations),
    ...publication,
  },
  {
    $id: 'FlowDefinition',
    description: 'A flow to run. Unknown keys are ignored, blocks of unknown types are skipped.',
    examples: [sampleFlow],
  },
)
