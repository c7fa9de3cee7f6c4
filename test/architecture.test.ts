import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blockSchemas, shownInputs } from '../schemas/blocks/index.ts'
import { tagsOf } from '../schemas/tagged-union.ts'
import { blockHandlers, blockRegistry } from '../src/blocks/index.ts'
import { findCircles, type Import } from './support/circles.ts'

const root = join(import.meta.dirname, '..')

/** Pure libraries: they compute, and touch neither the network, the disk nor the clock. */
const pureLibraries = [
  '@date-fns/utc',
  '@eslint-community/regexpp',
  '@sinclair/typebox',
  'acorn',
  'chrono-node',
  'date-fns',
  'iso8601-duration',
  'libphonenumber-js',
  'lru-cache',
  'mdast',
  'mdast-util-from-markdown',
  'parse5',
  'qrcode-generator',
  're2js',
  'validator',
]

/** Files that everybody may import: they compute, and import nothing. */
const leaves = [
  'src/lib/byte-string.ts',
  'src/lib/errors.ts',
  'src/lib/json-bounds.ts',
  'src/lib/json-pointer.ts',
  'src/lib/language-tags.ts',
  'src/lib/nearest-name.ts',
  'src/lib/semaphore.ts',
  'src/lib/session-hash.ts',
  'src/lib/text-lines.ts',
]

/**
 * Who may import whom, nearest folder first. A library stands for itself and its parts; `node:` for everything that
 * comes with Node.
 */
