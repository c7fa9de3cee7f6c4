import { Actions, Button, Card, CardText, type Chat, type Thread } from 'chat'

interface Turn {
  readonly sessionId: string
  readonly isResumed?: boolean
  readonly messages: { content: { markdown?: string; url?: string } }[]
  readonly input?: { items?: { id: string; content?: string }[] }
}

/**
 * Holds a flow wherever a bot of the Chat SDK (`chat` 4.41) is: `new Chat({ …, concurrency: 'queue' })`, as it drops what comes
 * during an answer otherwise. The token is an operator's, and vouches for who writes.
 */
export function holdFlow(bot: Chat, { url, flow, token }: { url: string; flow: string; token: string }) {
  async function ask(path: string, asked: object, key?: string): Promise<Turn> {
    const body = JSON.stringify({ textBubbleContentFormat: 'markdown', ...asked })
    const known = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const headers = key ? { ...known, 'idempotency-key': key } : known
    const response = await fetch(`${url}/v1/${path}`, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Turn
  }
  async function answer(thread: Thread<unknown>, userId: string, message: unknown, id: string) {
    const contact = { id: `${thread.adapter.name}:${userId}` }
    const begun = await ask(`flows/${flow}/startChat`, { contact, resume: true })
    const path = `sessions/${begun.sessionId}/continueChat`
    const turn = begun.isResumed ? await ask(path, { message }, `chat-sdk-message:${thread.id}:${id}`) : begun
    const texts = turn.messages.map(({ content }) => content.markdown ?? content.url ?? '')
    const items = turn.input?.items ?? []
    const asked = items.length > 0 ? (texts.pop() ?? 'Choose one') : undefined
    for (const markdown of texts) await thread.post({ markdown })
    const buttons = items.map(({ id, content = id }) => Button({ id: 'reply', label: content, value: id }))
    if (asked) await thread.post(Card({ children: [CardText(asked), Actions(buttons)] }))
  }
  bot.onNewMention((thread, { author, text, id }) => answer(thread, author.userId, text, id))
  bot.onAction('reply', async ({ thread, user, value = '', messageId }) => {
    const message = { type: 'text', text: value, metadata: { replyId: value } }
    await (thread && answer(thread, user.userId, message, `${messageId}:${value}`))
  })
}
