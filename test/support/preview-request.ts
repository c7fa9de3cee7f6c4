import type { StartPreviewRequest } from '../../src/conversations/start/start-preview-chat.ts'
import { contentHash } from '../../src/definition/content-hash.ts'
import { anonymous, type Caller } from '../../src/ports/caller.ts'
import type { CachedDraft, RawJsonBody } from '../../src/ports/raw-json-body.ts'
import type { Json } from './json.ts'

/** Who brings the preview token. */
export const trusted: Caller = { kind: 'preview' }

/** A preview start as the route hands it over. */
export function previewRequest(
  body: Json,
  caller: Caller = anonymous,
  flowId = 'flow-1',
): StartPreviewRequest {
  return { flowId, caller, body, sentBody: sentBodyOf(textOf(body)) }
}

/** A text as it comes in. */
export function sentBodyOf(text: string, draft?: CachedDraft): RawJsonBody {
  return { text, name: contentHash(text), draft }
}

/** What nests beyond the reach of the serialiser came as some text, too. */
function textOf(body: Json): string {
  try {
    return JSON.stringify(body)
  } catch {
    return 'a text of many brackets'
  }
}
