import { describe, expect, it } from 'vitest'
import { readConformanceFiles, wholeDefinition, wholeResponse } from './support/conformance.ts'
import { expectValid } from './support/response-validators.ts'
import { startPreview, startPublished } from './support/start.ts'

describe.each(readConformanceFiles())('$title ($path)', ({ cases }) => {
  it.each(cases)('public: $description', async (testCase) => {
    const { definition, linked, request, publicRequest, random } = testCase
    const response = await startPublished({
      definition: wholeDefinition(definition),
      linked: linked?.map(wholeDefinition),
      body: { ...request, ...publicRequest },
      random,
    })
    expectValid('public', response)
    expect(response).toEqual(wholeResponse(testCase, 'public'))
  })

  it.each(cases)('preview: $description', async (testCase) => {
    const { definition, linked, request, previewRequest, random } = testCase
    const response = await startPreview({
      definition: wholeDefinition(definition),
      linked: linked?.map(wholeDefinition),
      body: { ...request, ...previewRequest },
      random,
    })
    expectValid('preview', response)
    expect(response).toEqual(wholeResponse(testCase, 'preview'))
  })
})
