import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startBuiltService } from '../support/built-service.ts'
import type { Json } from '../support/json.ts'

const root = join(import.meta.dirname, '../..')

/** Functions of the package that the example calls, as its types describe them: it has more dependencies than a test is worth. */
const standIn = `
export const Actions = (children) => ({ type: 'actions', children })
export const Button = (options) => ({ type: 'button', ...options })
export const Card = (options) => ({ type: 'card', ...options })
export const CardText = (content) => ({ type: 'text', content })
`

interface Handlers {
  mention?: (thread: object, message: object) => Promise<void>
  action?: (event: object) => Promise<void>
}

/** A bot in one thread, which notes what is posted there. */
function openBot() {
  const posted: Json[] = []
  const handlers: Handlers = {}
  const thread = {
    id: 'slack:C1:1',
    adapter: { name: 'slack' },
    post: async (message: Json) => void posted.push(message),
  }
  const bot = {
    onNewMention: (mention: Required<Handlers>['mention']) => void Object.assign(handlers, { mention }),
    onAction: (_id: string, action: Required<Handlers>['action']) => void Object.assign(handlers, { action }),
  }
  const user = { userId: 'U1' }
  const shown = () => posted.splice(0)
  return {
    bot,
    async say(id: string, text: string) {
      await handlers.mention?.(thread, { id, text, author: user })
      return shown()
    },
    async press(value: string) {
      await handlers.action?.({ thread, user, value, messageId: 'm' })
      return shown()
    },
  }
}

it('the example of the Chat SDK holds a flow, with its buttons', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chat-sdk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const chat = join(folder, 'node_modules/chat')
  mkdirSync(chat, { recursive: true })
  writeFileSync(join(chat, 'package.json'), '{"name":"chat","type":"module","exports":"./index.js"}')
  writeFileSync(join(chat, 'index.js'), standIn)
  const copy = join(folder, 'chat-sdk.ts')
  cpSync(join(root, 'examples/chat-sdk.ts'), copy)
  const { holdFlow } = await import(copy)

  const service = await startBuiltService({ FLOWS_DIR: join(root, 'flows'), ADMIN_TOKEN: 'adm1n' })
  onTestFinished(() => void service.child.kill('SIGKILL'))
  const { bot, say, press } = openBot()
  holdFlow(bot, { url: service.address, flow: 'support-triage', token: 'adm1n' })

  const [card] = await say('m1', 'hello')
  const [text, actions] = (card as { children: Json[] }).children
  expect(text?.['content']).toMatch(/What is it about\?$/)
  const buttons = actions?.['children'] as { label: string; value: string }[]
  expect(buttons.map(({ label }) => label)).toEqual(['An order', 'A bill', 'Opening hours'])

  const question = { markdown: 'What is the number of the order? It looks like NW-12345.' }
  expect(await press(buttons[0]?.value ?? '')).toEqual([question])
  const asked = await say('m2', 'NW-12345')
  expect(asked.length).toBeGreaterThan(0)
  expect(asked).not.toEqual([question])
  expect(await say('m2', 'NW-12345')).toEqual(asked)
})