const mayImport: Record<string, readonly string[]> = {
  schemas: ['schemas', '@sinclair/typebox'],
  'src/engine': ['src/engine', 'schemas', 'src/lib/lazy-module.ts', ...pureLibraries],
  'src/own-blocks': [
    'src/own-blocks',
    'src/blocks/index.ts',
    'src/engine',
    'schemas',
    'src/definition',
    'src/lib/config-error.ts',
    'src/lib/package-root.ts',
    '@sinclair/typebox',
    'node:',
  ],
  'src/blocks': ['src/blocks', 'src/engine', 'schemas', 'src/lib/lazy-module.ts', ...pureLibraries],
  'src/channels': [
    'src/channels',
    'src/delivery',
    'src/sessions',
    'src/conversations',
    'src/uploads',
    'schemas',
    'src/definition',
    'src/engine/values/zoned-time.ts',
    'src/config/credentials/account-fields.ts',
    'src/ports',
    'src/stores',
    '@sinclair/typebox',
    'lru-cache',
    'node:crypto',
  ],
  'src/tooling/lint': [
    'src/tooling/lint',
    'src/adapters/http-client/egress/ip-policy.ts',
    'src/channels/capabilities.ts',
    'src/channels/messenger-table.ts',
    'src/channels/web-link.ts',
    'src/definition/content-hash.ts',
    'src/engine',
    'schemas',
    '@sinclair/typebox',
  ],
  'src/definition': [
    'src/definition',
    'schemas',
    'src/lib/lazy-module.ts',
    '@sinclair/typebox',
    'ajv',
    'jsonc-parser',
    'node:crypto',
    'yaml',
  ],
  'src/delivery': ['src/delivery', 'src/stores', 'schemas/outgoing-webhooks.ts', 'node:timers/promises'],
  'src/sessions': ['src/sessions', 'src/engine', 'schemas'],
  'src/stores': [
    'src/stores',
    'src/sessions',
    'schemas',
    'src/engine',
    'src/definition',
    'src/lib/package-root.ts',
    'src/lib/threads/start-thread.ts',
    'lru-cache',
    'nanoid',
    'node:',
    'node-pg-migrate',
    'pg',
  ],
  'src/ports': [
    'src/ports',
    'src/channels/messenger-table.ts',
    'src/engine/model',
    'src/stores/announcements.ts',
    'src/stores/store-usage.ts',
    'src/stores/upload-counts.ts',
    'node:stream',
  ],
  'src/adapters': [
    'src/adapters',
    'src/ports',
    'src/lib/threads/ask-thread.ts',
    'src/lib/lazy-module.ts',
    'src/lib/threads/start-thread.ts',
    'src/lib/config-error.ts',
    'node:',
    'aws4fetch',
    '@jitl/quickjs-wasmfile-release-sync',
    '@sinclair/typebox',
    'ipaddr.js',
    'nanoid',
    'nodemailer',
    'prom-client',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-base',
    'quickjs-emscripten-core',
    'undici',
    'yaml',
  ],
  'src/analytics': ['src/analytics', 'src/engine', 'src/exports', 'src/sessions', 'src/stores', 'schemas'],
  'src/exports': ['src/exports', 'src/lib/lazy-module.ts', 'hyparquet-writer'],
  'src/conversations': [
    'src/conversations',
    'src/sessions',
    'src/analytics',
    'src/results',
    'src/uploads',
    'schemas',
    'src/definition',
    'src/engine',
    'src/blocks/index.ts',
    'src/ports',
    'src/stores',
    'eventsource-parser',
    'lru-cache',
    'node:crypto',
    'node:timers/promises',
    'secure-json-parse',
  ],
  'src/tooling/validate': [
    'src/tooling/validate',
    'src/tooling/lint',
    'src/conversations',
    'schemas',
    'src/definition',
    'src/engine',
    'src/ports',
  ],
  // Pages have it too.
  'src/tooling/flow-graph': ['src/tooling/flow-graph'],
  'src/tooling/flow-tests': [
    'src/tooling/flow-tests',
    'src/tooling/validate',
    'src/conversations',
    'schemas',
    'src/definition',
    'src/engine',
    'src/ports',
  ],
  'src/tooling/replay': [
    'src/tooling/replay',
    'src/sessions',
    'src/tooling/flow-tests',
    'src/tooling/validate',
    'src/conversations',
    'schemas',
    'src/definition',
    'src/engine',
    'src/stores',
    'src/ports',
  ],
  'src/tooling/write-yaml': [
    'src/tooling/write-yaml',
    'schemas',
    'src/blocks/bubbles/rich-text',
    'src/definition/envelope.ts',
    'src/definition/yaml-form/block-shapes.ts',
    'src/definition/yaml-text/condition-text.ts',
    'src/engine/compile/lazy-table.ts',
    'src/engine/templates/parse-template.ts',
    'node:util',
    'yaml',
  ],
  'src/tooling/convert': [
    'src/tooling/convert',
    'src/tooling/write-yaml',
    'src/definition',
    'src/lib/threads/ask-thread.ts',
    'schemas',
    'node:worker_threads',
  ],
  'src/tooling/schema-files': [
    'src/tooling/schema-files',
    'src/config/credentials',
    'src/definition/yaml-form/block-shapes.ts',
    'src/definition/yaml-text/condition-text.ts',
    'schemas',
    '@sinclair/typebox',
  ],
  'src/publication': [
    'src/publication',
    'src/lib/threads/start-thread.ts',
    'schemas',
    'src/definition',
    'src/engine',
    'src/stores',
    'node:',
  ],
  'src/results': [
    'src/results',
    'src/analytics',
    'src/conversations',
    'src/exports',
    'schemas',
    'src/engine',
    'src/ports',
    'src/stores',
  ],
  'src/contacts': ['src/contacts', 'src/results', 'src/conversations', 'schemas', 'src/stores'],
  'src/webhooks': [
    'src/webhooks',
    'src/delivery',
    'src/conversations/outgoing/event-subscribers.ts',
    'schemas',
    'src/ports',
    'src/stores',
    'node:crypto',
  ],
  'src/uploads': [
    'src/uploads',
    'src/conversations',
    'schemas',
    'src/engine',
    'src/ports',
    'src/stores',
    'node:crypto',
  ],
  'src/mcp': [
    'src/mcp',
    'src/channels',
    'src/conversations',
    'schemas',
    'src/definition/content-hash.ts',
    'src/lib/version-text.ts',
    'src/ports/caller.ts',
    'src/stores/published-flows.ts',
    'node:crypto',
  ],
  'src/config': [
    'src/config',
    'src/channels/messenger-table.ts',
    'src/conversations',
    'src/engine/model/limits.ts',
    'src/definition',
    'src/adapters/code-sandbox/code-sandbox.ts',
    'src/adapters/http-client/egress',
    'src/lib/config-error.ts',
    'src/lib/package-root.ts',
    'src/ports',
    'schemas',
    '@sinclair/typebox',
    'ajv',
    'node:',
    'nodemailer',
  ],
  'src/http': [
    'src/http',
    'schemas',
    'src/definition',
    'src/ports',
    '@fastify/rate-limit',
    '@fastify/swagger',
    '@fastify/swagger-ui',
    '@fastify/type-provider-typebox',
    '@sinclair/typebox',
    'fastify',
    'lru-cache',
    'node:',
    'pino',
  ],
  'src/compat': [
    'src/compat',
    'src/routes',
    'src/http',
    'schemas',
    'src/conversations',
    'src/uploads',
    'src/definition',
    'src/ports',
    '@fastify/busboy',
    '@sinclair/typebox',
    'fastify',
    'node:',
    'ws',
  ],
  'src/pages': [
    'src/pages',
    'schemas',
    'src/http',
    'src/conversations',
    'src/engine',
    'src/publication',
    'src/stores',
    'src/ports/caller.ts',
    'src/lib/package-root.ts',
    'fastify',
    'node:',
  ],
  'src/routes': [
    'src/routes',
    'src/analytics',
    'src/channels',
    'src/delivery',
    'src/exports',
    'src/http',
    'schemas',
    'src/conversations',
    'src/tooling/convert',
    'src/tooling/flow-tests',
    'src/tooling/replay',
    'src/tooling/schema-files',
    'src/tooling/validate',
    'src/publication',
    'src/results',
    'src/contacts',
    'src/mcp',
    'src/uploads',
    'src/webhooks',
    'src/ports/caller.ts',
    '@sinclair/typebox',
  ],
}

