import { resolve } from 'node:path'
import type { StringOptions, TSchema } from '@sinclair/typebox'
import type { RecordingTerms, TurnLimits } from '../chat/dependencies.ts'
import type { AnonymousPreviewLimits } from '../chat/turn/preview-limits.ts'
import { ConfigError } from '../config-error.ts'
import { type AdminToken, readAdminTokens } from './admin-tokens.ts'
import { describeExpectation, Environment, isSecret } from './environment-schema.ts'

/** What the service is started with. Checked as a whole, and never changed afterwards. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly flowsDir: string
  /** Undefined keeps everything in memory. */
  readonly dataDir: string | undefined
  /** Undefined shares nothing with other processes. A secret. */
  readonly databaseUrl: string | undefined
  readonly databaseConnections: number
  /** Undefined keeps conversations where results are. A secret. */
  readonly redisUrl: string | undefined
  readonly logLevel: Environment['LOG_LEVEL']
  readonly sessions: {
    readonly ttlMs: number
    readonly max: number
    /** Of live ones. */
    readonly maxBytes: number
    readonly previewMaxBytes: number
    /** Requests that wait for one session before others are refused. */
    readonly maxQueuedTurns: number
  }
  readonly definitionMaxBytes: number
  /** Of published flows, compiled. */
  readonly programMaxBytes: number
  readonly draftMaxBytes: number
  /** Values in the lists and objects of one definition. */
  readonly flowMaxValues: number
  readonly results: {
    readonly maxBytes: number
    /** Undefined keeps results until others need their room. */
    readonly ttlMs: number | undefined
  }
  readonly idempotencyMaxBytes: number
  /** None turns the operations of operators off. */
  readonly adminTokens: readonly AdminToken[]
  /** Where this service is reached from outside, without a slash at the end. */
  readonly publicUrl: string | undefined
  /** Undefined: `on` for whoever sits at this machine; for all others `visitor` with `compat`, else `off`. */
  readonly pages: 'off' | 'visitor' | 'on' | undefined
  /** Undefined refuses files. */
  readonly uploads: UploadsConfig | undefined
  /** Undefined: previews need no token. */
  readonly previewToken: string | undefined
  /** Undefined: the metrics need no token. */
  readonly metricsToken: string | undefined
  /** Bytes of a request body. */
  readonly bodyLimit: number
  /** Bytes of the body of a preview start. */
  readonly previewBodyLimit: number
  /** What a request body may hold. */
  readonly bodyBounds: Readonly<Record<'values' | 'keys' | 'shapes' | 'levels', number>>
  /** Bytes of all request bodies that arrive or are being answered. */
  readonly bodiesMaxBytes: number
  /** Answers that their clients have not read. */
  readonly unread: { readonly maxBytes: number; readonly maxMs: number }
  readonly maxConnections: number
  readonly maxEventStreams: number
  /** How long a continue that comes before a webhook waits for it; 0 for not at all. */
  readonly webhookWaitMs: number
  /** How long everything is still served once the service is to end, while `/ready` refuses. */
  readonly drainMs: number
  /** What one address may ask for in a minute; undefined for any number. */
  readonly rateLimitMax: number | undefined
  /** Proxies in front of the service whose `X-Forwarded-…` headers count. */
  readonly trustedProxies: number
  /** What the process may carry before it refuses work; the usual share of what it may have where it is undefined. */
  readonly overload: {
    readonly delayMs: number
    readonly heapBytes: number | undefined
    readonly rssBytes: number | undefined
  }
  /** Turns that take long and wait to go on, before others are refused. */
  readonly heavyTurns: { readonly maxPreviews: number; readonly max: number }
  readonly limits: TurnLimits
  /** Of previews that were started without a token, where these are narrower. */
  readonly openPreviewLimits: AnonymousPreviewLimits
  /** Milliseconds for the tests of a draft. */
  readonly flowTestsMs: number
  /** Bounds of one piece of code. */
  readonly code: { readonly limitMs: number; readonly memoryBytes: number }
  readonly previewHttp: 'on' | 'off' | 'auto'
  readonly recordings: RecordingTerms
  /** Undefined serves our own API alone. */
  readonly compat: { readonly trustedViewerOrigins: readonly string[] } | undefined
  /** Undefined: nobody is sent spans. The address is a secret. */
  readonly telemetry:
    | {
        readonly endpoint: string
        readonly maxSpans: number
        readonly capturesMessages: boolean
        readonly propagatesTo: ReadonlySet<string>
      }
    | undefined
}

