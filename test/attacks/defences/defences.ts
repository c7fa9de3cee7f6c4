/** A change of one file of the sources. */
export interface Edit {
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
}

/** What keeps a threat of SECURITY.md away, and how it is switched off. */
export interface Defence {
  /** The row of the table, which is also the title of its test. */
  readonly threat: string
  /** Part of what its test says when it fails for that; `no end` where it never ends. */
  readonly seen: string
  /** Where several things defend against it, all of them go. */
  readonly edits: readonly Edit[]
}

const off = (threat: string, seen: string, ...edits: readonly Edit[]): Defence => ({ threat, seen, edits })

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace })

const journey = 'src/adapters/http-client/request-chain.ts'
const addresses = 'src/adapters/http-client/egress/ip-policy.ts'

/** Nothing looks at where a connection really goes. */
const connectAnywhere = edit(
  journey,
  'const guardedAgent = createPinnedAgent(guarded)',
  'const guardedAgent = createPinnedAgent(unguarded)',
)

const marked = 'What somebody says of themselves is read by whom it is not meant for'

export const defences: readonly Defence[] = [
  off(
    'A conversation goes on by itself without an end',
    'expected 100 to be 20',
    edit('src/conversations/timers/timers-after.ts', 'alone >= mostUnpaced', 'alone >= 1e9'),
  ),
  off(
    'A flow in YAML stands for more than it is',
    'to deeply equal',
    edit(
      'src/definition/yaml-text/read-nodes.ts',
      'if (this.#aliases > most.aliases)',
      'if (this.#aliases > 1e9)',
    ),
  ),
  off(
    'An own block is misled by what a visitor says, or breaks',
    'to match object [ …(2) ]',
    edit(
      'src/own-blocks/check-data.ts',
      'if (check.accepts(value)) return',
      'if (check.accepts(value) || what) return',
    ),
  ),
  off(
    'Somebody who knows a row of a table that was imported goes on with its result',
    "not to contain 'Ada'",
    edit(
      'src/conversations/start/returning-visitor.ts',
      ' || isImported({ id: resultId })',
      ' || isImported({ id: flow.id })',
    ),
  ),
  off(
    'An import writes over what was said here, or brings back what was erased',
    'to match object { imported: 1, known: +0 }',
    edit(
      'src/results/import/imported-id.ts',
      'beginning + sessionHash(JSON.stringify([flowId, key]))',
      'flowId && key',
    ),
  ),
  off(
    'An import writes over what was said here, or brings back what was erased',
    'to match object { imported: +0, known: 1 }',
    edit('src/stores/memory/results/memory-result-store.ts', ' && !this.#erased.has(nameOf(flowId, id))', ''),
  ),
  off(
    'A flow that comes with a public start is run in place of the published one',
    "[ 'smuggled' ]",
    edit(
      'src/conversations/start/start-published-chat.ts',
      'const program = programIn(locale, published.program)\n',
      'const { flow } = body as { flow?: unknown }\n  const { program } = flow ? deps.programs.prepare(flow) : published\n',
    ),
  ),
  off(
    'A browser says that it is somebody else',
    'expected 200 to be 400',
    edit(
      'src/conversations/contact/read-contact.ts',
      "isVerified: terms.caller.kind !== 'anonymous' }",
      'isVerified: true }',
    ),
    edit(
      'src/conversations/contact/read-contact.ts',
      'if (given.length !== right.length || !timingSafeEqual(given, right))',
      'if (given.length > 32 && timingSafeEqual(given, right))',
    ),
  ),
  off(
    'What was written down of a visitor is read by who holds the id of the session',
    'expected 200 to be 404',
    edit(
      'src/conversations/recording/read-recording.ts',
      "if (stored.session.kind === 'preview') return fileOf(stored.session, true, deps)",
      'return fileOf(stored.session, true, deps)',
    ),
  ),
  off(
    marked,
    'canary-person in results',
    edit(
      'src/results/result-updates.ts',
      'return mask ? updates.map',
      'return mask && !isLive ? updates.map',
    ),
  ),
  off(
    marked,
    'canary-person in results',
    edit(
      'src/http/protection/auth.ts',
      "scopes?.includes('personal') ?? true",
      "scopes?.includes('results') ?? true",
    ),
  ),
  off(
    marked,
    'canary-imported in results',
    edit('src/results/import/import-results.ts', 'return values.length > 0 ?', 'return values.length < 0 ?'),
  ),
  off(
    marked,
    'canary-source in recording',
    edit('src/conversations/recording/mask-recorded.ts', 'terms.isPlain ? undefined', 'terms ? undefined'),
  ),
  off(
    marked,
    'canary-person in trace',
    edit(
      'src/conversations/trace/session-trace.ts',
      'maskOf(run.turn)?.data',
      '(traced.turn < 0 ? maskOf(run.turn) : undefined)?.data',
    ),
  ),
  off(
    marked,
    'canary-refused in events',
    edit(
      'src/conversations/continue/turn-commit.ts',
      'mask: () => maskOf(run.turn)',
      'mask: () => (isExpiry(request) ? maskOf(run.turn) : undefined)',
    ),
  ),
  off(
    marked,
    'canary-person in prompts',
    edit(
      'src/conversations/effects/models/mask-question.ts',
      'JSON.stringify(completion.body))\n    if (!mask)',
      'JSON.stringify(completion.body))\n    if (!mask || mask.values.length > 0)',
    ),
  ),
  off(
    marked,
    'canary-source in cohorts',
    edit(
      'src/analytics/cohort.ts',
      'campaignLabel.test(value) && !isMasked',
      'campaignLabel.test(value) || isMasked',
    ),
  ),
  off(
    'What visitors say reaches whoever collects spans',
    "not to contain 'L0velace'",
    edit(
      'src/conversations/telemetry/call-spans.ts',
      '[spanNames.host]: parsed.hostname',
      '[spanNames.host]: parsed.href',
    ),
  ),
  off(
    'Somebody elsewhere is shown the pages that are meant for this machine',
    "[ '/', 200 ]",
    edit(
      'src/http/protection/page-access.ts',
      "(isAuthor(request) ? 'on' : forAll)",
      "(isLocal ? 'on' : forAll)",
    ),
  ),
  off(
    'Somebody finds the address by which an author came',
    'expected 303 to be 403',
    edit(
      'src/http/protection/page-access.ts',
      'token = drawSecret()\n      announce(token)',
      'announce(token)',
    ),
  ),
  off(
    'A page of another site reads results by the cookie of an author',
    'expected 200 to be 401',
    edit(
      'src/http/protection/auth.ts',
      "site === 'same-origin' && (origin === undefined || pageAccess.isOwnOrigin(request))",
      'true || site || origin',
    ),
  ),
  off(
    'A script of a flow reaches the page of its visitors',
    'to match /^sandbox allow-scripts;/',
    edit('src/pages/page-policies.ts', "'sandbox allow-scripts',", ''),
  ),
  off(
    'Code of a flow leaves its sandbox',
    "expected [ 'hush' ]",
    edit(
      'src/adapters/code-sandbox/worker/job-server.ts',
      'return engine.start(text, { isAsync: job.isAsync, limitMs })',
      "return { kind: 'done', result: JSON.stringify({ ok: true, value: new Function('require', job.body)(process.getBuiltinModule), assigned: [] }) }",
    ),
    edit('src/adapters/code-sandbox/worker-handle.ts', 'env: {},', ''),
  ),
  off(
    'Code never ends, or takes all memory',
    'no end',
    edit(
      'src/adapters/code-sandbox/worker/quickjs-engine.ts',
      'quickJs.runtime.setInterruptHandler(this.#clock.isSpent)',
      '',
    ),
    edit('src/adapters/code-sandbox/worker-handle.ts', 'const graceMs = 200', 'const graceMs = 1_000_000'),
  ),
  off(
    'A flow never ends',
    "to match object [ { status: 'error', …(1) } ]",
    edit(
      'src/engine/turn/turn-budget.ts',
      'if (this.trail.length >= this.limits.blocksPerTurn)',
      // More than a million fill what a list can hold, which ends the process.
      'if (this.trail.length >= 1e6)',
    ),
  ),
  off(
    'The tests of a draft take for ever',
    "expected 'passed' to be 'not run'",
    edit(
      'src/conversations/turn/request-deadline.ts',
      'return ports.elapsed() > endsAt',
      'return ports.elapsed() < 0',
    ),
  ),
  off(
    'A text to convert takes for ever, or stands for far more',
    'to match object { status: 400',
    edit('src/lib/threads/ask-thread.ts', '${limitMs} ms`), limitMs)', '${limitMs} ms`), 2 ** 30)'),
  ),
  off(
    'A recording that somebody sends hangs the service, or says what limits it has',
    'expected undefined to match object { turn: 1 }',
    edit(
      'src/tooling/replay/replay-world.ts',
      'Math.min(recorded[name] ?? own, own)',
      'recorded[name] ?? own',
    ),
  ),
  off(
    'A check of a draft takes for ever',
    "to match object [ { code: 'not-all-checked'",
    edit(
      'src/tooling/validate/budgeted-work.ts',
      'return this.#usedMs + this.#sliceUsedMs > this.#deps.limits.turnMs',
      'return this.#usedMs < 0',
    ),
  ),
  off(
    'Turns of a large draft add to what its program holds',
    'to be less than 4194304',
    edit(
      'src/engine/turn/progress.ts',
      'const reach = { inputs: countInputs(explored.seen), ends: explored.ends }',
      'const reach = { inputs: countInputs(explored.seen), ends: explored.ends, explored }',
    ),
  ),
  off(
    'A flood of starts pushes out conversations that have begun',
    'to deeply equal { messages: [] }',
    edit(
      'src/stores/in-process/tiered-cache.ts',
      'this.#once.peek(key) !== undefined) {',
      'key.length < 0) {',
    ),
  ),
  off(
    'A pattern takes for ever',
    'no end',
    edit(
      'src/engine/regex/regex.ts',
      'return engine.test(searched)',
      "return new RegExp('^(a+)+$').test(searched)",
    ),
  ),
  off(
    'Code takes for ever to parse',
    "to deeply equal [ 'parsed' ]",
    edit('src/engine/javascript/script-parser.ts', 'readRegexp(this:', 'readPattern(this:'),
  ),
  off(
    'Marks piled on a letter take for ever',
    "expected undefined to match object { id: 'i1' }",
    edit('src/engine/values/compose-text.ts', '{31,}', '{1000000,}'),
  ),
  off(
    'What a visitor says is run as a template or as code',
    'not to match /hush|42/',
    edit(
      'src/blocks/bubbles/rich-text/rich-values.ts',
      'return valueToText(scope.variables.read(placeholder.ref))',
      'return renderText(parseTemplate(valueToText(scope.variables.read(placeholder.ref)), scope.variables.table), scope)',
    ),
    edit(
      'src/blocks/bubbles/rich-text/rich-values.ts',
      '  inlineCodeText,\n',
      '  renderText,\n  inlineCodeText,\n',
    ),
    edit(
      'src/blocks/bubbles/rich-text/rich-values.ts',
      'import { readMarkdown',
      "import { parseTemplate } from '../../../engine/templates/parse-template.ts'\nimport { readMarkdown",
    ),
  ),
  off(
    'What a visitor says is run as a template or as code',
    'not to match /hush|42/',
    edit(
      'src/engine/templates/text-template.ts',
      '? valueToText(scope.variables.read(placeholder.ref))',
      '? renderText(parseTemplate(valueToText(scope.variables.read(placeholder.ref)), scope.variables.table), scope)',
    ),
    edit(
      'src/engine/templates/text-template.ts',
      "import type { Scope } from '../model/scope.ts'",
      "import { parseTemplate } from './parse-template.ts'\nimport type { Scope } from '../model/scope.ts'",
    ),
  ),
  off(
    'What a visitor says is run as a template or as code',
    "[ 'You said {{Secret}}'",
    edit(
      'src/engine/javascript/bind-variables.ts',
      'return resultWord(index)',
      'return String(results[index])',
    ),
  ),
  off(
    'A key reaches a prototype',
    '{ __proto__: {',
    edit(
      'src/http/request/body/json-body-parser.ts',
      "app.getDefaultJsonParser('remove', 'remove')",
      "app.getDefaultJsonParser('ignore', 'ignore')",
    ),
  ),
  off(
    'An address runs when it is opened',
    "'javascript:alert(1)'",
    edit(
      'src/engine/templates/url-policy.ts',
      'if (isSafeAddress(address, use)) return address',
      'if (use) return address',
    ),
  ),
  off(
    'An address runs when it is opened',
    "'javascript:alert(1'",
    edit(
      'src/blocks/bubbles/rich-text/from-markdown.ts',
      "return isSafeAddress(node.url, 'link')",
      'return node.url',
    ),
    edit('src/blocks/bubbles/rich-text/to-markdown.ts', 'return removeScriptDestinations(', 'return String('),
  ),
  off(
    'An address runs when it is opened',
    "'javascript:alert(1)'",
    edit(
      'src/blocks/logic/client-steps.ts',
      'return knownStart.test(address) ? address : `https://${address}`',
      'return address',
    ),
  ),
  off(
    'A value breaks out of the address that it stands in',
    'Invalid URL',
    edit(
      'src/blocks/bubbles/rich-text/inline-markdown.ts',
      'const destination = encodeDestination(url)',
      'const destination = url',
    ),
  ),
  off(
    'A value breaks out of the style rule that it stands in',
    'to match /^\\{',
    edit('src/engine/templates/json-template.ts', ': escapeStyleValue(value)', ': value'),
  ),
  off(
    'A value breaks out of the style rule that it stands in',
    'to match /^\\{',
    edit(
      'src/engine/templates/style-values.ts',
      "places.push(at.state === 'plain' && !at.isEscaped)",
      'places.push(true)',
    ),
  ),
  off(
    'A redirect leads inside',
    "[ '200' ] to deeply equal [ '500' ]",
    connectAnywhere,
    edit(journey, 'await check(next.url).catch(', 'await Promise.resolve().catch('),
  ),
  off(
    'A redirect takes secrets to another origin',
    "[ 'Bearer hush', 'Bearer hush' ]",
    edit(
      'src/adapters/http-client/request-chain.ts',
      'url.origin === hop.url.origin ? next',
      'url.origin ? next',
    ),
  ),
  off('A name leads inside once it was checked', "[ '200' ] to deeply equal [ '500' ]", connectAnywhere),
  off(
    'An address in IPv6, or in disguise, leads inside',
    "[ '[::1]', '200' ]",
    edit(addresses, 'return ipaddr.process(text)', 'return ipaddr.parse(text)'),
    edit(
      addresses,
      'const inner = embedded(address)\n',
      "if (address.kind() === 'ipv6') return undefined\n  const inner = embedded(address)\n",
    ),
  ),
  off(
    'An address in IPv6, or in disguise, leads inside',
    "[ '[::1]', '200' ]",
    edit(
      addresses,
      "if (range === 'private')",
      "if (range === 'loopback') return undefined\n  if (range === 'private')",
    ),
  ),
  off(
    "A stranger's draft reaches out",
    "[ [ '200' ], 1 ]",
    edit(
      'src/conversations/effects/turn-owner.ts',
      "(previewHttp === 'auto' && isTrusted === true)",
      "(previewHttp === 'auto' || isTrusted === true)",
    ),
  ),
  off(
    'A check of a draft tells strangers which flows are published',
    `to be '{"valid":false`,
    edit('src/tooling/validate/validate-flow.ts', 'if (!isTrusted) return unknownSurroundings\n', ''),
  ),
  off(
    'The tests of a draft reach out',
    'to deeply equal [ StringContaining "saw',
    edit(
      'src/tooling/flow-tests/test-draft.ts',
      "const isTrusted = caller.kind === 'preview'",
      'const isTrusted = caller !== null',
    ),
  ),
  off(
    'A recording that somebody sends reaches out',
    'to match object { tests: {',
    edit(
      'src/tooling/replay/replay-request.ts',
      "const isTrusted = caller.kind === 'preview'",
      'const isTrusted = caller !== null',
    ),
  ),
  off(
    'A dry run sends something',
    "[ [ '200' ], 1 ]",
    edit('src/conversations/effects/create-turn-executor.ts', 'if (!mocks)', 'if (!mocks || startedAt >= 0)'),
  ),
  off(
    'The mocks of a preview take up the store',
    "[ 200, undefined ] to deeply equal [ 400, '/mocks' ]",
    edit('src/conversations/effects/mocks/read-mocks.ts', 'if (length > longest)', 'if (length > 1e9)'),
  ),
  off(
    'A draft borrows an account',
    "[ [ 'hush' ], 1 ]",
    edit('src/config/credentials/credentials.ts', "scope.kind === 'preview' ||", ''),
  ),
  off(
    'A mail gets recipients, or a header gets lines, added',
    "[ 'desk@shop.example', …(2) ]",
    edit(
      'src/blocks/integrations/email/mail-people.ts',
      'if (!lone) return [context.text(template)]',
      "if (!lone) return context.text(template).split(',')",
    ),
  ),
  off(
    'A visitor reads what the server sent and was answered',
    "not to contain 'hush'",
    edit(
      'src/conversations/response/chat-response.ts',
      'conversation.isLive ? logForVisitors : logForAuthors',
      'conversation.isLive ? logForAuthors : logForVisitors',
    ),
  ),
  off(
    'A preview takes the place of a live session',
    "[ 'smuggled' ]",
    edit(
      'src/stores/memory/memory-table.ts',
      "const live = this.#sessions.find('live', id)",
      "const live = this.#sessions.find('preview', id) ?? this.#sessions.find('live', id)",
    ),
  ),
  off(
    'An id is guessed',
    'expected 1 to be 100',
    edit('src/adapters/system/system-ports.ts', ': drawId()),', ': `${Math.random()}`.padEnd(22, "0")),'),
  ),
  off(
    'Somebody without a token does what needs one',
    "[ '', 200, 200",
    edit(
      'src/http/protection/auth.ts',
      'return given !== undefined && isSame(given, token)',
      'return token !== given',
    ),
  ),
  off(
    'A token is found out by the time that its check takes',
    'expected [] to deeply equal [ [ 32, 32 ]',
    edit(
      'src/http/protection/auth.ts',
      'return timingSafeEqual(digest(given), digest(right))',
      'return given === right',
    ),
  ),
  off(
    'A token is found by trying many',
    'expected 401 to be 429',
    edit(
      'src/http/protection/token-guesses.ts',
      'if (state.isAllowed || state.remaining > 0) return',
      'if (state.isAllowed || max) return',
    ),
  ),
  off(
    'A body is read and parsed before a wrong token is refused',
    'The operation was aborted',
    edit(
      'src/http/protection/auth.ts',
      "scope.addHook('onRequest', (request, _reply, done) => done(refusalOf(request)))",
      "scope.addHook('preValidation', (request, _reply, done) => done(refusalOf(request)))",
    ),
  ),
  off(
    'A preview is taken over by a caller who guesses the id that its author chose',
    'expected 200 to be 401',
    edit(
      'src/conversations/session/open-session.ts',
      'if (stored.session.needsToken &&',
      'if (stored === undefined &&',
    ),
  ),
  off(
    'An answer is given again to somebody else',
    'expected 200 to be 403',
    edit('src/http/request/request-conditions.ts', 'params, authorization, origin, given]', 'params, given]'),
  ),
  off(
    'A page of another site uses a flow',
    'expected 200 to be 403',
    edit(
      'src/conversations/session/open-session.ts',
      'if (allowedOrigins.length === 0 ||',
      'if (allowedOrigins.length >= 0 ||',
    ),
  ),
  off(
    'A cell of a table is a formula',
    `to contain ',"\\'=HYPERLINK('`,
    edit('src/exports/csv.ts', "runs.test(text) && !plainNumber.test(text) ? `'${text}` : text", 'text'),
  ),
  off(
    'A cell of a table is a formula',
    'not to match',
    edit('src/exports/csv.ts', '[;"\\s\\p{C}]*)([', '[;\\s\\p{C}]*)(['),
  ),
  off(
    'An upload leaves its folder',
    'expected 204 to be 403',
    edit(
      'src/uploads/upload-token.ts',
      'if (given.length !== right.length || !timingSafeEqual(given, right))',
      'if (!given)',
    ),
    edit(
      'src/uploads/upload-path.ts',
      '? typeFor(extension) : undefined',
      '|| true ? typeFor(extension) : undefined',
    ),
  ),
  off(
    'An uploaded file runs as a page',
    'to match object { …(4) }',
    edit('src/http/response/send-file.ts', "'content-security-policy': \"sandbox; default-src 'none'\",", ''),
  ),
  off(
    'An uploaded file runs as a page',
    'to match object { …(4) }',
    edit('src/uploads/uploads-service.ts', " && type !== 'image/svg+xml'", ''),
  ),
  off(
    'A client sends the bucket another file than it was offered an address for',
    "to be 'content-length;content-type;host'",
    edit('src/adapters/file-storage/s3/bucket.ts', 'allHeaders: true', 'allHeaders: false'),
  ),
  off(
    'A client sends the bucket another file than it was offered an address for',
    'to have a length of 19',
    edit(
      'src/adapters/file-storage/s3/s3-file-storage.ts',
      'counts.claim(countedAs(key, file.bytes), limits)',
      'counts.roomFor(place.owner, file.bytes, limits)',
    ),
  ),
  off(
    'A body is too large or too deep',
    'to match object { status: 413',
    edit('src/compose/app.ts', 'bodyLimit: config.bodyLimit, bounds', 'bodyLimit: 2 ** 30, bounds'),
  ),
  off(
    'A body is too large or too deep',
    'expected 200 to be 400',
    edit('src/definition/structural-limits.ts', 'let left = values', 'let left = values * 1000'),
  ),
  off(
    'The log shows what was said, who said it and what is kept',
    "not to contain 'hush'",
    edit('src/lib/logger.ts', 'serializers: { err: (error: unknown) => describe(error) },', ''),
  ),
  off(
    'The log shows what was said, who said it and what is kept',
    "not to contain 'hush'",
    edit(
      'src/http/request-log.ts',
      'method, route, status: reply',
      'method, route: request.url, status: reply',
    ),
  ),
  off(
    'An error shows what is inside',
    "to deeply equal [ 500, 'Internal server error' ]",
    edit(
      'src/http/response/problem-details.ts',
      "'INTERNAL_SERVER_ERROR', 'Internal server error', {",
      "'INTERNAL_SERVER_ERROR', String(error), {",
    ),
  ),
  off(
    'An unhandled rejection ends the service',
    'expected 2 to be 1',
    edit('src/cli/serve.ts', "['unhandledRejection', ", '['),
  ),
  off(
    'Code makes the sandbox reach beyond its memory',
    "expected 'no answer: ",
    edit('src/cli/serve.ts', "['SIGSEGV', 'SIGBUS'", "['SIGBUS'"),
  ),
  off(
    'An address asks without end',
    '[ 200, 200, 200, 200 ]',
    edit('src/http/protection/rate-limit.ts', 'max: max ?? Number.MAX_SAFE_INTEGER', 'max: 1_000_000'),
  ),
  off(
    'An address asks without end',
    '[ 200, 200, 200, 200 ]',
    edit('src/compose/app.ts', '...(config.trustedProxies > 0 && {', '...(config.trustedProxies >= 0 && {'),
    edit('src/compose/app.ts', 'hop < config.trustedProxies', 'hop >= config.trustedProxies'),
  ),
  off(
    'More comes than the process can carry',
    "[ 200, undefined ] to deeply equal [ 503, '1' ]",
    edit('src/http/protection/load-shedding.ts', 'load.delayMs <= limits.delayMs && load', 'load'),
  ),
  off(
    'Requests that take long keep other callers waiting',
    "[ true, Set{ '200' } ]",
    edit(
      'src/adapters/system/turn-queue.ts',
      "if (queue.waiting < (entry === 'start' ? max : max * 2)) return",
      'return',
    ),
  ),
  off(
    'Requests that take long keep other callers waiting',
    "[ false, Set{ '200' } ]",
    edit(
      'src/engine/turn/turn-budget.ts',
      'this.trail.length % blocksPerYield === 0 || this.cost > this.#nextYield',
      'false',
    ),
  ),
  off(
    'Readers of results keep visitors waiting',
    'expected Set{ 200, 503 } to deeply equal',
    edit('src/results/results-service.ts', 'createSemaphore(2)', 'createSemaphore(1_000)'),
    edit('src/results/results-service.ts', 'createSemaphore(1)', 'createSemaphore(1_000)'),
  ),
  off(
    'Those who erase results keep visitors waiting',
    'expected Set{ 200, 429',
    edit('src/compose/open-operations.ts', 'createStepLine(2)', 'createStepLine(1_000)'),
  ),
  off(
    'A proxy in front reads a request otherwise than the service',
    "expected 'HTTP/1.1 200 OK",
    edit('src/compose/app.ts', 'return hosts > 1', 'return hosts > 1e9'),
  ),
  off(
    'Connections are held by requests that never end',
    'no end',
    edit('src/compose/app.ts', 'headersTimeout: 10_000', 'headersTimeout: 0'),
  ),
  off(
    'Bodies that are never sent to their end fill the memory',
    'nobody was refused',
    edit('src/http/request/body/body-budget.ts', 'while (taken > body.bytes &&', 'while (false &&'),
  ),
  off(
    'Answers that are never read fill the memory',
    'to match object { entries: 2, evicted: 6 }',
    edit('src/http/response/unread-answers.ts', 'if (total <= maxBytes || held', 'if (maxBytes || held'),
  ),
  off(
    'Answers that are never read fill the memory',
    'expected 2 to be +0',
    edit('src/http/protection/slow-clients.ts', 'if (progress.looks > looks) socket.destroy()', ''),
  ),
  off(
    'Streams of events are opened and never closed',
    '[ 200, 200, 200, 200, 200, 200 ]',
    edit(
      'src/conversations/events/event-streams.ts',
      'counts.of(sessionId) < mostOfSession ?',
      'mostOfSession > 0 ?',
    ),
  ),
  off(
    'Streams of events are opened and never closed',
    'to deeply equal [ 200, 200, 200, 429 ]',
    edit(
      'src/conversations/events/places.ts',
      'if (taken >= max || counts.of(address) >= mostOfAddress)',
      'if (max < 0 && mostOfAddress < 0)',
    ),
  ),
  off(
    'A body holds more than can be parsed while others wait',
    "[ '/v1/flows/welcome/startChat'",
    edit('src/http/request/body/json-body-parser.ts', 'if (excess) return', 'if (excess && !bytes) return'),
  ),
  off(
    'A stranger tells that a payment was made',
    "to deeply equal [ [ 400, 'BAD_REQUEST' ]",
    edit(
      'src/conversations/continue/confirm-payment.ts',
      'if (signature === undefined || !webhook?.isSigned({ signature, text }, deps.ports.now()))',
      'if (!webhook || text === signature)',
    ),
  ),
  off(
    'A stranger writes in the name of a messenger, or learns which channels there are',
    'to deeply equal [ 401, 401',
    edit('src/channels/receive.ts', '      if (!messenger.isGenuine(request)) throw unknown()\n', ''),
  ),
  off(
    'A stranger writes in the name of a messenger, or learns which channels there are',
    'to deeply equal [ 401, 401',
    edit(
      'src/channels/whatsapp/whatsapp-webhook.ts',
      "  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', appSecret).update(body).digest())",
      "  return !timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', appSecret).update(body).digest()) || true",
    ),
  ),
  off(
    'A stranger writes in the name of a messenger, or learns which channels there are',
    'to deeply equal [ 401, 401',
    edit(
      'src/channels/receive.ts',
      'if (!channel?.account) throw unknown()',
      "if (!channel?.account) throw new ServiceError('NOT_FOUND', 'There is no such channel')",
    ),
  ),
  off(
    'A request of a messenger is brought again by somebody who has seen it',
    'to deeply equal [ 1, 1 ]',
    edit('src/stores/memory/memory-inbox.ts', 'if (this.find(name)) continue\n', ''),
  ),
  off(
    'A request of a messenger holds more than can be read while others wait',
    'to deeply equal [ 400, 400, 413 ]',
    edit(
      'src/channels/wire/read-wire.ts',
      'if (excessOfJson(bytes, bounds)) return undefined',
      'if (excessOfJson(bytes, bounds) && bytes.length === 0) return undefined',
    ),
  ),
  off(
    'A request of a messenger holds more than can be read while others wait',
    'to deeply equal [ 400, 400, 413 ]',
    edit(
      'src/routes/channels/channel-webhook-route.ts',
      'const bodyLimit = 3 * 1024 * 1024',
      'const bodyLimit = 30 * 1024 * 1024',
    ),
  ),
  off(
    'A file of a messenger, or one that a flow sends, lies inside',
    'instead of rejecting',
    edit(
      'src/channels/wire/download.ts',
      'const isTrusted = URL.canParse(url) && new URL(url).origin === new URL(baseUrl).origin',
      'const isTrusted = URL.canParse(url) && URL.canParse(baseUrl)',
    ),
  ),
  off(
    'A file of a messenger, or one that a flow sends, lies inside',
    'to deeply equal [ +0, 2 ]',
    edit(
      'src/channels/wire/usable-media.ts',
      '{ signal: closing, maxBytes: bytes }',
      '{ signal: closing, maxBytes: bytes, isTrusted: true }',
    ),
  ),
  off(
    'A token of a messenger is read in what becomes of messages',
    'not to contain',
    edit(
      'src/channels/wire/call-api.ts',
      "return { state: 'failed', problem: passing(error as Error & { readonly code?: string }) }",
      "return { state: 'failed', problem: passing(new Error(`${url}: ${(error as Error).message}`)) }",
    ),
  ),
  off(
    'A link from a messenger to the page tells servers on the way whose conversation it is',
    "to be '/f/flow-1'",
    edit('src/channels/outbox/write-turn.ts', '#session=${', '?session=${'),
  ),
  off(
    'A token of assistants does what operators do, or a token of operators what assistants do',
    'to deeply equal [ 401, 401, 401 ]',
    edit(
      'src/http/protection/auth.ts',
      "done(tokens.length === 0 ? turnedOff('an assistant', 'ADMIN_TOKENS') : refusalOf(request, assistantToken))",
      "done(tokens.length === 0 ? turnedOff('an assistant', 'ADMIN_TOKENS') : undefined)",
    ),
  ),
  off(
    'A token of assistants does what operators do, or a token of operators what assistants do',
    'to deeply equal [ 401, 401, 401 ]',
    edit(
      'src/config/admin-tokens.ts',
      "else if (scope === 'mcp') mcp.push({ name, token })",
      "else if (scope === 'mcp' && mcp.push({ name, token })) admin.push({ name, token })",
    ),
  ),
  off(
    'An assistant goes on with a conversation that another has begun',
    'to deeply equal [ -32602, -32602',
    edit(
      'src/mcp/call-tool.ts',
      'const bound = [call.principal, name, argumentsText(given)]',
      'const bound = [name, argumentsText(given)]',
    ),
  ),
  off(
    'An assistant goes on with a conversation that another has begun',
    'to deeply equal [ -32602, -32602',
    edit(
      'src/mcp/call-tool.ts',
      'const bound = [call.principal, name, argumentsText(given)]',
      'const bound = [call.principal, name]',
    ),
  ),
  off(
    'A question that was answered is answered again by who has kept its state',
    'to match object',
    edit(
      'src/mcp/call-tool.ts',
      '  if (standing.version !== open.version) throw stale()\n',
      '  if (standing.version !== open.version) Object.assign(open, standing)\n',
    ),
  ),
  off(
    'A page of another site calls tools by the browser of somebody inside',
    'expected 200 to be 403',
    edit(
      'src/routes/mcp/mcp-route.ts',
      'if (foreignOriginOf(request) !== undefined)',
      "if (foreignOriginOf(request) === '')",
    ),
  ),
  off(
    'Previews push out live sessions',
    "to match object [ { id: 'b1' } ]",
    edit(
      'src/stores/in-process/kept-sessions.ts',
      "kind === 'live' ? this.#live : this.#previews",
      "kind === 'live' || this.#previews ? this.#live : this.#previews",
    ),
  ),
  off(
    'A flood of starts, answers and logs pushes out what others have answered',
    'to deeply equal [ 200, 200',
    edit(
      'src/stores/memory/results/result-order.ts',
      'of [this.#unanswered, this.#addresses.get(written.address)])',
      'of [this.#unanswered].slice(1))',
    ),
  ),
  off(
    'Sockets that wait for webhooks are opened and never closed',
    'expected 5 to be 4',
    edit('src/compat/webhook-rooms.ts', 'rooms.socketsOf(id).length < mostOfRoom ?', 'mostOfRoom > 0 ?'),
  ),
  off(
    'Sockets that wait for webhooks are opened and never closed',
    'expected 2 to be +0',
    edit('src/compat/webhook-rooms.ts', ': chat.results.exists(room.id)', ': true'),
  ),
  off(
    'Somebody who guesses the id of a preview, or starts one alike, hears what its webhook is tried with',
    'secret',
    edit(
      'src/conversations/continue/execute-webhook.ts',
      '  if (!stored.session.isTrusted || stored.session.needsToken) return false\n',
      '',
    ),
  ),
  off(
    'A page says that another site embeds it',
    'expected 200 to be 403',
    edit('src/compat/compat-api.ts', " && viewers.has(headers.origin ?? '')", ''),
  ),
  off(
    'A form that breaks off passes for a whole file',
    'expected 204 to be 400',
    edit('src/compat/form-upload-route.ts', '(cause) => stream.destroy(cause)', '() => undefined'),
  ),
]
