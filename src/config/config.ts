import type { RecordingTerms, TurnLimits } from '../conversations/dependencies.ts'
import { readAccessTokens } from './admin-tokens.ts'
import type { Environment } from './environment-schema.ts'
import { fixedBounds, fixedTurnLimits, maxQueuedTurns, maxSpans, recordingMaxLength } from './fixed-limits.ts'
import { isLoopback } from './loopback.ts'
import { divideMemory } from './memory-shares.ts'

/** Settings of the service. Checked as a whole, and never changed afterwards but for the tokens of operators, which are read again. */
export type Config = ReturnType<typeof toConfig>

/** Arranges the variables of the environment, once they are known to be valid. */
export function toConfig(env: Environment) {
  return Object.freeze({
    ...storageOf(env),
    ...accessOf(env),
    ...boundsOf(env),
    host: env.HOST,
    port: env.PORT,
    logLevel: env.LOG_LEVEL,
    /** Time for which a continue that comes before a webhook waits for it; 0 for not at all. */
    webhookWaitMs: env.WEBHOOK_WAIT_SECONDS * 1000,
    /** Time for which everything is still served once the service is to end, while `/ready` refuses. */
    drainMs: env.DRAIN_SECONDS * 1000,
    watchdogSeconds: env.WATCHDOG_SECONDS,
    /** Undefined: no spans are sent. The address is a secret. */
    telemetry: telemetryOf(env),
    recordings: Object.freeze<RecordingTerms>({
      maxLength: recordingMaxLength,
      live: liveRecordings(env),
    }),
    /** Undefined serves our own API alone. */
    compat:
      env.COMPAT_API === 'on'
        ? Object.freeze({ trustedViewerOrigins: env.TRUSTED_VIEWER_ORIGINS?.split(',') ?? [] })
        : undefined,
  })
}

/** Where flows come from, and where conversations and what they leave behind are kept. */
function storageOf(env: Environment) {
  return {
    flowsDir: env.FLOWS_DIR,
    /** Undefined: there are the built-in block types alone. */
    blocksDir: env.BLOCKS_DIR,
    /** Undefined keeps everything in memory. */
    dataDir: env.DATA_DIR,
    /** Undefined shares nothing with other processes. A secret. */
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    sessions: Object.freeze({
      ttlMs: env.SESSION_TTL_SECONDS * 1000,
      max: env.SESSION_MAX,
      maxQueuedTurns,
    }),
    /** Bytes of each store. */
    memory: divideMemory(env.MEMORY_MAX_BYTES),
    /** Undefined keeps results until others need their room. */
    resultTtlMs: env.RESULT_TTL_SECONDS === undefined ? undefined : env.RESULT_TTL_SECONDS * 1000,
    /** Undefined refuses files. */
    uploads: arrangeUploads(env),
  }
}

/** Access to the service: tokens, pages, addresses. */
function accessOf(env: Environment) {
  const { admin, mcp } = readAccessTokens(env, [])
  return {
    /** None turns the operations of operators off. */
    adminTokens: admin,
    /** None turns off what assistants call. */
    mcpTokens: mcp,
    /** Undefined: a fresh one with every start of the process. */
    sealSecret: env.UPLOAD_SECRET,
    /** Address of this service from outside, without a slash at the end. */
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    /** Undefined: `visitor` where `isLocal` or with `compat`, else `off`. */
    pages: env.PAGES,
    /** Whether it is to be reached from its own machine alone, by no proxy that is known of. */
    isLocal: isLoopback(env.HOST) && env.TRUST_PROXY === 0 && env.PUBLIC_URL === undefined,
    /** Undefined: previews need no token. */
    previewToken: env.PREVIEW_TOKEN,
    /** Undefined: contacts can't be signed. */
    contactSecret: env.CONTACT_SECRET,
    /** Undefined: the metrics need no token. */
    metricsToken: env.METRICS_TOKEN,
    /** Proxies in front of the service whose `X-Forwarded-…` headers count. */
    trustedProxies: env.TRUST_PROXY,
    /** Whether previews send requests. */
    previewHttp: env.PREVIEW_HTTP,
  }
}

/** Bounds of requests and turns. */
function boundsOf(env: Environment) {
  return {
    /** Bytes of a request body. */
    bodyLimit: env.BODY_LIMIT,
    /** Bytes of a body that holds a definition. */
    previewBodyLimit: env.BODY_LIMIT * 8,
    maxConnections: env.MAX_CONNECTIONS,
    maxEventStreams: Math.ceil(env.MAX_CONNECTIONS / 5),
    /** Requests of one address in a minute; undefined for any number. */
    rateLimitMax: env.RATE_LIMIT_MAX === 0 ? undefined : env.RATE_LIMIT_MAX,
    /** Delay of the event loop above which work is refused. */
    maxEventLoopDelayMs: env.MAX_EVENT_LOOP_DELAY_MS,
    limits: Object.freeze<TurnLimits>({
      ...fixedTurnLimits,
      turnMs: env.MAX_TURN_CPU_MS,
      wholeTurnMs: env.MAX_TURN_MS,
    }),
    ...fixedBounds,
  }
}

/** Store of uploaded files, and its bounds. */
interface UploadsConfig {
  readonly place: { readonly folder: string } | BucketConfig
  /** Undefined: a fresh one with every start of the process. */
  readonly secret: string | undefined
  /** Bytes of one file. */
  readonly fileBytes: number
  /** Bytes of all files together. */
  readonly totalBytes: number
  /** Milliseconds that a file is kept. */
  readonly ttlMs: number
}

/** A bucket for them, on a server that the operator has chosen. */
interface BucketConfig {
  readonly url: string
  readonly region: string | undefined
  readonly keyId: string
  /** A secret. */
  readonly secretKey: string
  readonly isDirect: boolean
}

function arrangeUploads(env: Environment): UploadsConfig | undefined {
  const place = placeOfUploads(env)
  if (!place) return undefined
  return Object.freeze({
    place,
    secret: env.UPLOAD_SECRET,
    fileBytes: env.UPLOAD_MAX_BYTES,
    totalBytes: env.UPLOADS_MAX_BYTES,
    ttlMs: Math.min(env.UPLOAD_TTL_SECONDS, env.RESULT_TTL_SECONDS ?? Infinity) * 1000,
  })
}

function placeOfUploads(env: Environment): UploadsConfig['place'] | undefined {
  const { UPLOADS_S3_URL: address, UPLOADS_S3_KEY: key = '' } = env
  if (env.UPLOADS_DIR !== undefined) return { folder: env.UPLOADS_DIR }
  if (address === undefined) return undefined
  const [url = '', terms] = address.split('?')
  const asked = new URLSearchParams(terms)
  // Ids may have colons, as those of accounts in projects do.
  const colon = key.lastIndexOf(':')
  const [keyId, secretKey] = [key.slice(0, colon), key.slice(colon + 1)]
  return { url, region: asked.get('region') ?? undefined, keyId, secretKey, isDirect: asked.has('direct') }
}

function liveRecordings({ RECORD_LIVE: wanted }: Environment): RecordingTerms['live'] {
  if (wanted === undefined) return undefined
  const isForErrors = wanted === 'errors'
  return { isForErrors, share: isForErrors || wanted === 'all' ? 1 : Number(wanted) }
}

function telemetryOf({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
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