/** Folders whose implementations of an interface nobody but the process chooses. */
const onlyInterfaces = {
  from: 'src/conversations',
  of: 'src/stores',
  allowed: /-store\.ts$|session\.ts$|published-flows\.ts$|^src\/stores\/flow-table\.ts$/,
}

/** Functions that hostile input makes slow or powerful, and the only files that may call them. */
const dangerousFunctions: readonly {
  readonly what: string
  /** Folders where it matters; everywhere when absent. */
  readonly within?: readonly string[]
  readonly call: RegExp
  readonly mayCall: readonly string[]
}[] = [
  { what: 'evaluators of the host', call: /\beval\(|new Function\(|node:vm/, mayCall: [] },
  // Extended so that it stops early and leaves patterns unread.
  {
    what: 'the JavaScript parser',
    call: /^(?:import|export) (?!type )[^;']*'acorn'/m,
    mayCall: ['src/engine/javascript/script-parser.ts'],
  },
  // Its modules would take a tenth of the start: schemas/type.ts builds the same schemas, with its types.
  {
    what: 'TypeBox',
    call: /^(?:import|export) (?!type )[^;']*'@sinclair\/typebox/m,
    // Loaded by own blocks alone.
    mayCall: ['src/own-blocks/kit/block-kit.ts'],
  },
  // They are loaded where a collector is named, and by nobody else.
  {
    what: 'OpenTelemetry',
    call: /^(?:import (?!type )|export [*{])[^;']*'@opentelemetry\//m,
    mayCall: [],
  },
  // Loaded by those who ask for it: whoever does not runs none of its code, nor of the libraries that it needs.
  {
    what: 'the API of other clients',
    call: /^(?:import|export) (?!type )[^;']*'(?:[^']*\/compat\/|ws'|@fastify\/busboy')/m,
    mayCall: ['src/compat/form-upload-route.ts', 'src/compat/webhook-rooms.ts'],
  },
  // It takes exponential time for some patterns: those of flows go to RE2.
  {
    what: 'RegExp with a text',
    call: /\bRegExp\((?!['"/])/,
    mayCall: [
      'src/blocks/inputs/address-inputs.ts',
      'src/blocks/integrations/email/mailbox.ts',
      // Of a constant of the schemas.
      'src/cli/translations.ts',
      'src/conversations/effects/redact-secrets.ts',
      'src/channels/inbox/person.ts',
      'src/config/credentials/channels-file.ts',
      'src/config/read-config.ts',
      // Of its own words.
      'src/definition/yaml-text/condition-text.ts',
      // Of values that it has made literal.
      'src/engine/values/sensitive-values.ts',
      'src/engine/regex/character-classes.ts',
      'src/engine/regex/regex.ts',
      'src/http/request/allowed-methods.ts',
      // Of the names of columns.
      'src/stores/codec/result-names.ts',
    ],
  },
  // They compile whatever is small enough to be parsed: `compilePattern` bounds it, and charges for it.
  {
    what: 'RE2',
    call: /^(?:import|export) (?!type )[^;']*'re2js'|lazyModule\b.*'re2js'/m,
    mayCall: ['src/engine/regex/regex.ts'],
  },
  {
    what: 'the pattern parser',
    call: /^(?:import|export) (?!type )[^;']*'@eslint-community\/regexpp'|lazyModule\b.*regexpp'/m,
    mayCall: ['src/engine/regex/to-re2.ts'],
  },
  // The square of a run of marks: `composeText` is the bounded one.
  {
    what: 'normalize',
    call: /\.normalize\b|\['normalize'\]/,
    mayCall: [
      'src/definition/yaml-text/identifiers.ts',
      'src/cli/import-flows/flow-addresses.ts',
      'src/cli/import-results/read-moment.ts',
      'src/engine/values/compose-text.ts',
    ],
  },
  // Stops everybody else for as long as it takes: whoever parses bounds first what others may have written.
  {
    what: 'JSON.parse',
    call: /\bJSON\.parse\(|\bjsonIn\(|getDefaultJsonParser|secure-json-parse/,
    mayCall: [
      'src/adapters/code-sandbox/protocol.ts',
      'src/adapters/code-sandbox/worker/intl-host.ts',
      'src/blocks/inputs/choice-input.ts',
      'src/analytics/taken-paths.ts',
      'src/blocks/json-texts.ts',
      'src/channels/wire/read-wire.ts',
      // Of what the service has written, and of settings whose schema was checked.
      'src/channels/channel-directory.ts',
      'src/channels/inbox/answer-event.ts',
      'src/channels/inbox/opt-out.ts',
      'src/channels/outbox/send-event.ts',
      'src/config/credentials/channels-file.ts',
      // Of a token of a bounded length.
      'src/conversations/contact/read-contact.ts',
      // Of what a service has written itself, and of an answer that was bounded when it came.
      'src/conversations/effects/models/mask-question.ts',
      'src/conversations/recording/mask-recorded.ts',
      'src/engine/values/sensitive-values.ts',
      'src/conversations/effects/redact-secrets.ts',
      // Of an answer that the service has written.
      'src/conversations/session/program-cache.ts',
      // Of what the service has written.
      'src/contacts/contacts-service.ts',
      'src/conversations/contact/met-contact.ts',
      'src/conversations/contact/same-person.ts',
      'src/lib/byte-string.ts',
      'src/lib/json-bounds.ts',
      'src/stores/codec/contact-memory.ts',
      'src/compat/compat-answers.ts',
      'src/compat/stream-routes.ts',
      // Of announcements, which have a bounded length.
      'src/compat/webhook-rooms.ts',
      'src/config/credentials/credentials.ts',
      'src/config/credentials/vendors/google-account.ts',
      'src/definition/parse-definition.ts',
      'src/engine/javascript/response-path/response-reader.ts',
      'src/http/request/body/json-body-parser.ts',
      // Of a bounded length.
      'src/tooling/lint/rules/calls/http-requests.ts',
      // Of commands, which serve nobody else meanwhile, and of a body of a bounded length.
      'src/tooling/replay/as-test/collect-mocks.ts',
      'src/tooling/replay/compare-turns.ts',
      'src/tooling/replay/recorded-file.ts',
      'src/lib/source-positions.ts',
      'src/publication/catalogue/checked-flows.ts',
      'src/stores/codec/conversation-codec.ts',
      'src/stores/codec/result-codec.ts',
      'src/stores/codec/result-names.ts',
      'src/stores/counts/turn-facts.ts',
      'src/stores/memory/results/result-lines.ts',
      'src/stores/memory/session-texts.ts',
      'src/stores/postgres/counts/postgres-count-store.ts',
      'src/stores/sqlite/thread/counts/count-rows.ts',
      'src/uploads/upload-token.ts',
      // Of settings whose schema was checked.
      'src/webhooks/endpoints.ts',
    ],
  },
  // They normalize what they compare, and load data by a name that may be anybody's.
  {
    what: 'Intl',
    call: /\bIntl\.[A-Z]\w+\(|\.(?:localeCompare|toLocale\w+)\(/,
    mayCall: [
      // In a thread that a watchdog ends.
      'src/adapters/code-sandbox/worker/intl-host.ts',
      'src/adapters/code-sandbox/worker/intl-prelude.ts',
      // Of a piece of a bounded length.
      'src/channels/text/split-text.ts',
      // A bounded number, in one of two locales.
      'src/blocks/inputs/payment/payment-intent.ts',
      'src/engine/values/zoned-time.ts',
      // Of a fixed list of languages.
      'src/cli/import-results/read-moment.ts',
      // Of a language that no flow chooses.
      'src/tooling/flow-graph/traffic.ts',
    ],
  },
  // It leaves `.` and `..` as they are: `pathPart` refuses them.
  {
    what: 'encodeURIComponent for parts of paths',
    within: ['src/blocks/vendors', 'src/blocks/inputs/payment', 'src/conversations/effects'],
    call: /\bencodeURI(?:Component)?\b/,
    mayCall: [
      // In the query of an address, and in code for a browser.
      'src/blocks/vendors/blink/feed-section.ts',
      'src/blocks/vendors/zendesk.ts',
    ],
  },
  // What is remembered beside a program is counted by its footprint: `Memo` is the map that does so.
  {
    what: 'WeakMap beside programs',
    within: ['src/engine', 'src/blocks'],
    call: /(?:new|extends) WeakMap\b/,
    mayCall: ['src/engine/model/footprint.ts'],
  },
]

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path))
}

function importsIn(folder: string): Import[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const file = join(folder, path)
      const source = readFileSync(join(root, file), 'utf8')
      const specifiers = [...source.matchAll(/(?:from|import)\s+'([^'$]+)'|import\('([^'$]+)'\)/g)]
      return specifiers.map(([, first, second]) => ({ file, target: targetOf(file, first ?? second ?? '') }))
    })
}

function targetOf(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier
  return relative(root, resolve(root, dirname(file), specifier)).replaceAll('\\', '/')
}

const isWithin = (target: string, allowed: string) =>
  target === allowed || target.startsWith(allowed.endsWith(':') ? allowed : `${allowed}/`)

describe('architecture', () => {
  it.each(Object.entries(mayImport))('%s imports only what it may', (folder, allowed) => {
    const imports = importsIn(folder)
    const foreign = imports.filter(
      ({ target }) => ![...leaves, ...allowed].some((name) => isWithin(target, name)),
    )
    expect(imports.length).toBeGreaterThan(0)
    expect(foreign).toEqual([])
  })

  it('chooses no store implementation inside a use case', () => {
    const stores = importsIn(onlyInterfaces.from).filter(({ target }) => isWithin(target, onlyInterfaces.of))
    expect(stores.filter(({ target }) => !onlyInterfaces.allowed.test(target))).toEqual([])
    expect(stores.some(({ target }) => /memory|folder/.test(target))).toBe(false)
  })

  it('has no imports in a circle, those of types included', () => {
    const imports = [...importsIn('src'), ...importsIn('schemas')]
    expect(findCircles(imports).map((circle) => circle.join(' -> '))).toEqual([])
  })

  it('recognises a circle, and what merely shares a target', () => {
    const edge = (file: string, target: string) => ({ file, target })
    expect(findCircles([edge('a', 'b'), edge('a', 'c'), edge('b', 'c')])).toEqual([])
    expect(findCircles([edge('a', 'b'), edge('b', 'c'), edge('c', 'b')])).toEqual([['b', 'c', 'b']])
  })

  it('has no two sources of one name, but for indexes', () => {
    const names = sourcesIn('src').map((path) => basename(path))
    const doubles = names.filter((name, index) => name !== 'index.ts' && names.indexOf(name) !== index)
    expect(doubles).toEqual([])
  })

  it('describes every folder of five files or more in a README', () => {
    const folders = sourcesIn('src').map((path) => dirname(path))
    const large = new Set(folders.filter((folder) => folders.filter((other) => other === folder).length >= 5))
    expect([...large].filter((folder) => !existsSync(join(root, folder, 'README.md')))).toEqual([])
  })

  it('leaves the process to itself', () => {
    const importers = importsIn('src').filter(({ target }) => target === 'src/main.ts')
    expect(importers).toEqual([])
  })

  it.each(dangerousFunctions)('calls $what only where it is guarded', ({ within, call, mayCall }) => {
    const callers = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `src/${path.replaceAll('\\', '/')}`)
      .filter((file) => (within ?? ['src']).some((folder) => isWithin(file, folder)))
      .filter((file) => call.test(readFileSync(join(root, file), 'utf8')))
    expect(callers.sort()).toEqual([...mayCall].sort())
  })
})

/** Words of other vocabularies that are block types too: kinds of messages, and of events. */
const wordsOfOthers = new Set(['text', 'start'])

describe('blocks', () => {
  it('are known by their marks and schemas to tools that look at flows, and never by the names of their types', () => {
    const types = [...blockRegistry.keys()].filter((type) => !wordsOfOthers.has(type))
    const named = ['src/tooling/lint', 'src/tooling/flow-tests'].flatMap(sourcesIn).flatMap((file) => {
      const literals = new Set(readFileSync(join(root, file), 'utf8').match(/'[^'\n]+'/g))
      return types.filter((type) => literals.has(`'${type}'`)).map((type) => `${file}: ${type}`)
    })
    expect(named).toEqual([])
  })

  it('serves each type name once, by schema and by handler', () => {
    const typesOfHandlers = blockHandlers.flatMap(({ types }) => types)
    const typesOfSchemas = blockSchemas.flatMap((schema) => tagsOf(schema))
    const inputs = blockHandlers.filter(({ kind }) => kind === 'input').flatMap(({ types }) => types)
    const without = (types: readonly string[], others: readonly string[]) =>
      types.filter((type) => !others.includes(type))
    const missing = {
      'in src/blocks/index.ts': without(typesOfSchemas, typesOfHandlers),
      'in a list of blocks at the end of a file of schemas/blocks': without(typesOfHandlers, typesOfSchemas),
      'in a list of inputs as they are shown there': without(inputs, shownInputs.flatMap(tagsOf)),
    }
    expect(missing).toEqual(Object.fromEntries(Object.keys(missing).map((where) => [where, []])))
    expect(blockRegistry.size).toBe(typesOfSchemas.length)
    expect(blockRegistry.size).toBe(typesOfHandlers.length)
  })
})
