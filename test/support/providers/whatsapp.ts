import type { Json } from '../json.ts'

/**
 * What the WhatsApp Cloud API refuses of a message, by its documentation (Messages API, "Text", "Image", "Video",
 * "Audio", "Interactive reply buttons", "Interactive list"; media by "Supported media types"). The recipient is not
 * looked at.
 */
export function whatsAppProblems({ method, body }: { method: string; body: Json }): string[] {
  const problems: string[] = []
  const hold = (isTrue: boolean, what: string) => void (isTrue || problems.push(what))
  const text = (value: unknown, most: number, what: string) => {
    hold(typeof value === 'string' && value.trim() !== '', `${what} is empty`)
    hold(String(value).length <= most, `${what} is longer than ${most}`)
    hold(String(value).isWellFormed(), `${what} has half a character`)
  }
  const only = (value: Json, keys: readonly string[], what: string) =>
    hold(
      Object.keys(value).every((key) => keys.includes(key)),
      `${what} has other keys: ${Object.keys(value)}`,
    )
  const link = (value: unknown, endings: readonly string[], what: string) => {
    hold(/^https?:\/\/\S+$/.test(String(value)), `${what} is no address`)
    const ending = /\/\/[^/]+\/.*\.([a-z\d]{2,5})$/i.exec(String(value).split(/[?#]/)[0] ?? '')?.[1]
    hold(ending === undefined || endings.includes(ending.toLowerCase()), `${what} ends with ${ending}`)
  }
  const images = ['jpg', 'jpeg', 'png']
  const checks: Record<string, (content: Json) => void> = {
    text(content) {
      only(content, ['body', 'preview_url'], 'text')
      text(content['body'], 4096, 'text.body')
    },
    image: (content) => media(content, images),
    video: (content) => media(content, ['mp4', '3gp']),
    audio(content) {
      hold(content['caption'] === undefined, 'audio has a caption')
      media(content, ['aac', 'amr', 'mp3', 'm4a', 'ogg', 'opus'])
    },
    interactive(content) {
      const { type, header, body, action } = content as {
        type: string
        header?: Json
        body: Json
        action: Json
      }
      only(content, ['type', 'header', 'body', 'footer', 'action'], 'interactive')
      only(body, ['text'], 'body')
      text(body['text'], type === 'list' ? 4096 : 1024, 'body.text')
      if (header) {
        hold(type === 'button' && header['type'] === 'image', 'only buttons have a picture as header')
        link((header['image'] as Json)['link'], images, 'header.image.link')
      }
      if (type === 'button') buttons(action['buttons'] as Json[])
      else if (type === 'list') list(action)
      else problems.push(`no such interactive message: ${type}`)
    },
  }
  const media = (content: Json, endings: readonly string[]) => {
    only(content, ['link', 'caption'], 'media')
    link(content['link'], endings, 'media.link')
    if (content['caption'] !== undefined) text(content['caption'], 1024, 'caption')
  }
  const buttons = (all: Json[]) => {
    hold(all.length >= 1 && all.length <= 3, `${all.length} buttons`)
    const replies = all.map(({ type, reply }) => {
      hold(type === 'reply', `a button is a ${type}`)
      return reply as { id: string; title: string }
    })
    for (const { id, title } of replies) {
      text(id, 256, 'button id')
      text(title, 20, 'button title')
      hold(id === id.trim(), 'button id with blanks')
    }
    hold(new Set(replies.map(({ title }) => title)).size === replies.length, 'titles of buttons are equal')
    hold(new Set(replies.map(({ id }) => id)).size === replies.length, 'ids of buttons are equal')
  }
  const list = (action: Json) => {
    only(action, ['button', 'sections'], 'action')
    text(action['button'], 20, 'action.button')
    const sections = action['sections'] as { title?: string; rows: Json[] }[]
    hold(sections.length >= 1 && sections.length <= 10, `${sections.length} sections`)
    if (sections.length > 1) for (const { title } of sections) text(title, 24, 'section title')
    const rows = sections.flatMap(({ rows }) => rows)
    hold(rows.length >= 1 && rows.length <= 10, `${rows.length} rows`)
    for (const row of rows) {
      only(row, ['id', 'title', 'description'], 'row')
      text(row['id'], 200, 'row id')
      text(row['title'], 24, 'row title')
      if (row['description'] !== undefined) text(row['description'], 72, 'row description')
    }
    hold(new Set(rows.map(({ id }) => id)).size === rows.length, 'ids of rows are equal')
  }
  hold(method === 'messages', `no such method: ${method}`)
  hold(body['messaging_product'] === 'whatsapp', 'messaging_product is not whatsapp')
  const type = String(body['type'])
  only(body, ['messaging_product', 'recipient_type', 'type', type], 'message')
  if (checks[type]) checks[type](body[type] as Json)
  else problems.push(`no such message: ${type}`)
  return problems
}

const signs = { '*': 'bold', _: 'italic', '~': 'strikethrough', '`': 'code' } as const

/** Parts of a text with their looks, as the apps of WhatsApp read marks (help page "How to format your messages"). */
export function readMarks(text: string): { readonly text: string; readonly looks: readonly string[] }[] {
  const [before, code, after] = /^([\s\S]*?)```([\s\S]*?)```([\s\S]*)$/.exec(text)?.slice(1) ?? []
  if (code !== undefined)
    return [...readMarks(before ?? ''), { text: code, looks: ['pre'] }, ...readMarks(after ?? '')]
  return text.split(/(\n)/).flatMap((line) => {
    const quoted = /^> (.*)$/.exec(line)?.[1]
    const bulleted = /^[*-] (.*)$/.exec(line)?.[1]
    if (bulleted !== undefined) return readLine(bulleted, ['bullet'])
    return quoted === undefined ? readLine(line, []) : readLine(quoted, ['quote'])
  })
}

function readLine(line: string, looks: readonly string[]): { text: string; looks: readonly string[] }[] {
  for (let open = 0; open < line.length; open += 1) {
    const sign = line[open] as keyof typeof signs
    if (!signs[sign] || isWord(line.slice(0, open), 'end') || /^(?:\s|$)/.test(line.slice(open + 1))) continue
    for (let close = open + 2; close < line.length; close += 1) {
      if (line[close] !== sign || /\s$/.test(line.slice(0, close)) || isWord(line.slice(close + 1), 'start'))
        continue
      return [
        ...readLine(line.slice(0, open), looks),
        ...readLine(line.slice(open + 1, close), [...looks, signs[sign]]),
        ...readLine(line.slice(close + 1), looks),
      ]
    }
  }
  return line === '' ? [] : [{ text: line, looks }]
}

const isWord = (text: string, at: 'start' | 'end') =>
  (at === 'end' ? /[\p{L}\p{N}]$/u : /^[\p{L}\p{N}]/u).test(text)
