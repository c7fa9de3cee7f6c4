import type { RecordingTerms, TurnLimits } from '../conversations/dependencies.ts'
import type { AnonymousPreviewLimits } from '../conversations/turn/preview-limits.ts'
import { readAdminTokens } from './admin-tokens.ts'
import type { Environment } from './environment-schema.ts'
import { isLoopback } from './loopback.ts'

/** What the service is started with. Checked as a whole, and never changed afterwards. */
export type Config = ReturnType<typeof toConfig>

/** Arranges the variables of the environment, once they are known to be valid. */
export function toConfig(env: Environment) {
  return Object.freeze({
    host: env.HOST,
    port: env.PORT,
    flowsDir: env.FLOWS_DIR,
    /** Undefined keeps everything in memory. */
    dataDir: env.DATA_DIR,
    /** Undefined shares nothing with other processes. A secret. */
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    /** Undefined keeps conversations where results are. A secret. */
    redisUrl: env.REDIS_URL,
    logLevel: env.LOG_LEVEL,
    sessions: Object.freeze({
      ttlMs: env.SESSION_TTL_SECONDS * 1000,
      max: env.SESSION_MAX,
      /** Of live ones. */
      maxBytes: env.SESSION_MAX_BYTES,
      previewMaxBytes: env.PREVIEW_SESSION_MAX_BYTES,
      /** Requests that wait for one session before others are refused. */
      maxQueuedTurns: env.MAX_QUEUED_TURNS,
    }),
    definitionMaxBytes: env.DEFINITION_MAX_BYTES,
    /** Of published flows, compiled. */
    programMaxBytes: env.PROGRAM_MAX_BYTES,
    draftMaxBytes: env.DRAFT_MAX_BYTES,
    /** Values in the lists and objects of one definition. */
    flowMaxValues: env.MAX_FLOW_VALUES,
    results: Object.freeze({
      maxBytes: env.RESULT_MAX_BYTES,
      /** Undefined keeps results until others need their room. */
      ttlMs: env.RESULT_TTL_SECONDS === undefined ? undefined : env.RESULT_TTL_SECONDS * 1000,
    }),
    idempotencyMaxBytes: env.IDEMPOTENCY_MAX_BYTES,
    /** None turns the operations of operators off. */
    adminTokens: Object.freeze(readAdminTokens(env, [])),
    /** Where this service is reached from outside, without a slash at the end. */
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    /** Undefined: `visitor` where `isLocal` or with `compat`, else `off`. */
    pages: env.PAGES,
    /** Whether it is to be reached from its own machine alone, by no proxy that is known of. */
    isLocal: isLoopback(env.HOST) && env.TRUST_PROXY === 0 && env.PUBLIC_URL === undefined,
    /** Undefined refuses files. */
    uploads: arrangeUploads(env),
    /** Undefined: previews need no token. */
    previewToken: env.PREVIEW_TOKEN,
    /** Undefined: the metrics need no token. */
    metricsToken: env.METRICS_TOKEN,
    /** Bytes of a request body. */
    bodyLimit: env.BODY_LIMIT,
    /** Bytes of the body of a preview start. */
    previewBodyLimit: env.PREVIEW_BODY_LIMIT,
    /** What a request body may hold. */
    bodyBounds: Object.freeze({
      values: env.MAX_BODY_VALUES,
      keys: env.MAX_BODY_KEYS,
      shapes: env.MAX_BODY_SHAPES,
      levels: env.MAX_BODY_LEVELS,
    }),
    /** Bytes of all request bodies that arrive or are being answered. */
    bodiesMaxBytes: env.MAX_BODIES_BYTES,
    /** Answers that their clients have not read. */
    unread: Object.freeze({ maxBytes: env.MAX_UNREAD_BYTES, maxMs: env.MAX_UNREAD_MS }),
    maxConnections: env.MAX_CONNECTIONS,
    maxEventStreams: env.MAX_EVENT_STREAMS,
    /** How long a continue that comes before a webhook waits for it; 0 for not at all. */
    webhookWaitMs: env.WEBHOOK_WAIT_SECONDS * 1000,
    /** How long everything is still served once the service is to end, while `/ready` refuses. */
    drainMs: env.DRAIN_SECONDS * 1000,
    watchdogSeconds: env.WATCHDOG_SECONDS,
    /** What one address may ask for in a minute; undefined for any number. */
    rateLimitMax: env.RATE_LIMIT_MAX === 0 ? undefined : env.RATE_LIMIT_MAX,
    /** Proxies in front of the service whose `X-Forwarded-…` headers count. */
    trustedProxies: env.TRUST_PROXY,
    /** What the process may carry before it refuses work; the usual share of what it may have where it is undefined. */
    overload: Object.freeze({
      delayMs: env.MAX_EVENT_LOOP_DELAY_MS,
      heapBytes: env.MAX_HEAP_USED_BYTES,
      rssBytes: env.MAX_RSS_BYTES,
    }),
    /** Turns that take long and wait to go on, before others are refused. */
    heavyTurns: Object.freeze({ maxPreviews: env.MAX_HEAVY_PREVIEWS, max: env.MAX_HEAVY_TURNS }),
    limits: Object.freeze<TurnLimits>({
      blocksPerTurn: env.MAX_BLOCKS_PER_TURN,
      messagesPerTurn: env.MAX_MESSAGES_PER_TURN,
      charactersPerTurn: env.MAX_TURN_CHARACTERS,
      linkDepth: env.MAX_LINK_DEPTH,
      returnMarks: env.MAX_RETURN_MARKS,
      variableLength: env.MAX_VARIABLE_LENGTH,
      variablesLength: env.MAX_VARIABLES_LENGTH,
      blockMs: env.MAX_BLOCK_CPU_MS,
      turnMs: env.MAX_TURN_CPU_MS,
      replyLength: env.MAX_REPLY_LENGTH,
      wholeTurnMs: env.MAX_TURN_MS,
      callsPerTurn: env.MAX_CALLS_PER_TURN,
      codeTurnMs: env.MAX_TURN_CODE_MS,
    }),
    /** Of previews that were started without a token, where these are narrower. */
    openPreviewLimits: Object.freeze<AnonymousPreviewLimits>({
      blocksPerTurn: env.MAX_PREVIEW_BLOCKS_PER_TURN,
      blockMs: env.MAX_PREVIEW_BLOCK_CPU_MS,
      turnMs: env.MAX_PREVIEW_TURN_CPU_MS,
      wholeTurnMs: env.MAX_PREVIEW_TURN_MS,
      callsPerTurn: env.MAX_PREVIEW_CALLS_PER_TURN,
      codeMs: env.MAX_PREVIEW_CODE_MS,
      codeTurnMs: env.MAX_PREVIEW_TURN_CODE_MS,
    }),
    /** Bounds of one piece of code. */
    code: Object.freeze({ limitMs: env.MAX_CODE_MS, memoryBytes: env.CODE_MEMORY_BYTES }),
    previewHttp: env.PREVIEW_HTTP,
    /** Milliseconds for the tests of a draft. */
    flowTestsMs: env.MAX_FLOW_TESTS_MS,
    /** Undefined: no spans are sent. The address is a secret. */
    telemetry: telemetryOf(env),
    recordings: Object.freeze<RecordingTerms>({
      maxLength: env.RECORDING_MAX_LENGTH,
      live: liveRecordings(env),
    }),
    /** Undefined serves our own API alone. */
    compat:
      env.COMPAT_API === 'on'
        ? Object.freeze({ trustedViewerOrigins: env.TRUSTED_VIEWER_ORIGINS?.split(',') ?? [] })
        : undefined,
  })
}

