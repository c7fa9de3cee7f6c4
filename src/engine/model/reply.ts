import type { Reply } from './step.ts'

/** Text of a reply, unprocessed. */
export function replyContent(reply: Reply): string {
  return reply.type === 'text' ? reply.text : reply.url
}
