import type { TSchema } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { ContinueChatBody, ContinueChatResponse } from '../schemas/continue-chat.ts'
import { FlowDefinition } from '../schemas/flow.ts'
import {
  StartChatBody,
  StartChatResponse,
  StartPreviewChatBody,
  StartPreviewChatResponse,
} from '../schemas/start-chat.ts'
import { blockHandlers } from '../src/blocks/index.ts'
import {
  type ConformanceCase,
  readConformanceFiles,
  responseOfTurn,
  wholeResponse,
} from './support/conformance.ts'
import { leavesOf, touchedLeaves } from './support/schema-leaves.ts'

interface Exception {
  /** Stands for every leaf that it matches. */
  readonly leaf: RegExp
  readonly reason: string
  /** Where the exception holds; everywhere without one. */
  readonly surface?: string
}

/** Leaves that no conversation can touch, and those that tests of their own do. */
const exceptions: readonly Exception[] = [
  {
    leaf: /^\.(messages\[\]|input)<[^>]+>\.custom\./,
    reason: 'cases have the built-in blocks alone: the tests of own blocks are about those',
  },
  {
    leaf: /^\.clientSideActions\[\]<streamOpenAiChatCompletion>/,
    reason: 'the block of older flows has its answer streamed as newer ones do',
  },
  {
    leaf: /^\.clientSideActions\[\]<(scriptToExecute|codeToExecute|chatwoot|googleAnalytics|pixel|redirect|startPropsToInject)>\.expectsDedicatedReply$/,
    reason: 'every action may say that it waits, and these never do',
  },
  {
    leaf: /^\.clientSideActions\[\]<startPropsToInject>\.lastBubbleBlockId$/,
    reason: 'it comes before the first bubble',
  },
  {
    leaf: /^\.clientSideActions\[\]<scriptToExecute>\.scriptToExecute\.isCode$/,
    reason: 'scripts of every kind share one shape, and a Script block does not say it',
  },
  {
    surface: 'preview response',
    leaf: /^\.clientSideActions\[\]<(googleAnalytics|pixel|startPropsToInject)>/,
    reason: 'previews count no visitors',
  },
  {
    surface: 'preview response',
    leaf: /^\.clientSideActions\[\]<chatwoot>\.chatwoot\.scriptToExecute\.args\[\]/,
    reason: 'a preview opens no live chat, so its script is empty',
  },
  {
    surface: 'preview response',
    leaf: /^\.trace\./,
    reason: 'a first turn does not all that a trace can hold, which the tests of the recorder are about',
  },
  {
    surface: 'preview request',
    leaf: /^\.mocks\.(?!clock$|http\[\]\.(match\.url|reply\.json)$)/,
    reason:
      'what rules there are is no part of a conversation: the executor that goes by them has tests of each',
  },
  {
    surface: 'continue request',
    leaf: /^\.setVariables$/,
    reason: 'a case is a public conversation too, which it is refused to',
  },
  {
    leaf: /^\.(contactToken|resume|isResumed)$/,
    reason: 'cases are held with nobody that an operator vouches for: the tests of contacts are about those',
  },
  {
    leaf: /^\.messages\[\]<text>\.sender\.name$/,
    reason: 'no person writes in a first turn',
  },
  {
    leaf: /^\.findings(\[\]\..*)?$/,
    reason: 'a check of the flow is no part of the conversation: the route that checks flows has tests of it',
  },
]

const cases = readConformanceFiles().flatMap((file) => file.cases)

function untouched(schema: TSchema, valuesIn: (testCase: ConformanceCase) => unknown[]): string[] {
  const touched = new Set(cases.flatMap(valuesIn).flatMap((value) => touchedLeaves(schema, value)))
  return [...new Set(leavesOf(schema))].filter((leaf) => !touched.has(leaf))
}

const surfaces: [string, string[]][] = [
  [
    'public request',
    untouched(StartChatBody, ({ request, publicRequest }) => [{ ...request, ...publicRequest }]),
  ],
  [
    'preview request',
    untouched(StartPreviewChatBody, ({ request, previewRequest }) => [
      { flow: {}, ...request, ...previewRequest },
    ]),
  ],
  ['definition', untouched(FlowDefinition, ({ definition, linked = [] }) => [definition, ...linked])],
  ['public response', untouched(StartChatResponse, (testCase) => [wholeResponse(testCase, 'public')])],
  [
    'preview response',
    untouched(StartPreviewChatResponse, (testCase) => [wholeResponse(testCase, 'preview')]),
  ],
  [
    'continue request',
    untouched(ContinueChatBody, ({ then = [] }) => then.map(({ request }) => request ?? {})),
  ],
]

const isExcepted = (surface: string, untouchedLeaf: string) =>
  exceptions.some((exception) => holdsFor(exception, surface) && exception.leaf.test(untouchedLeaf))

const holdsFor = (exception: Exception, surface: string) =>
  exception.surface === undefined || exception.surface === surface

describe('the conformance cases', () => {
  it.each(surfaces)('touch every field of the %s', (surface, leaves) => {
    expect(leaves.filter((leaf) => !isExcepted(surface, leaf))).toEqual([])
  })

  it('meet every part of a response while they go on, whose fields are those of a start', () => {
    const turns = cases.flatMap(({ then = [] }) =>
      then.flatMap((turn) => [responseOfTurn(turn, 'public'), responseOfTurn(turn, 'preview')]),
    )
    const met = new Set(turns.flatMap((turn) => Object.keys(turn)))
    expect([...met].sort()).toEqual(Object.keys(ContinueChatResponse.properties).sort())
  })

  it.each(exceptions)('leave out $leaf, because $reason', (exception) => {
    const where = surfaces.filter(([surface]) => holdsFor(exception, surface))
    expect(where.some(([, leaves]) => leaves.some((leaf) => exception.leaf.test(leaf)))).toBe(true)
  })
})

/** What becomes of replies to inputs of a type, in the turns of all cases. */
function fatesOf(type: string) {
  return cases.flatMap((testCase) => {
    const turns = [
      wholeResponse(testCase, 'public'),
      ...(testCase.then ?? []).map((turn) => responseOfTurn(turn, 'public')),
    ]
    return turns.slice(0, -1).flatMap(({ input }, index) => {
      const asked = input as { id: string; type: string; outgoingEdgeId?: string } | undefined
      if (asked?.type !== type) return []
      const [shown] = (turns[index + 1]?.['messages'] ?? []) as { id: string }[]
      return [{ isRefused: shown?.id === asked.id, testCase }]
    })
  })
}

describe('the conversations', () => {
  const types = blockHandlers
    .filter(({ kind, reply }) => kind === 'input' && reply !== undefined)
    .flatMap(({ types }) => types)

  it.each(types)(
    'answer a %s in at least three ways, and are refused by it where it refuses anything',
    (type) => {
      const fates = fatesOf(type)
      const answered = new Set(fates.filter(({ isRefused }) => !isRefused).map(({ testCase }) => testCase))
      expect(answered.size).toBeGreaterThanOrEqual(3)
      expect(fates.some(({ isRefused }) => isRefused)).toBe(true)
    },
  )
})
