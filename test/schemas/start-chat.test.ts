import { describe, expect, it } from 'vitest'
import {
  StartChatBody,
  StartChatResponse,
  StartPreviewChatBody,
  StartPreviewChatResponse,
} from '../../schemas/start-chat.ts'
import { problemsIn } from './problems-in.ts'

const bodies = [
  ['public', StartChatBody],
  ['preview', StartPreviewChatBody],
] as const

const samples = (schema: object) => (schema as { examples: Record<string, unknown>[] }).examples

describe.each(bodies)('the body of a %s start', (_, Body) => {
  it.each([
    ['nothing', {}],
    ['unknown keys', { future: { deep: [1] }, __proto: null }],
    ['bare text', { message: 'Hi' }],
    [
      'prefilled values of any kind',
      { prefilledVariables: { a: null, b: 1, c: [true, {}], d: { e: 'f' }, '': '' } },
    ],
    [
      'every common field',
      {
        message: { type: 'text', text: 'Hi' },
        isStreamEnabled: true,
        isOnlyRegistering: false,
        prefilledVariables: {},
        textBubbleContentFormat: 'markdown',
      },
    ],
  ])('may hold %s', (_, body) => {
    expect(problemsIn(Body, body)).toEqual([])
  })

  it.each([
    'message',
    'isStreamEnabled',
    'isOnlyRegistering',
    'prefilledVariables',
    'textBubbleContentFormat',
  ])('must not hold null for %s', (field) => {
    expect(problemsIn(Body, { [field]: null }).map(({ pointer }) => pointer)).toEqual([`/${field}`])
  })

  it.each([
    [{ isStreamEnabled: 'true' }, '/isStreamEnabled', 'must be boolean'],
    [{ isOnlyRegistering: 0 }, '/isOnlyRegistering', 'must be boolean'],
    [{ prefilledVariables: [] }, '/prefilledVariables', 'must be object'],
    [{ textBubbleContentFormat: 'html' }, '/textBubbleContentFormat', 'must be one of: richText, markdown'],
    [{ message: { type: 'image' } }, '/message/type', 'must be one of: text, audio, command'],
    [{ message: {} }, '/message', "must have required property 'type'"],
    [{ message: 7 }, '/message', 'must be string,object'],
    [[], '', 'must be object'],
    ['hi', '', 'must be object'],
    [null, '', 'must be object'],
  ])('%j is refused with one problem', (body, pointer, message) => {
    expect(problemsIn(Body, body)).toEqual([{ pointer, message }])
  })

  it('has every problem reported', () => {
    const body = { message: { type: 'text' }, isStreamEnabled: 1, prefilledVariables: 'x' }
    expect(problemsIn(Body, body)).toEqual([
      { pointer: '/message', message: "must have required property 'text'" },
      { pointer: '/isStreamEnabled', message: 'must be boolean' },
      { pointer: '/prefilledVariables', message: 'must be object' },
    ])
  })

  it('has valid examples', () => {
    for (const example of samples(Body)) expect(problemsIn(Body, example)).toEqual([])
  })
})

describe('the body of a public start', () => {
  it('may name an earlier result', () => {
    expect(problemsIn(StartChatBody, { resultId: 'r1' })).toEqual([])
  })

  it('must not hold null for resultId', () => {
    expect(problemsIn(StartChatBody, { resultId: null })).toEqual([
      { pointer: '/resultId', message: 'must be string' },
    ])
  })

  it('may hold anything under the names that only a preview knows', () => {
    expect(
      problemsIn(StartChatBody, { flow: 1, startFrom: 2, sessionId: 3, isProgressBarEnabled: 4 }),
    ).toEqual([])
  })
})

