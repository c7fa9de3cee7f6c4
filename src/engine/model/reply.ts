import type { Reply } from './step.ts'

/** What was said, before anything is made of it. */
export function replyContent(reply: Reply): string {
  return reply.type === 'text' ? reply.text : reply.url
}
