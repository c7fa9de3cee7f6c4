import fc from 'fast-check'
import type { Call } from './call-parts.ts'
import { calls, previewStart, publicStart } from './calls.ts'
import { continueBodies } from './corpus.ts'
import { hostileText, hostileValue } from './hostile.ts'
import { type Edit, edits, rareEdits } from './mutation.ts'

/** Something said to whatever waits; what exactly is up to the one who sees it. */
export interface Say {
  /** Chooses among what suits the input that waits. */
  readonly nth: number
  /** What becomes of it then. */
  readonly edits: readonly Edit[]
  /** Said in its place, whether it suits or not. */
  readonly instead?: { readonly message: unknown } | undefined
  readonly format?: unknown
}

/** A conversation: how it starts, and what then comes in, be it meant for it or not. */
export interface Conversation {
  readonly start: Call
  readonly steps: readonly (Say | Call)[]
}

const messages = continueBodies.map((body) => body['message'])

const message = fc.oneof(
  fc.constantFrom(...messages),
  hostileText,
  hostileText.map((text) => ({ type: 'text', text })),
  fc.record({
    type: fc.constant('text'),
    text: hostileText,
    attachedFileUrls: fc.array(fc.oneof(hostileText, fc.constant('<file>'))),
  }),
  fc.record({ type: fc.constant('text'), text: hostileText, metadata: fc.record({ replyId: hostileText }) }),
  fc.record({ type: fc.constant('audio'), url: fc.oneof(hostileText, fc.constant('<file>')) }),
  fc.record({
    type: fc.constant('command'),
    command: fc.oneof(fc.constantFrom('help', 'stop', 'agent'), hostileText),
  }),
  hostileValue,
)

const format = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(undefined, 'markdown', 'richText') },
  { weight: 1, arbitrary: hostileText },
)

/** Something to say, right or wrong. */
export const say: fc.Arbitrary<Say> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ nth: fc.nat(40), edits: rareEdits, format }) },
  {
    weight: 1,
    arbitrary: fc.record({
      nth: fc.constant(0),
      edits: fc.oneof(fc.constant<readonly Edit[]>([]), edits),
      instead: fc.record({ message }),
      format,
    }),
  },
)

const others = [
  calls.continueChat,
  calls.clientLogs,
  calls.updateFlow,
  calls.skipToTimer,
  calls.changeSession,
  calls.sayAsPerson,
  calls.readTranscript,
  calls.executeWebhook,
  calls.generateUploadUrl,
  calls.putUpload,
  calls.getUpload,
  calls.streamMessage,
  calls.listResults,
  calls.getResult,
  calls.anything,
]

/** Conversations over published flows and drafts, which other requests interfere with. */
export const conversation: fc.Arbitrary<Conversation> = fc.record({
  start: fc.oneof({ weight: 2, arbitrary: previewStart }, { weight: 1, arbitrary: publicStart }),
  steps: fc.array(
    fc.oneof({ weight: 20, arbitrary: say }, ...others.map((arbitrary) => ({ weight: 1, arbitrary }))),
    { maxLength: 14 },
  ),
})
