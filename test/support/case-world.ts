import { expect } from 'vitest'
import { createSmtpMailer } from '../../src/adapters/mailer/smtp-mailer.ts'
import { readCredentials } from '../../src/config/credentials/credentials.ts'
import type { ChatDependencies } from '../../src/conversations/dependencies.ts'
import { openFiles } from '../vendors/open-files.ts'
import type { ConformanceCase, Endpoint } from './conformance.ts'
import { createDescribedNetwork, type SentRequest } from './described-calls.ts'
import { nowhere } from './nowhere.ts'
import { sandbox } from './sandbox.ts'

/** What a conversation of a case has around it. */
export interface CaseWorld {
  /** Nothing where the case describes no other system and runs no code. */
  readonly chat: Partial<ChatDependencies>
  /** What has been sent so far. */
  readonly sent: readonly SentRequest[]
  /** What is to be sent, with a matcher where anything will do. */
  readonly expected: readonly unknown[]
}

/** Opens the world of a case for as long as its test runs. */
export async function openCaseWorld(testCase: ConformanceCase, endpoint: Endpoint): Promise<CaseWorld> {
  const { accounts, keepsFiles, runsCode, publicCalls } = testCase
  const calls = (endpoint === 'public' ? publicCalls : undefined) ?? testCase.calls ?? []
  if (!accounts && !keepsFiles && calls.length === 0) {
    return { chat: runsCode ? { sandbox } : {}, sent: [], expected: [] }
  }
  const { http, sent } = createDescribedNetwork(calls)
  const { credentials } = readCredentials(JSON.stringify(accounts ?? []), {})
  const { compose } = createSmtpMailer()
  const mailer = { ...nowhere.mailer, compose }
  const files = keepsFiles ? (await openFiles()).files : undefined
  const chat = { http, credentials, mailer, sandbox, files, publicUrl: 'https://bot.example' }
  return { chat, sent, expected: calls.map(({ sends }) => withMatchers(sends)) }
}

function withMatchers(value: unknown): unknown {
  if (value === '{{any}}') return expect.anything()
  if (Array.isArray(value)) return value.map(withMatchers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withMatchers(part)]))
}