/** Where uploaded files go, and how many. */
export interface UploadsConfig {
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

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Leaves out variables that are set to nothing, as templates of deployments leave them. Tokens, keys and secrets stay, and
 * are a mistake: without its token an operation may be open to everybody.
 */
export function withoutEmpty(variables: Variables): Variables {
  const isLeftOut = (name: string) =>
    Object.hasOwn(Environment.properties, name) && !/_(?:TOKENS?|KEY|SECRET)$/.test(name)
  return Object.fromEntries(
    Object.entries(variables).filter(([name, text]) => text !== '' || !isLeftOut(name)),
  )
}

/** Reads the configuration from environment variables. */
export function readConfig(given: Variables): Config {
  const variables = withoutEmpty(given)
  const env: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, schema] of Object.entries<TSchema>(Environment.properties)) {
    const text = Object.hasOwn(variables, name) ? variables[name] : undefined
    const value = text === undefined ? schema['default'] : parse(text, schema)
    if (value !== undefined && !isValid(value, schema)) problems.push(complaint(name, schema, String(text)))
    env[name] = value
  }
  if (problems.length === 0) problems.push(...contradictionsIn(env as Environment))
  if (problems.length > 0) throw new ConfigError(problems)
  return arrange(env as Environment)
}

/** Looks at what schemas of variables ask for, which is less than a validator of JSON knows. */
function isValid(value: unknown, schema: TSchema): boolean {
  if (schema['type'] === 'integer')
    return Number.isInteger(value) && Number(value) >= schema['minimum'] && Number(value) <= schema['maximum']
  const text = String(value)
  const { minLength = 0, pattern = '', enum: words } = schema as StringOptions & { enum?: string[] }
  // A pattern does not see every mistake in an address, such as a port that is none.
  const isAddressIfMeant = !pattern.startsWith('^http') || URL.canParse(text)
  return (
    text.length >= minLength &&
    new RegExp(pattern).test(text) &&
    (words?.includes(text) ?? true) &&
    isAddressIfMeant
  )
}

function contradictionsIn(env: Environment): string[] {
  const { UPLOAD_MAX_BYTES: ofOne, UPLOADS_MAX_BYTES: ofAll, DATA_DIR: data } = env
  const problems: string[] = []
  if (ofOne > ofAll)
    problems.push(`UPLOADS_MAX_BYTES must be at least UPLOAD_MAX_BYTES, which is ${ofOne}; it is ${ofAll}`)
  readAdminTokens(env, problems)
  problems.push(...contradictionsOfDatabase(env))
  for (const name of ['FLOWS_DIR', 'UPLOADS_DIR'] as const) {
    const folder = env[name]
    if (data === undefined || folder === undefined || resolve(data) !== resolve(folder)) continue
    problems.push(`DATA_DIR must be a folder of its own; it is that of ${name}, ${JSON.stringify(folder)}`)
  }
  return problems
}

function contradictionsOfDatabase(env: Environment): string[] {
  if (env.DATABASE_URL === undefined) return contradictionsOfRedis(env)
  const problems = contradictionsOfRedis(env)
  if (!URL.canParse(env.DATABASE_URL))
    problems.push('DATABASE_URL must be an address such as postgres://user:password@host:5432/name')
  if (env.DATA_DIR !== undefined)
    problems.push(
      'DATA_DIR and DATABASE_URL cannot be set together: the one keeps everything on this machine, the other in a database. Leave one of them out',
    )
  if (env.UPLOADS_DIR !== undefined && env.UPLOAD_SECRET === undefined)
    problems.push(
      'UPLOAD_SECRET must be set where DATABASE_URL and UPLOADS_DIR are: the other processes have to know what one has signed',
    )
  return problems
}

function contradictionsOfRedis({ REDIS_URL, DATABASE_URL }: Environment): string[] {
  const problems: string[] = []
  if (REDIS_URL === undefined) return problems
  if (!URL.canParse(REDIS_URL))
    problems.push('REDIS_URL must be an address such as redis://user:password@host:6379/0')
  if (DATABASE_URL === undefined)
    problems.push(
      'REDIS_URL needs DATABASE_URL: Redis keeps conversations, and results go to a PostgreSQL database. Set both, or neither',
    )
  return problems
}

/** Reads decimal digits alone as a number: neither `1e3` nor ` 7 ` is what anybody means to configure. */
function parse(text: string, schema: TSchema): unknown {
  return schema['type'] === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text
}

function complaint(name: string, schema: TSchema, text: string): string {
  const sentence = `${name} must be ${describeExpectation(schema)}`
  return isSecret(schema) ? sentence : `${sentence}; it is ${JSON.stringify(text)}`
}

