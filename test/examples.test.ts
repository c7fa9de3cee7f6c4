import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adminTokens } from './support/admin-tokens.ts'
import { buildTestApp } from './support/build-test-app.ts'
import { createTestChat } from './support/start.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.http'))
const samples = readdirSync(join(root, 'flows')).flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? [])

/** One request of an example file, and the part of its answer that the comment above it shows. */
interface Exchange {
  readonly method: 'PATCH' | 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly payload: object
  readonly answer: object
}

function readExchanges(file: string): Exchange[] {
  const [, ...sections] = read(`examples/${file}`).split(/^###$/m)
  return sections.map((section) => {
    const lines = section.trim().split('\n')
    const comment = lines.filter((line) => line.startsWith('# ') && !line.startsWith('# @'))
    const request = lines.filter((line) => !line.startsWith('#'))
    const end = request.indexOf('')
    const [line = '', ...fields] = request.slice(0, end)
    const body = request.slice(end + 1)
    const headers = fields.map((field) => field.replace('{{token}}', 'secret').split(': '))
    const [method, path = ''] = line.split(' {{host}}') as [Exchange['method'], string?]
    const answer = JSON.parse(comment.map((text) => text.slice(2)).join('\n'))
    return {
      method,
      path,
      headers: Object.fromEntries(headers),
      payload: JSON.parse(body.join('\n')),
      answer,
    }
  })
}

/** Replaces what differs from one run to the next. */
function withoutMoments(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)/g, '<moment>')
    .replace(/reference is \w+/, 'reference is <id>')
  return JSON.parse(text)
}

describe('the examples', () => {
  it('play every sample flow', () => {
    const started = files.map((file) => readExchanges(file)[0]?.path.match(/flows\/([^/]+)\/startChat/)?.[1])
    expect(started.sort()).toEqual(samples.sort())
  })

  it.each(files)('are answered as they say: %s', async (file) => {
    const definitions = samples.map((name) => JSON.parse(read(`flows/${name}.json`)))
    const { app } = await buildTestApp({
      chat: createTestChat(definitions).chat,
      config: { adminTokens: adminTokens('secret') },
    })
    let sessionId = ''
    for (const { method, path, headers, payload, answer } of readExchanges(file)) {
      const url = path.replace('{{start.response.body.sessionId}}', sessionId)
      const response = await app.inject({ method, url, headers, payload })
      sessionId = response.json().sessionId ?? sessionId
      expect(withoutMoments(response.json())).toMatchObject(answer)
    }
  })
})
