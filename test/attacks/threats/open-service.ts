import { onTestFinished } from 'vitest'
import { parseAllowList } from '../../../src/adapters/http-client/egress/allow-list.ts'
import type { Lookup } from '../../../src/adapters/http-client/egress/destination-policy.ts'
import { createHttpClient } from '../../../src/adapters/http-client/http-client.ts'
import { createSystemPorts } from '../../../src/adapters/system/system-ports.ts'
import { createYamlReader } from '../../../src/adapters/yaml-reader/yaml-reader.ts'
import { createAnalytics } from '../../../src/analytics/read-analytics.ts'
import type { ChatDependencies } from '../../../src/conversations/dependencies.ts'
import type { NamedToken } from '../../../src/ports/caller.ts'
import { Results } from '../../../src/results/results-service.ts'
import { createFlowConverter } from '../../../src/tooling/convert/flow-converter.ts'
import { createFlowTests } from '../../../src/tooling/flow-tests/test-draft.ts'
import { createReplays } from '../../../src/tooling/replay/replay-request.ts'
import { resolver } from '../../adapters/http-client/open-client.ts'
import { adminTokens as tokensOf } from '../../support/admin-tokens.ts'
import { buildTestApp } from '../../support/build-test-app.ts'
import type { Json } from '../../support/json.ts'
import { defaultLimits } from '../../support/limits.ts'
import { createTestChat } from '../../support/start.ts'

/** What a service is attacked in. */
export interface Ground extends Partial<Omit<ChatDependencies, 'log' | 'limits' | 'http'>> {
  readonly previewToken?: string
  readonly adminToken?: string
  /** In place of the only one. */
  readonly adminTokens?: readonly NamedToken[]
  /** What flows may reach though it is not public. */
  readonly allow?: string
  readonly lookup?: Lookup
  readonly limits?: Partial<typeof defaultLimits>
  /** Milliseconds for the tests of a draft. */
  readonly testsMs?: number
  /** Milliseconds for the conversion of a text. */
  readonly convertMs?: number
}

/** The service around the adapters that it has in earnest, with these flows published, as strangers reach it. */
export async function openService(definitions: readonly Json[], ground: Ground = {}) {
  const {
    allow = '',
    lookup = resolver({}),
    limits,
    previewToken,
    adminToken,
    adminTokens = tokensOf(adminToken),
    testsMs = 5000,
    convertMs = 5000,
    ...given
  } = ground
  const http = createHttpClient({ allow: parseAllowList(allow), lookup })
  onTestFinished(() => http.close())
  const world = createTestChat(definitions, {
    ports: createSystemPorts(),
    http,
    limits: { ...defaultLimits, ...limits },
    ...given,
  })
  const results = new Results({ ...world, eraseFiles: async () => undefined })
  const { app, logLines } = await buildTestApp({
    chat: world.chat,
    converter: createFlowConverter({ limitMs: convertMs }),
    flowTests: createFlowTests({ chat: world, yaml: createYamlReader(), limitMs: testsMs }),
    replays: createReplays({ chat: world, limitMs: testsMs }),
    results,
    analytics: createAnalytics(world),
    config: { previewToken, adminTokens },
  })

  async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
    const response = await app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: response.json(),
    }
  }
  return {
    app,
    logLines,
    world,
    post,
    start: (body: Json = {}, headers?: Record<string, string>) =>
      post('/v1/flows/flow-1/startChat', { textBubbleContentFormat: 'markdown', ...body }, headers),
    preview: (body: Json, headers?: Record<string, string>) =>
      post('/v1/flows/flow-1/preview/startChat', { textBubbleContentFormat: 'markdown', ...body }, headers),
    say: (sessionId: string, message: unknown, headers?: Record<string, string>) =>
      post(
        `/v1/sessions/${sessionId}/continueChat`,
        { textBubbleContentFormat: 'markdown', message },
        headers,
      ),
  }
}

/** The lines of text that an answer shows. */
export function shownIn({ messages }: { messages?: { content: { markdown?: string } }[] }) {
  return (messages ?? []).map(({ content }) => content.markdown)
}
