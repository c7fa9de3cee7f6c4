import type { Static, StringOptions, TOptional, TSchema, TString } from '@sinclair/typebox'
import { StringEnum } from '../../schemas/common.ts'
import { Type } from '../../schemas/type.ts'
import { modelMakers } from './credentials/model-makers.ts'
import { usualMemoryBytes } from './memory-shares.ts'

const mebibyte = 1024 * 1024

/** A whole number: a count, milliseconds, bytes. */
function whole(defaultValue: number, description: string, bounds: { min?: number; max?: number } = {}) {
  const { min = 1, max = Number.MAX_SAFE_INTEGER } = bounds
  return Type.Integer({ default: defaultValue, minimum: min, maximum: max, description })
}

/** A text that may be left out. */
const text = (description: string, options: StringOptions = {}) =>
  Type.Optional(Type.String({ ...options, description }))

/** The name of a file or a folder. */
const named = (description: string) => text(description, { minLength: 1 })

/** A text that is never shown. */
const secret = (description: string, options: StringOptions) =>
  text(description, { ...options, writeOnly: true })

/** Characters that a client can send in a header in only one way. */
const printable = '^[!-~]+$'

const token = (description: string) => secret(description, { pattern: printable })

/** The account of each maker of models that blocks use which name none; `<MAKER>` stands for what its variables begin with. */
const modelAccount = {
  '<MAKER>_API_KEY': secret(`Key of the account \`default-…\` of a maker of models: ${listMakers()}`, {
    pattern: '^\\S+$',
  }),
  // Some write a password into it.
  '<MAKER>_BASE_URL': secret("Address of that account, in place of the maker's", {
    pattern: '^https?://[^\\s/?#]+(/[^\\s?#]*)?$',
  }),
}

function listMakers(): string {
  return Object.entries(modelMakers)
    .map(([maker, { type }]) => `\`${maker}\` for \`default-${type}\``)
    .join(', ')
}

type ModelVariable = `${keyof typeof modelMakers}_${'API_KEY' | 'BASE_URL'}`

const modelAccounts = Object.fromEntries(
  Object.keys(modelMakers).flatMap((maker) =>
    Object.entries(modelAccount).map(([name, schema]) => [name.replace('<MAKER>', maker), schema]),
  ),
) as Record<ModelVariable, TOptional<TString>>

/** The id of a key, and what is secret of it. */
const keyPair = '^[!-~]+:[!-~]+$'

/**
 * Variables that operators choose. `--help`, docs/configuration.md and the table of the README, which shows the essential ones, are made
 * from here.
 */
