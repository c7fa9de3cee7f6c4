import type { Chat } from './chat.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { startPreviewChat } from './start-preview-chat.ts'
import { startPublishedChat } from './start-published-chat.ts'

/** Puts the use cases together with what they work with. */
export function createChat(dependencies: ChatDependencies): Chat {
  return {
    startPublished: (request) => startPublishedChat(request, dependencies),
    startPreview: (request) => startPreviewChat(request, dependencies),
  }
}
