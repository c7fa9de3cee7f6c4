import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildTestApp } from './support/build-test-app.ts'
import { createTestChat } from './support/start.ts'

const root = join(import.meta.dirname, '..')
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const samples = ['lead-form', 'product-quiz', 'support-triage', 'opening-hours']

/** One command of a console block, and the answer that is printed below it. */
interface Command {
  readonly name: 'flow' | 'say'
  readonly args: readonly string[]
  readonly answer: unknown
}

/** The blocks of the README that play a flow, each as its commands. */
const plays = [...readme.matchAll(/^```console\n(.*?)\n```$/gms)].map(([, block = '']) =>
  [...block.matchAll(/^\$ (flow|say)(.*)\n(.*)$/gm)].map(([, name, rest = '', answer = '']): Command => {
    const args = [...rest.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
    return { name: name as Command['name'], args, answer: JSON.parse(answer) }
  }),
)

/** What differs from one run to the next. */
function masked(answer: unknown): unknown {
  const { sessionId: _s, resultId: _r, instance: _i, ...rest } = answer as Record<string, unknown>
  const text = JSON.stringify(rest)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)/g, '<moment>')
    .replace(/reference is \w+/, 'reference is <id>')
  return JSON.parse(text)
}

describe('the conversations of the README', () => {
  it('play every sample flow', () => {
    expect(plays.map(([first]) => first?.args[0])).toEqual(samples)
    expect(plays.flat().length).toBeGreaterThan(20)
  })

  it.each(plays.map((play) => [play[0]?.args[0], play] as const))('are real: %s', async (_, play) => {
    const { app } = await buildTestApp({
      chat: createTestChat(samples.map((name) => readJson(`flows/${name}.json`))).chat,
    })
    let session = ''
    for (const { name, args, answer } of play) {
      const [word, prefilled] = args
      const url = name === 'flow' ? `/v1/flows/${word}/startChat` : `/v1/sessions/${session}/continueChat`
      const said =
        name === 'flow'
          ? { prefilledVariables: JSON.parse(prefilled ?? '{}') }
          : word === undefined
            ? {}
            : { message: word }
      const response = await app.inject({
        method: 'POST',
        url,
        payload: { textBubbleContentFormat: 'markdown', ...said },
      })
      session = response.json().sessionId ?? session
      expect(masked(response.json())).toEqual(masked(answer))
    }
  })
})

/** The shell functions that the conversations are played with. */
const functions = readme.match(/^```sh\n(flow\(\) \{\n.*?)^```$/ms)?.[1] ?? ''

/** Stands for the service: writes down the last word that it is called with, which is the body, and answers. */
const curl = `curl() {
  for word in "$@"; do case $word in http:*) address=$word ;; esac; done
  printf '%s\\n%s\\n' "$address" "$word" >> "$ASKED"
  printf '%s' "$CANNED"
}`

/** What a shell says and asks when it runs commands after the functions, and is always answered the same. */
function runInShell(commands: string, answer: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { ...process.env, CANNED: JSON.stringify(answer), ASKED: join(folder, 'asked') }
  const said = execFileSync('sh', ['-eu', '-c', [curl, functions, commands].join('\n')], { env }).toString()
  const lines = readFileSync(env.ASKED, 'utf8').trimEnd().split('\n')
  const paths = lines.filter((_, index) => index % 2 === 0).map((address) => new URL(address).pathname)
  const bodies = lines.filter((_, index) => index % 2 === 1).map((body) => JSON.parse(body))
  return { said, paths, bodies }
}

describe('the shell functions of the README', () => {
  const answer = { sessionId: 's-1_x', messages: [{ text: 'two\nlines, a \\ and a \ttab: "Ω"' }] }

  it('hand on an answer as it is, and go on with its session', () => {
    const { said, paths, bodies } = runInShell(
      `flow lead-form; flow quiz '{"Nick name":"Ada \\n"}'; say "A new \\n website"; say ""; say`,
      answer,
    )
    expect(said.trimEnd().split('\n')).toEqual(Array(5).fill(JSON.stringify(answer)))
    expect(paths).toEqual([
      '/v1/flows/lead-form/startChat',
      '/v1/flows/quiz/startChat',
      ...Array(3).fill('/v1/sessions/s-1_x/continueChat'),
    ])
    const textBubbleContentFormat = 'markdown'
    expect(bodies).toEqual([
      { textBubbleContentFormat },
      { textBubbleContentFormat, prefilledVariables: { 'Nick name': 'Ada \n' } },
      { textBubbleContentFormat, message: 'A new \n website' },
      { textBubbleContentFormat, message: '' },
      { textBubbleContentFormat },
    ])
  })
})
