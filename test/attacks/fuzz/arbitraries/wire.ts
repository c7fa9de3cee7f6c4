import fc from 'fast-check'
import { type ByteEdit, byteEdits, editBytes } from './json-text.ts'

/** Bytes for a connection, in the pieces that they are sent in. */
export interface Bytes {
  /** Latin-1, so that a failure can be read. */
  readonly pieces: readonly string[]
}

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('GET', 'POST', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'get',
      'CONNECT',
      'PRI',
      'QUERY',
      'BREW',
      'G ET',
      'POST\t',
      'TRACE',
      'M-SEARCH',
      '\u0000',
      'X'.repeat(200),
    ),
  },
)

const target = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '/health',
      '/openapi.json',
      '/v1/flows/lead-form/startChat',
      '/v1/flows/x/preview/startChat',
      '/v1/sessions/x/continueChat',
      '/v2/sessions/x/clientLogs',
      '/v3/generate-upload-url',
      '/uploads/a.b',
      '/uploads/a/b.png',
      '/v1/flows/lead-form/results?limit=1',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      '*',
      '//',
      'health',
      'a.example:443',
      'http://a.example/health',
      'http://a.example:99999/health',
      'http://[::1/health',
      '//a.example/health',
      '/health#x',
      '/health?%',
      '/health?a=%ff&a[]=1&__proto__[x]=1',
      '/%00',
      '/%',
      '/v1/flows/%E0%A4%A/startChat',
      '/v1/flows/%2e%2e%2fhealth/startChat',
      '/../../etc/passwd',
      '/docs/static/%2e%2e/%2e%2e/package.json',
      '/docs/static/..\\..\\package.json',
      '/\u0000',
      '/ÿ',
      '/a b',
      `/${'a/'.repeat(3000)}`,
      `/${'x'.repeat(20_000)}`,
      `/health?${'a=1&'.repeat(3000)}`,
      `/v1/flows/${'x'.repeat(1025)}/startChat`,
    ),
  },
)

const version = fc.oneof(
  { weight: 8, arbitrary: fc.constant('HTTP/1.1') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/2.0',
      'HTTP/9.9',
      'http/1.1',
      'HTTP/1.1 x',
      '',
      'ICY',
    ),
  },
)

const headerLine = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'content-type: application/json',
      'content-type: application/json',
      'connection: close',
      'connection: keep-alive',
      'expect: 100-continue',
      'accept: */*',
      'origin: https://a.example',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'expect: 200-ok',
      'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-key: x',
      'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__',
      'connection: content-length',
      'host: b\r\nhost: c',
      'content-type: ',
      'content-type: a',
      'content-type: application/json\u0000',
      'content-type: multipart/form-data; boundary=',
      'content-type: application/json\r\ncontent-type: text/plain',
      'content-encoding: gzip',
      'te: trailers',
      'trailer: x',
      'cookie: __proto__=1',
      '__proto__: 1',
      'constructor: x',
      ': empty',
      'no colon',
      'a b: c',
      ' folded: x',
      'x: y\r\n\tfolded',
      'x: \u0001',
      'x: ÿ',
      'x:y\rz: 1',
      'x:y\nz: 1',
      'x-request-id: \u0007\u0007',
      'idempotency-key: short',
      'range: bytes=0-,1-,2-',
      'authorization: Bearer ',
      'access-control-request-method: POST',
      'access-control-request-headers: x, y',
      `x: ${'y'.repeat(20_000)}`,
      Array.from({ length: 300 }, (_, index) => `x${index}: y`).join('\r\n'),
      Array.from({ length: 2500 }, (_, index) => `${index}:`).join('\r\n'),
    ),
  },
)

const content = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', '{}', '{"message":"Hi"}', '{"flow":{"id":"x","groups":[]}}') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{',
      '\u0000',
      '[]',
      'null',
      '"',
      'ï»¿{}',
      '{"a":"\\ud8',
      'ÿÿÿÿ',
      '\u001f\u008b\u0008',
    ),
  },
)