describe('the body of a preview start', () => {
  it.each([
    { startFrom: { type: 'group', groupId: 'g1' } },
    { startFrom: { type: 'group', groupId: 'g1', blockId: 'b1' } },
    { startFrom: { type: 'block', blockId: 'b1' } },
    { startFrom: { type: 'block', blockId: 'b1', groupId: 'g1' } },
    { startFrom: { type: 'event', eventId: 'e1' } },
    { isProgressBarEnabled: true },
    { sessionId: 'a' },
    { sessionId: '!~flow-1:user@7\\{}' },
    { sessionId: 'x'.repeat(128) },
    { resultId: null },
  ])('may hold %j', (body) => {
    expect(problemsIn(StartPreviewChatBody, body)).toEqual([])
  })

  it.each([
    [{ flow: null }, '/flow', 'must be object'],
    [{ flow: 'flow-1' }, '/flow', 'must be object'],
    [{ startFrom: null }, '/startFrom', 'must be object'],
    [{ startFrom: {} }, '/startFrom', "must have required property 'type'"],

    [{ startFrom: { type: 'group', eventId: 'e1' } }, '/startFrom', "must have required property 'groupId'"],
    [{ startFrom: { type: 'event', eventId: 1 } }, '/startFrom/eventId', 'must be string'],
    [{ isProgressBarEnabled: null }, '/isProgressBarEnabled', 'must be boolean'],
    [{ sessionId: null }, '/sessionId', 'must be string'],
  ])('%j is refused with one problem', (body, pointer, message) => {
    expect(problemsIn(StartPreviewChatBody, body)).toEqual([{ pointer, message }])
  })

  it.each([
    ['empty', ''],
    ['of 129 characters', 'x'.repeat(129)],
    ['with a blank', 'a b'],
    ['with a slash', 'a/b'],
    ['with a line break at its end', 'a\n'],
    ['with a control character', 'a\u0000'],
    ['with DEL', 'a\u007f'],
    ['outside ASCII', 'é'],
  ])('refuses a session id that is %s', (_, sessionId) => {
    expect(problemsIn(StartPreviewChatBody, { sessionId }).map(({ pointer }) => pointer)).toEqual([
      '/sessionId',
    ])
  })
})

describe.each([
  ['public', StartChatResponse],
  ['preview', StartPreviewChatResponse],
] as const)('the response to a %s start', (_, Response) => {
  const [sample = {}] = samples(Response)
  const flow = sample['flow'] as object

  it('is as in the example', () => {
    expect(problemsIn(Response, sample)).toEqual([])
  })

  it.each([
    ['itself', { ...sample, future: 1 }, '/future'],
    ['its flow', { ...sample, flow: { ...flow, name: 'x' } }, '/flow/name'],
    ['a log', { ...sample, logs: [{ description: 'x', secret: 'y' }] }, '/logs/0/secret'],
    ['its dynamic theme', { ...sample, dynamicTheme: { color: 'x' } }, '/dynamicTheme/color'],
  ])('holds no unlisted key in %s', (_, response, pointer) => {
    expect(problemsIn(Response, response)).toEqual([
      { pointer, message: expect.stringMatching(/^is not known here; known are: /) },
    ])
  })

  it('may hold unknown settings and unknown parts of the theme', () => {
    const open = { ...flow, settings: { future: 1, general: { future: 1 } }, theme: { future: { deep: 1 } } }
    expect(problemsIn(Response, { ...sample, flow: open })).toEqual([])
  })

  it('has a progress between 0 and 100', () => {
    expect(problemsIn(Response, { ...sample, progress: 100 })).toEqual([])
    expect(problemsIn(Response, { ...sample, progress: 100.1 })).toHaveLength(1)
  })

  it.each(['sessionId', 'flow', 'messages'])('always has %s', (field) => {
    const { [field]: _, ...rest } = sample
    expect(problemsIn(Response, rest)).toEqual([
      { pointer: '', message: `must have required property '${field}'` },
    ])
  })
})

describe('results and publications', () => {
  it('are sent by a public start', () => {
    const [sample = {}] = samples(StartChatResponse)
    const { resultId: _, ...rest } = sample
    expect(problemsIn(StartChatResponse, rest)).toHaveLength(1)
    const { publishedAt: __, ...registered } = sample['flow'] as Record<string, unknown>
    expect(problemsIn(StartChatResponse, { ...sample, flow: registered })).toEqual([])
  })

  it('are not sent by a preview', () => {
    const [sample = {}] = samples(StartChatResponse)
    expect(problemsIn(StartPreviewChatResponse, sample).map(({ pointer }) => pointer)).toEqual([
      '/resultId',
      '/flow/publishedAt',
    ])
  })
})