/** Where uploaded files go, and how many. */
interface UploadsConfig {
  readonly folder: string
  /** Undefined: a fresh one with every start of the process. */
  readonly secret: string | undefined
  /** Bytes of one file. */
  readonly fileBytes: number
  /** Bytes of all files together. */
  readonly totalBytes: number
  /** Milliseconds that a file is kept. */
  readonly ttlMs: number
}

function arrangeUploads(env: Environment): UploadsConfig | undefined {
  if (env.UPLOADS_DIR === undefined) return undefined
  return Object.freeze({
    folder: env.UPLOADS_DIR,
    secret: env.UPLOAD_SECRET,
    fileBytes: env.UPLOAD_MAX_BYTES,
    totalBytes: env.UPLOADS_MAX_BYTES,
    ttlMs: Math.min(env.UPLOAD_TTL_SECONDS, env.RESULT_TTL_SECONDS ?? Infinity) * 1000,
  })
}

function liveRecordings({ RECORD_LIVE: wanted }: Environment): RecordingTerms['live'] {
  if (wanted === undefined) return undefined
  const isForErrors = wanted === 'errors'
  return { isForErrors, share: isForErrors || wanted === 'all' ? 1 : Number(wanted) }
}

function telemetryOf({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_BSP_MAX_QUEUE_SIZE: maxSpans,
  OTEL_PROPAGATE_TO: hosts = '',
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: capture,
}: Environment) {
  if (endpoint === undefined) return undefined
  const propagatesTo: ReadonlySet<string> = new Set(
    hosts
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  return Object.freeze({ endpoint, maxSpans, capturesMessages: capture === 'true', propagatesTo })
}