function arrange(env: Environment): Config {
  return Object.freeze({
    host: env.HOST,
    port: env.PORT,
    flowsDir: env.FLOWS_DIR,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databaseConnections: env.DATABASE_CONNECTIONS,
    redisUrl: env.REDIS_URL,
    logLevel: env.LOG_LEVEL,
    sessions: Object.freeze({
      ttlMs: env.SESSION_TTL_SECONDS * 1000,
      max: env.SESSION_MAX,
      maxBytes: env.SESSION_MAX_BYTES,
      previewMaxBytes: env.PREVIEW_SESSION_MAX_BYTES,
      maxQueuedTurns: env.MAX_QUEUED_TURNS,
    }),
    definitionMaxBytes: env.DEFINITION_MAX_BYTES,
    programMaxBytes: env.PROGRAM_MAX_BYTES,
    draftMaxBytes: env.DRAFT_MAX_BYTES,
    flowMaxValues: env.MAX_FLOW_VALUES,
    results: Object.freeze({
      maxBytes: env.RESULT_MAX_BYTES,
      ttlMs: env.RESULT_TTL_SECONDS === undefined ? undefined : env.RESULT_TTL_SECONDS * 1000,
    }),
    idempotencyMaxBytes: env.IDEMPOTENCY_MAX_BYTES,
    adminTokens: Object.freeze(readAdminTokens(env, [])),
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    pages: env.PAGES,
    uploads: arrangeUploads(env),
    previewToken: env.PREVIEW_TOKEN,
    metricsToken: env.METRICS_TOKEN,
    bodyLimit: env.BODY_LIMIT,
    previewBodyLimit: env.PREVIEW_BODY_LIMIT,
    bodyBounds: Object.freeze({
      values: env.MAX_BODY_VALUES,
      keys: env.MAX_BODY_KEYS,
      shapes: env.MAX_BODY_SHAPES,
      levels: env.MAX_BODY_LEVELS,
    }),
    bodiesMaxBytes: env.MAX_BODIES_BYTES,
    unread: Object.freeze({ maxBytes: env.MAX_UNREAD_BYTES, maxMs: env.MAX_UNREAD_MS }),
    maxConnections: env.MAX_CONNECTIONS,
    maxEventStreams: env.MAX_EVENT_STREAMS,
    webhookWaitMs: env.WEBHOOK_WAIT_SECONDS * 1000,
    drainMs: env.DRAIN_SECONDS * 1000,
    rateLimitMax: env.RATE_LIMIT_MAX === 0 ? undefined : env.RATE_LIMIT_MAX,
    trustedProxies: env.TRUST_PROXY,
    overload: Object.freeze({
      delayMs: env.MAX_EVENT_LOOP_DELAY_MS,
      heapBytes: env.MAX_HEAP_USED_BYTES,
      rssBytes: env.MAX_RSS_BYTES,
    }),
    heavyTurns: Object.freeze({ maxPreviews: env.MAX_HEAVY_PREVIEWS, max: env.MAX_HEAVY_TURNS }),
    limits: Object.freeze({
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
    openPreviewLimits: Object.freeze({
      blocksPerTurn: env.MAX_PREVIEW_BLOCKS_PER_TURN,
      blockMs: env.MAX_PREVIEW_BLOCK_CPU_MS,
      turnMs: env.MAX_PREVIEW_TURN_CPU_MS,
      wholeTurnMs: env.MAX_PREVIEW_TURN_MS,
      callsPerTurn: env.MAX_PREVIEW_CALLS_PER_TURN,
      codeMs: env.MAX_PREVIEW_CODE_MS,
      codeTurnMs: env.MAX_PREVIEW_TURN_CODE_MS,
    }),
    code: Object.freeze({ limitMs: env.MAX_CODE_MS, memoryBytes: env.CODE_MEMORY_BYTES }),
    previewHttp: env.PREVIEW_HTTP,
    flowTestsMs: env.MAX_FLOW_TESTS_MS,
    telemetry: telemetryOf(env),
    recordings: { maxLength: env.RECORDING_MAX_LENGTH, live: liveRecordings(env) },
    compat:
      env.COMPAT_API === 'on'
        ? Object.freeze({ trustedViewerOrigins: env.TRUSTED_VIEWER_ORIGINS?.split(',') ?? [] })
        : undefined,
  })
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

/** Warnings about the configuration, for the operator. */
export function configWarnings({
  host,
  previewToken,
  metricsToken,
  publicUrl,
  uploads,
}: Pick<Config, 'host' | 'previewToken' | 'metricsToken' | 'publicUrl' | 'uploads'>): readonly string[] {
  const warnings: string[] = []
  if (previewToken === undefined && !isLoopback(host)) {
    warnings.push(
      `Previews are open to everybody who reaches ${host}: set PREVIEW_TOKEN, or listen on 127.0.0.1 alone`,
    )
  }
  if (metricsToken === undefined && !isLoopback(host)) {
    warnings.push(`Metrics are open to everybody who reaches ${host}: set METRICS_TOKEN`)
  }
  if (uploads && publicUrl === undefined) {
    warnings.push('Uploads get the address that a request came to, whatever it was: set PUBLIC_URL')
  }
  return warnings
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
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
}: Environment): Config['telemetry'] {
  if (endpoint === undefined) return undefined
  const propagatesTo = new Set(
    hosts
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  return { endpoint, maxSpans, capturesMessages: capture === 'true', propagatesTo }
}