/** How a body and what the head says of it go together, or don't. */
const framings: readonly ((body: string) => { readonly lines: readonly string[]; readonly body: string })[] =
  [
    (body) => ({ lines: [`content-length: ${body.length}`], body }),
    (body) => ({ lines: [`content-length: ${body.length}`], body }),
    (body) => ({ lines: ['transfer-encoding: chunked'], body: chunked(body) }),
    (body) => ({
      lines: ['transfer-encoding: chunked'],
      body: `${body.length.toString(16)};x="y"\r\n${body}\r\n0\r\nx: y\r\n\r\n`,
    }),
    (body) => ({ lines: [], body }),
    (body) => ({ lines: [`content-length: ${body.length + 1}`], body }),
    (body) => ({ lines: [`content-length: ${Math.max(body.length - 1, 0)}`], body }),
    (body) => ({ lines: ['content-length: -1'], body }),
    (body) => ({ lines: ['content-length: 0x2'], body }),
    (body) => ({ lines: ['content-length: 2, 2'], body }),
    (body) => ({ lines: ['content-length: 99999999999999999999'], body }),
    (body) => ({ lines: ['content-length: 5000000'], body }),
    (body) => ({ lines: [`content-length: ${body.length}`, 'content-length: 7'], body }),
    (body) => ({
      lines: [`content-length: ${body.length}`, 'transfer-encoding: chunked'],
      body: chunked(body),
    }),
    (body) => ({ lines: ['transfer-encoding: chunked, identity'], body: chunked(body) }),
    (body) => ({ lines: ['transfer-encoding: xchunked'], body: chunked(body) }),
    (body) => ({ lines: ['transfer-encoding: gzip, chunked'], body: chunked(body) }),
    (body) => ({ lines: ['transfer-encoding: chunked'], body }),
    (body) => ({ lines: ['transfer-encoding: chunked'], body: `-1\r\n${body}\r\n0\r\n\r\n` }),
    (body) => ({ lines: ['transfer-encoding: chunked'], body: `ffffffffffffffff\r\n${body}` }),
    (body) => ({ lines: ['transfer-encoding: chunked'], body: `${'0'.repeat(5000)}\r\n\r\n${body}` }),
    (body) => ({ lines: ['transfer-encoding: chunked'], body: `1;${'x'.repeat(20_000)}\r\n${body}` }),
    (body) => ({
      lines: ['transfer-encoding: chunked'],
      body: `${body.length.toString(16)}\n${body}\n0\n\n`,
    }),
    () => ({ lines: ['transfer-encoding: chunked'], body: `0\r\n${'x: y\r\n'.repeat(3000)}\r\n` }),
  ]

function chunked(body: string): string {
  return body === '' ? '0\r\n\r\n' : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
}

const lineEnd = fc.oneof(
  { weight: 9, arbitrary: fc.constant('\r\n') },
  { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '\r\r\n', '') },
)

/** A request, in most of its parts right. */
const request = fc
  .record({
    method,
    target,
    version,
    host: fc.oneof(
      { weight: 9, arbitrary: fc.constant(['host: a']) },
      { weight: 1, arbitrary: fc.constantFrom([], ['host: '], ['host: a/b?c'], ['host: é@:x']) },
    ),
    lines: fc.array(headerLine, { maxLength: 4 }),
    content,
    framing: fc.constantFrom(...framings),
    lineEnd,
  })
  .map(({ method, target, version, host, lines, content, framing, lineEnd }) => {
    const framed = framing(content)
    return [`${method} ${target} ${version}`, ...host, ...lines, ...framed.lines, '', framed.body].join(
      lineEnd,
    )
  })

const otherProtocols = fc.constantFrom(
  '',
  '\r\n\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000',
  'SSH-2.0-x\r\n',
  'EHLO a\r\nMAIL FROM:<a>\r\n',
  '*1\r\n$4\r\nPING\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
  '\u0000'.repeat(100),
  'A'.repeat(100_000),
)

const garbled = fc
  .tuple(request, byteEdits as fc.Arbitrary<readonly ByteEdit[]>)
  .map(([text, edits]) => editLatin1(text, edits))

function editLatin1(text: string, edits: readonly ByteEdit[]): string {
  return edits.length === 0 ? text : editBytes(text, edits).toString('latin1')
}

/** Requests one behind the other, or what is none at all, cut into pieces where nobody would. */
export const bytes: fc.Arbitrary<Bytes> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 12, arbitrary: garbled }, { weight: 1, arbitrary: otherProtocols }), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.array(fc.nat(400), { maxLength: 3 }),
    fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(400) }),
  )
  .map(([texts, cuts, end]) => ({ pieces: cut(texts.join('').slice(0, end), cuts) }))

function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = []
  let rest = text
  for (const length of lengths) {
    pieces.push(rest.slice(0, length))
    rest = rest.slice(length)
  }
  return [...pieces, rest].filter((piece) => piece !== '')
}
