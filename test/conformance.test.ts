import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { errorStatus } from '../src/http/response/problem-details.ts'
import { ServiceError } from '../src/lib/errors.ts'
import { openCaseWorld } from './support/case-world.ts'
import {
  type ConformanceCase,
  type ConformanceTurn,
  type Endpoint,
  readConformanceFiles,
  readShortFiles,
  responseOfTurn,
  wholeResponse,
} from './support/conformance.ts'
import { trusted } from './support/preview-request.ts'
import { expectValid } from './support/response-validators.ts'
import { beginPreview, beginPublished, type Started } from './support/start.ts'

const schema = readFileSync(join(import.meta.dirname, 'conformance/schema.json'), 'utf8')
const schemas = new Ajv({
  allErrors: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
}).addSchema(JSON.parse(schema), 'cases')

it.each(readShortFiles())('$path follows the schema of the cases, and names it', ({ file, cases }) => {
  expect(errorsOf('cases', file)).toEqual([])
  expect(file).toHaveProperty('$schema', '../schema.json')
  expect(cases.flatMap((testCase) => errorsOf('cases#/definitions/case', testCase))).toEqual([])
})

function errorsOf(name: string, value: unknown) {
  const isValid = schemas.getSchema(name)!
  return isValid(value) ? [] : isValid.errors
}

describe.each(readConformanceFiles())('$title ($path)', ({ cases }) => {
  it.each(cases)('public: $description', async (testCase) => {
    const { publicRequest, result } = testCase
    const { chat, sent, expected } = await openCaseWorld(testCase, 'public')
    const session = await beginPublished({ ...startOf(testCase, publicRequest), chat })
    await playThrough(testCase, session, 'public')
    expect(sent).toEqual(expected)
    if (result) {
      const flowId = String(testCase.definition['id'])
      expect(await session.world.results.get(flowId, 'result-1')).toMatchObject(result)
    }
  })

  it.each(cases)('preview: $description', async (testCase) => {
    const { chat, sent, expected } = await openCaseWorld(testCase, 'preview')
    const caller = testCase.accounts ? trusted : undefined
    const session = await beginPreview({ ...startOf(testCase, testCase.previewRequest), chat }, caller)
    await playThrough(testCase, session, 'preview')
    expect(sent).toEqual(expected)
  })

  it.each(cases.filter(({ accounts }) => accounts))(
    'preview without a token, which sends nothing: $description',
    async (testCase) => {
      const { chat, sent } = await openCaseWorld(testCase, 'preview')
      const { response } = await beginPreview({ ...startOf(testCase, testCase.previewRequest), chat })
      expectValid('preview', response)
      expect(sent).toEqual([])
    },
  )
})

function startOf({ definition, linked, request, random }: ConformanceCase, own?: Record<string, unknown>) {
  return {
    definition,
    linked,
    body: { ...request, ...own },
    random,
  }
}

async function playThrough(testCase: ConformanceCase, session: Started, endpoint: Endpoint): Promise<void> {
  expectValid(endpoint, session.response)
  expect(session.response).toEqual(wholeResponse(testCase, endpoint))
  for (const [index, turn] of (testCase.then ?? []).entries()) {
    await playTurn(turn, session, { endpoint, nth: `turn ${index + 1} after the start` })
  }
}

async function playTurn(
  turn: ConformanceTurn,
  session: Started,
  { endpoint, nth }: { endpoint: Endpoint; nth: string },
): Promise<void> {
  if (turn.error) {
    expect(await session.continue(turn.request).catch(refusalOf), nth).toEqual(turn.error)
    return
  }
  const response = turn.operator
    ? await session.operate(turn.operator)
    : turn.after
      ? (await session.after(turn.after)).at(-1)
      : await session.continue(turn.request)
  expectValid('continue', response)
  expect(response, nth).toEqual(responseOfTurn(turn, endpoint))
}

function refusalOf(error: unknown) {
  if (!(error instanceof ServiceError)) throw error
  return { status: errorStatus[error.code], message: error.message }
}
