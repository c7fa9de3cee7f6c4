import { expect } from 'vitest'
import {
  type ConformanceCase,
  type Endpoint,
  readConformanceFiles,
  responseOfTurn,
  wholeResponse,
} from '../support/conformance.ts'
import { serve } from './service.ts'

/** Plays a conformance case over HTTP, and compares every answer of it. */
export async function play(testCase: ConformanceCase, endpoint: Endpoint): Promise<void> {
  const { definition, linked = [], random, request, publicRequest, previewRequest } = testCase
  const isPublic = endpoint === 'public'
  const service = await serve(isPublic ? [definition, ...linked] : linked, { random })
  const started = isPublic
    ? await service.post(startOf(definition), { ...request, ...publicRequest })
    : await service.preview(definition, { ...request, ...previewRequest })
  expect(started).toEqual({ status: 200, body: wholeResponse(testCase, endpoint) })
  for (const turn of testCase.then ?? []) {
    const { status, body } = await service.goOn(started.body['sessionId'], turn.request)
    if (turn.error) expect({ ...body, status }).toMatchObject(turn.error)
    else expect({ status, body }).toEqual({ status: 200, body: responseOfTurn(turn, endpoint) })
  }
}

function startOf(definition: ConformanceCase['definition']): string {
  const publicId = String(definition['publicId'] ?? definition['id'] ?? 'flow-1')
  return `/v1/flows/${encodeURIComponent(publicId)}/startChat`
}

/** The conformance cases whose description begins with a text, of all files or of one; at least one is there. */
export function casesAbout(beginning: string, path = ''): [description: string, testCase: ConformanceCase][] {
  const found = readConformanceFiles()
    .filter((file) => file.path.startsWith(path))
    .flatMap(({ cases }) => cases)
    .filter(({ description }) => description.startsWith(beginning))
  if (found.length === 0) throw new Error(`no conformance case begins with "${beginning}"`)
  return found.map((testCase) => [testCase.description, testCase])
}