const settings = {
  HOST: Type.String({
    default: '127.0.0.1',
    minLength: 1,
    description: 'Address to listen on; the image listens on all',
  }),
  PORT: whole(3000, 'Port to listen on; 0 takes any free one', { min: 0, max: 65_535 }),
  FLOWS_DIR: Type.String({
    default: './flows',
    minLength: 1,
    description: 'Folder of the published flows, each a `*.json` or a `*.flow.yaml`',
  }),
  BLOCKS_DIR: named(
    'Folder of your own block types, a module each (`*.js`, or `*.ts` from Node 22.18 on); their code runs in the service, so trust it as you do the service ([own-blocks.md](own-blocks.md))',
  ),
  DATA_DIR: named(
    'Folder on a disk of this machine that keeps conversations, results and answers for repetitions; without it they end with the process',
  ),
  // It holds a password.
  DATABASE_URL: secret(
    'Address of a PostgreSQL database, 15 or later, that keeps conversations, results and answers for several processes; in place of `DATA_DIR`',
    { pattern: '^postgres(ql)?://\\S+$' },
  ),
  DATABASE_CONNECTIONS: whole(
    10,
    'Connections that one process keeps to the database of `DATABASE_URL` at most; the server needs room for those of all processes, and one more while one starts',
    { min: 2, max: 1000 },
  ),
  LOG_LEVEL: StringEnum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'How much is logged; `info` is one line a request',
  }),
  SESSION_TTL_SECONDS: whole(86_400, 'Seconds that a session lives without being used'),
  SESSION_MAX: whole(
    1_000_000,
    'Sessions kept, also in `DATA_DIR` and by `DATABASE_URL`, as many previews besides; those that were only started go first, the least recently used of them',
  ),
  MEMORY_MAX_BYTES: whole(
    usualMemoryBytes,
    'Bytes that all stores in memory take up, divided among them: sessions, flows, results, messages and the others',
    { min: mebibyte },
  ),
  RESULT_TTL_SECONDS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Seconds after which a result is erased that nothing was added to; without it none is',
    }),
  ),
  PREVIEW_TOKEN: token(
    'Bearer token that previews need: set it before you expose the service, as without one they are open to everybody',
  ),
  ADMIN_TOKEN: token(
    'Bearer token of what operators do: results, publishing, `updateFlow`, `executeWebhook`; without it and `ADMIN_TOKENS` that is off',
  ),
  RESULTS_TOKEN: token(
    'Bearer token that reads what people answered and what was counted, for the page `/results`, and does nothing else; it has the name `results`',
  ),
  ADMIN_TOKENS: secret(
    'Further tokens for the same, as `name=token`, separated by commas: each change of a flow is kept with the name, which is `admin` for `ADMIN_TOKEN`. `name:scopes@flow=token` may do less (operate.md, "Tokens with scopes"). `name:mcp=token` is for the program of an assistant, and opens `/mcp` and nothing else',
    { minLength: 1 },
  ),
  CONTACT_SECRET: secret(
    'Secret by which your server signs the contacts of starts, at least 32 characters; without it, only a token of an operator vouches for one',
    { minLength: 32, pattern: '^\\S+$' },
  ),
  METRICS_TOKEN: token('Bearer token that `/metrics` needs; without one it is open to everybody'),
  UPLOADS_DIR: named('Folder that uploads go to; without it and `UPLOADS_S3_URL` files are refused'),
  UPLOADS_S3_URL: text(
    'Address of a bucket that uploads go to in place of `UPLOADS_DIR`, on any server that speaks S3: `https://host/bucket` or `https://bucket.host`; behind it `?region=name` where the address does not tell it, and `?direct=on` or `&direct=on` where clients send files there themselves ([operate.md](operate.md#uploads-in-a-bucket))',
    {
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?(\\?(region=[\\w-]+|direct=on|region=[\\w-]+&direct=on))?$',
    },
  ),
  UPLOADS_S3_KEY: secret('Key of that bucket: its id, a colon, and its secret', { pattern: keyPair }),
  UPLOAD_SECRET: secret(
    'Signs upload addresses, and seals the open questions of assistants, at least 32 characters; without it a restart makes both useless',
    { minLength: 32, pattern: '^\\S+$' },
  ),
  UPLOAD_MAX_BYTES: whole(10 * mebibyte, 'Bytes of one uploaded file'),
  UPLOADS_MAX_BYTES: whole(1024 * mebibyte, 'Bytes of all uploaded files together'),
  UPLOAD_TTL_SECONDS: whole(
    30 * 86_400,
    'Seconds after which an uploaded file is erased; `RESULT_TTL_SECONDS` when that is less, a day in previews',
  ),
  PUBLIC_URL: text('Where this service is reached from outside; uploads have addresses there', {
    pattern: '^https?://[^\\s/?#]+(/[^\\s?#]*)?$',
  }),
  PAGES: Type.Optional(
    StringEnum(['off', 'visitor', 'on'], {
      description:
        'Pages that the service shows: `visitor` is `/f/<public id>`, where a flow is talked to; `on` adds `/`, which lists all flows, and `/try`, where an author talks to one and sees why. Without it they are `visitor` with `COMPAT_API` or where `HOST` is a loopback address and neither `TRUST_PROXY` nor `PUBLIC_URL` is set, where the address that is printed at the start opens the others; else `off`',
    }),
  ),
  PREVIEW_HTTP: StringEnum(['on', 'off', 'auto'], {
    default: 'auto',
    description: 'Whether previews send requests; `auto`: those that were started with the token',
  }),
  // Some write a password into it.
  OTEL_EXPORTER_OTLP_ENDPOINT: secret(
    'Address of a collector of OpenTelemetry, which is sent spans by OTLP over HTTP; the other variables of OpenTelemetry about that count too',
    { pattern: '^https?://[^\\s?#]+$' },
  ),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: StringEnum(['true', 'false'], {
    default: 'false',
    description:
      'Whether spans of questions to models hold what was said to them and by them, which is what visitors said',
  }),
  OTEL_PROPAGATE_TO: text(
    'Hosts, separated by commas, whose requests name the span that sends them (`traceparent`); without it none',
    { pattern: '^[^\\s,/]+(\\s*,\\s*[^\\s,/]+)*$' },
  ),
  RECORD_LIVE: text(
    'Which live sessions are written down to be run again: `errors` those in which a block fails, `all`, or a share such as `0.01`; without it none',
    { pattern: '^(errors|all|0?\\.[0-9]{1,9})$' },
  ),
  COMPAT_API: StringEnum(['on', 'off'], {
    default: 'off',
    description:
      'Whether clients are served that speak the API of the system that flows were exported from; `/<public id>` is then a page of the flow as well',
  }),
  TRUSTED_VIEWER_ORIGINS: text(
    'Origins of pages in iframes that may say, with `COMPAT_API`, which site embeds them: that is then the origin of their requests. Separated by commas',
    { pattern: '^(https?://[^\\s/,]+)(,https?://[^\\s/,]+)*$' },
  ),
  OUTBOUND_ALLOW: text(
    'Destinations that flows may reach though they are not public: hosts, addresses, CIDRs, each with a port or without, separated by commas',
  ),
  CREDENTIALS_FILE: named('JSON file of the accounts that flows may use, by id'),
  CHANNELS_FILE: named(
    'JSON file of messengers that flows are held on: their settings by names ([channels.md](channels.md))',
  ),
  SMTP_URL: secret(
    'Mail server and sender of the account `default`: `smtp://user:password@host:587?from=Shop%20%3Ca%40b%3E`',
    { pattern: '^smtps?://\\S+$' },
  ),
  BODY_LIMIT: whole(mebibyte, 'Bytes of a request body; eight times as many where it holds a definition'),
  MAX_CONNECTIONS: whole(
    10_000,
    'Connections that are open at once; a fifth of them may be streams of events, five of a session',
  ),
  WEBHOOK_WAIT_SECONDS: whole(
    15,
    'Seconds that a continue waits for the call of a webhook listener before it is answered; 0 for not at all. Browsers and proxies give up after 20 to 60',
    { min: 0, max: 600 },
  ),
  DRAIN_SECONDS: whole(
    0,
    'Seconds that everything is still served after SIGTERM while `/ready` answers 503; then no more connections are accepted',
    { min: 0, max: 600 },
  ),
  RATE_LIMIT_MAX: whole(
    6_000,
    'Starts, continues, uploads and client logs that one address may ask for in a minute, together; 0 for any number',
    { min: 0 },
  ),
  TRUST_PROXY: whole(
    0,
    'Proxies in front of the service, whose `X-Forwarded-…` headers tell where a request came from and went to; 0 when there are none',
    { min: 0, max: 1_000 },
  ),
  MAX_EVENT_LOOP_DELAY_MS: whole(
    500,
    'Milliseconds that the event loop may be late, for seconds on end, before starts are refused; continues at twice that',
  ),
  WATCHDOG_SECONDS: whole(
    30,
    'Seconds that the event loop may stand still before the process ends itself with 70; 0 for any time',
    { min: 0, max: 3_600 },
  ),
  MAX_TURN_CPU_MS: whole(10_000, 'Milliseconds of engine time for one request, outgoing calls excluded'),
  MAX_TURN_MS: whole(60_000, 'Milliseconds of one request, outgoing calls included'),
}

