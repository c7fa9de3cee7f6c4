import { usualCodeLimits } from '../adapters/code-sandbox/code-sandbox.ts'
import { definitionLimits } from '../definition/read-definition.ts'
import { fixedBounds, fixedTurnLimits, maxQueuedTurns, recordingMaxLength } from './fixed-limits.ts'

const { bodyBounds, unread, heavyTurns, openPreviewLimits } = fixedBounds

/** Variables of former versions whose values nobody can choose well. */
const fixed: Readonly<Record<string, number | string>> = {
  CODE_MEMORY_BYTES: usualCodeLimits.memoryBytes,
  MAX_BLOCKS_PER_TURN: fixedTurnLimits.blocksPerTurn,
  MAX_BLOCK_CPU_MS: fixedTurnLimits.blockMs,
  MAX_BODIES_BYTES: fixedBounds.bodiesMaxBytes,
  MAX_BODY_KEYS: bodyBounds.keys,
  MAX_BODY_LEVELS: bodyBounds.levels,
  MAX_BODY_SHAPES: bodyBounds.shapes,
  MAX_BODY_VALUES: bodyBounds.values,
  MAX_CALLS_PER_TURN: fixedTurnLimits.callsPerTurn,
  MAX_CODE_MS: usualCodeLimits.limitMs,
  MAX_FLOW_TESTS_MS: fixedBounds.flowTestsMs,
  MAX_FLOW_VALUES: definitionLimits.values,
  MAX_HEAP_USED_BYTES: '85 % of what the process can have',
  MAX_HEAVY_PREVIEWS: heavyTurns.maxPreviews,
  MAX_HEAVY_TURNS: heavyTurns.max,
  MAX_LINK_DEPTH: fixedTurnLimits.linkDepth,
  MAX_MESSAGES_PER_TURN: fixedTurnLimits.messagesPerTurn,
  MAX_PREVIEW_BLOCKS_PER_TURN: openPreviewLimits.blocksPerTurn,
  MAX_PREVIEW_BLOCK_CPU_MS: openPreviewLimits.blockMs,
  MAX_PREVIEW_CALLS_PER_TURN: openPreviewLimits.callsPerTurn,
  MAX_PREVIEW_CODE_MS: openPreviewLimits.codeMs,
  MAX_PREVIEW_TURN_CODE_MS: openPreviewLimits.codeTurnMs,
  MAX_PREVIEW_TURN_CPU_MS: openPreviewLimits.turnMs,
  MAX_PREVIEW_TURN_MS: openPreviewLimits.wholeTurnMs,
  MAX_QUEUED_TURNS: maxQueuedTurns,
  MAX_REPLY_LENGTH: fixedTurnLimits.replyLength,
  MAX_RETURN_MARKS: fixedTurnLimits.returnMarks,
  MAX_RSS_BYTES: '90 % of what the process may have',
  MAX_TURN_CHARACTERS: fixedTurnLimits.charactersPerTurn,
  MAX_TURN_CODE_MS: fixedTurnLimits.codeTurnMs,
  MAX_UNREAD_BYTES: unread.maxBytes,
  MAX_UNREAD_MS: unread.maxMs,
  MAX_VARIABLES_LENGTH: fixedTurnLimits.variablesLength,
  MAX_VARIABLE_LENGTH: fixedTurnLimits.variableLength,
  RECORDING_MAX_LENGTH: recordingMaxLength,
}

/** Variables of former versions that are shares of one. */
const divided = [
  'DEFINITION_MAX_BYTES',
  'DRAFT_MAX_BYTES',
  'IDEMPOTENCY_MAX_BYTES',
  'PREVIEW_SESSION_MAX_BYTES',
  'PROGRAM_MAX_BYTES',
  'RESULT_MAX_BYTES',
  'SESSION_MAX_BYTES',
]

/** Advice about variables of former versions that another one stands for. */
const replaced: Readonly<Record<string, string>> = {
  MAX_EVENT_STREAMS: 'set MAX_CONNECTIONS, of which it is a fifth',
  PREVIEW_BODY_LIMIT: 'set BODY_LIMIT, of which definitions may have eight times as many bytes',
  REDIS_URL:
    'leave it out, and set DATABASE_URL, whose database keeps conversations and counts requests for all processes',
  UPLOADS_S3_DIRECT:
    'leave it out, and write ?direct=on behind UPLOADS_S3_URL, or &direct=on behind its region',
  ...Object.fromEntries(divided.map((name) => [name, 'set MEMORY_MAX_BYTES, which is divided'])),
}

/** Complaint about each variable that was a setting: passed over in silence, it would bound nothing, unknown to who set it. */
export const removedSettings: ReadonlyMap<string, string> = new Map([
  ...Object.entries(replaced).map(([name, advice]): [string, string] => [
    name,
    `${name} is no longer a setting: ${advice}`,
  ]),
  ...Object.entries(fixed).map(([name, value]): [string, string] => [name, `${name} is fixed (${value})`]),
])