/** Every environment variable that the service reads. */
export const Environment = Type.Object({ ...settings, ...modelAccounts })
type EnvironmentValues = Static<typeof Environment>

/** The value of every variable, undefined where it has none. */
export type Environment = {
  readonly [Name in keyof EnvironmentValues]-?: object extends Pick<EnvironmentValues, Name>
    ? EnvironmentValues[Name] | undefined
    : EnvironmentValues[Name]
}

/** Values of a variable, in words that follow "must be". */
export function describeExpectation(schema: TSchema): string {
  if (schema['enum']) return `one of: ${schema['enum'].join(', ')}`
  if (schema['pattern']?.startsWith('^https?')) return 'an http(s) address'
  if (schema['pattern']?.startsWith('^smtp')) return 'an smtp(s) address'
  if (schema['pattern']?.startsWith('^postgres'))
    return 'an address such as postgres://user:password@host:5432/name'
  if (schema['pattern'] === keyPair) return 'the id of a key, a colon and its secret, without blanks'
  if (schema['pattern'] === printable) return 'printable ASCII characters without blanks'
  if (schema['minLength'] > 1) return `text of at least ${schema['minLength']} characters without blanks`
  if (schema['pattern']) return 'text without blanks, not empty'
  if (schema['type'] === 'string') return 'text, not empty'
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number }
  return maximum === Number.MAX_SAFE_INTEGER
    ? `a whole number, at least ${minimum}`
    : `a whole number from ${minimum} to ${maximum}`
}

/** Whether the value of a variable may never be shown. */
export function isSecret(schema: TSchema): boolean {
  return schema['writeOnly'] === true
}

/** One variable as people read it. */
export interface Setting {
  readonly name: string
  /** Whether the README shows it. */
  readonly isEssential: boolean
  /** Whether it may come from a file, which a variable with `_FILE` at its end names. */
  readonly isSecret: boolean
  /** Empty when there is none. */
  readonly defaultText: string
  readonly description: string
}

/** Variables that the README shows: where everything is, and who may do what. */
const essential =
  /^(HOST|PORT|(FLOWS|DATA|UPLOADS)_DIR|(DATABASE|PUBLIC)_URL|(PREVIEW|ADMIN|RESULTS|METRICS)_TOKENS?|MEMORY_MAX_BYTES|PAGES|CREDENTIALS_FILE|TRUST_PROXY)$/

/** All variables, in the order of the schema; those of accounts of models are two rows for all makers. */
export function listSettings(): readonly Setting[] {
  return Object.entries({ ...settings, ...modelAccount }).map(([name, schema]: [string, TSchema]) => ({
    name,
    isEssential: essential.test(name),
    isSecret: isSecret(schema),
    defaultText: schema['default'] === undefined ? '' : String(schema['default']),
    description: schema.description ?? '',
  }))
}
