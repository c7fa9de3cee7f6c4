import { createHash, createHmac } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changeSession } from '../../src/conversations/take-over/act-on-session.ts'
import { anonymous } from '../../src/ports/caller.ts'
import type { SaveOutcome } from '../../src/ports/uploaded-files-port.ts'
import { signGrant } from '../../src/uploads/upload-token.ts'
import { createUploads, noUploads } from '../../src/uploads/uploads-service.ts'
import { bytes, openUploadWorld, resultId, tokenIn, type UploadWorld } from '../fixtures/uploading.ts'
import { trusted } from '../support/preview-request.ts'

const fileInput = (options?: object) => ({ type: 'file input', ...(options && { options }) })
const textInput = (options?: object) => ({ type: 'text input', ...(options && { options }) })
const only = (...types: string[]) => ({ allowedFileTypes: { isEnabled: true, types } })
const owner = createHash('sha256').update(resultId).digest('hex').slice(0, 32)
const ownUrl = 'http://127.0.0.1:3000'
const png = { fileType: 'image/png' }

/** Starts a conversation and asks for an address. */
async function offer(given: UploadWorld, body: object = png, origin?: string) {
  const world = await openUploadWorld(given)
  const sessionId = await world.startLive()
  return {
    ...world,
    sessionId,
    answer: world.uploads.offer({ caller: anonymous, origin, ownUrl, body: { sessionId, ...body } }),
  }
}

async function refusalOf(promise: Promise<unknown>) {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const { code, message } = error as { code?: string; message?: string }
  return `${code}: ${message}`
}

describe('an upload address', () => {
  it('comes with the address of the file and its limits', async () => {
    const { answer } = await offer({ block: fileInput() })
    expect(await answer).toEqual({
      presignedUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/uploads\/[\w-]+\.[\w-]{43}$/),
      formData: {},
      fileType: 'image/png',
      maxFileSize: 1,
      fileUrl: `${ownUrl}/uploads/${owner}/upload-1.png`,
    })
  })

  it('lies where the service is reached from outside, when that is known', async () => {
    const publicUrl = 'https://flows.example/api'
    const { answer } = await offer({ block: fileInput(), chat: { publicUrl } })
    const { presignedUrl, fileUrl } = await answer
    expect(presignedUrl).toMatch(/^https:\/\/flows\.example\/api\/uploads\/[^/]+$/)
    expect(fileUrl).toBe(`https://flows.example/api/uploads/${owner}/upload-1.png`)
  })

  it('takes nothing of the name and the block that the caller sends', async () => {
    const told = { fileName: '../../etc/passwd', blockId: 'other' }
    const { answer } = await offer({ block: fileInput() }, { ...png, ...told })
    expect((await answer).fileUrl).toBe(`${ownUrl}/uploads/${owner}/upload-1.png`)
  })

  it.each([
    ['a file input', fileInput()],
    ['a file input with types', fileInput(only('image/*'))],
    ['attachments', textInput({ attachments: { isEnabled: true } })],
    ['recordings', textInput({ audioClip: { isEnabled: true } })],
  ])('is given out for %s', async (_, block) => {
    await expect((await offer({ block })).answer).resolves.toMatchObject({ fileType: 'image/png' })
  })

  it.each([
    ['a text input', textInput()],
    ['a text input whose files are off', textInput({ attachments: { isEnabled: false }, audioClip: {} })],
    ['another input', { type: 'email input' }],
    [
      'a block that is no input',
      {
        type: 'Set variable',
        options: { variableId: 'v1', isExecutedOnClient: true, expressionToEvaluate: '1' },
      },
    ],
  ])('is not given out for %s', async (_, block) => {
    const definition = { variables: [{ id: 'v1', name: 'V' }] }
    const { answer } = await offer({ block, definition })
    expect(await refusalOf(answer)).toBe('BAD_REQUEST: Current block does not expect file upload')
  })

  it('is given out for whatever a messenger brings to the person who leads the conversation', async () => {
    const { world, uploads, startLive } = await openUploadWorld({ block: textInput() })
    const sessionId = await startLive()
    const take = { sessionId, caller: { kind: 'admin', name: 'desk' }, body: { status: 'paused' } } as const
    await changeSession(take, world)
    const request = { origin: undefined, ownUrl, body: { sessionId, ...png } }
    expect(await refusalOf(uploads.offer({ ...request, caller: anonymous }))).toMatch('BAD_REQUEST')
    expect(await uploads.offer({ ...request, caller: { kind: 'channel' } })).toMatchObject(png)
  })

  it.each([
    ['audio/webm;codecs=opus', 'audio/webm', 'webm'],
    [' Image/PNG ', 'image/png', 'png'],
    ['image/jpg', 'image/jpg', 'jpeg'],
    ['image/svg+xml', 'image/svg+xml', 'svg'],
  ])('names the file by the type %s', async (told, fileType, extension) => {
    const { answer } = await offer({ block: fileInput() }, { fileType: told })
    expect(await answer).toMatchObject({ fileType, fileUrl: expect.stringMatching(`\\.${extension}$`) })
  })

  it.each([
    [
      'one that the input does not take',
      fileInput(only('.pdf')),
      'image/png',
      'File type image/png not allowed',
    ],
    ['one that nobody knows', fileInput(), 'text/html', 'File type text/html not allowed'],
    ['one of the prototype', fileInput(), 'constructor', 'File type constructor not allowed'],
    ['one of a list that selects none', fileInput(only('*')), 'image/png', 'File type image/png not allowed'],
    ['none', fileInput(only('.pdf')), undefined, 'File type application/octet-stream not allowed'],
    ['an empty one', fileInput(only('.pdf')), '', 'File type application/octet-stream not allowed'],
  ])('is not given out for a type that is %s', async (_, block, fileType, sentence) => {
    const { answer } = await offer({ block }, fileType === undefined ? {} : { fileType })
    expect(await refusalOf(answer)).toBe(`BAD_REQUEST: ${sentence}`)
  })

  it.each<[string, object, object, string, string]>([
    ['no type', fileInput(), {}, 'application/octet-stream', 'bin'],
    ['an empty type', fileInput(), { fileName: 'a.dwg', fileType: '' }, 'application/octet-stream', 'bin'],
    [
      'the type of what is unknown',
      fileInput(),
      { fileType: 'application/octet-stream' },
      'application/octet-stream',
      'bin',
    ],
    ['a known name alone', fileInput(), { fileName: 'A photo.HEIC', fileType: '' }, 'image/heic', 'heic'],
    [
      'a name that is asked for',
      fileInput(only('.csv')),
      { fileName: 'a.csv', fileType: '' },
      'text/csv',
      'csv',
    ],
    [
      'a type of another program',
      fileInput(only('.csv')),
      { fileName: 'a.csv', fileType: 'application/vnd.ms-excel' },
      'text/csv',
      'csv',
    ],
    [
      'a type that nobody knows',
      fileInput(only('.zip')),
      { fileName: 'a.zip', fileType: 'application/x-zip-compressed' },
      'application/zip',
      'zip',
    ],
    ['text', fileInput(), { fileName: 'a.txt', fileType: 'text/plain' }, 'text/plain', 'txt'],
    ['a table', fileInput(), { fileType: 'text/csv;charset=utf-8' }, 'text/csv', 'csv'],
    ['Markdown', fileInput(only('text/*')), { fileType: 'text/markdown' }, 'text/markdown', 'md'],
    ['JSON', fileInput(), { fileType: 'application/json' }, 'application/json', 'json'],
  ])('is given out for a file that has %s', async (_name, block, file, fileType, extension) => {
    const { answer } = await offer({ block: block as UploadWorld['block'] }, file)
    expect(await answer).toMatchObject({ fileType, fileUrl: expect.stringMatching(`\\.${extension}$`) })
  })

  it.each([
    ['of a name that is not asked for', only('.csv'), { fileName: 'a.exe', fileType: '' }],
    ['of a page by any name', {}, { fileName: 'a.html', fileType: 'text/html' }],
    ['of a name without an extension', only('.csv'), { fileName: 'csv', fileType: 'text/html' }],
  ])('is not given out for a file %s', async (_name, options, file) => {
    const { answer } = await offer({ block: fileInput(options) }, file)
    expect(await refusalOf(answer)).toContain('BAD_REQUEST: File type')
  })

  it.each<[string, number, number]>([
    ['5', 0.5, 0.5],
    ['5', 4, 1],
    ['5', 0, 1],
    ['6.1', 0.5, 1],
  ])('has the lesser of both limits, of version %s with %d MB and 1 MB', async (version, sizeLimit, most) => {
    const block = fileInput({ sizeLimit })
    const old = {
      version,
      events: null,
      groups: [
        {
          id: 'g0',
          title: '',
          blocks: [{ id: 's', type: 'start', label: 'Start', outgoingEdgeId: 'e-start' }],
        },
        { id: 'g1', title: '', blocks: [{ id: 'i1', ...block }] },
      ],
    }
    const given = { block, definition: version === '5' ? old : { version } }
    const { answer, uploads } = await offer(given)
    const offered = await answer
    expect(offered.maxFileSize).toBe(most)
    const large = bytes('x'.repeat(most * 1024 * 1024 + 1))
    expect(await refusalOf(uploads.receive(tokenIn(offered), large))).toBe(
      `PAYLOAD_TOO_LARGE: File size exceeds the ${most}MB limit`,
    )
    const declared = await offer(given, { ...png, fileSize: most * 1024 * 1024 + 1 })
    expect(await refusalOf(declared.answer)).toBe(`BAD_REQUEST: File size exceeds the ${most}MB limit`)
  })

  it('follows the variables that the types of the input name', async () => {
    const definition = { variables: [{ id: 'v1', name: 'T', value: '.pdf' }] }
    const { answer, uploads, sessionId } = await offer({ block: fileInput(only('{{T}}')), definition })
    expect(await refusalOf(answer)).toContain('not allowed')
    const body = { sessionId, fileType: 'application/pdf' }
    await expect(uploads.offer({ caller: anonymous, origin: undefined, ownUrl, body })).resolves.toBeDefined()
  })

  it.each([
    [1024 * 1024, undefined],
    [1024 * 1024 + 1, 'BAD_REQUEST: File size exceeds the 1MB limit'],
  ])('is given out for %i bytes, unless they are too many', async (fileSize, refusal) => {
    const { answer } = await offer({ block: fileInput() }, { ...png, fileSize })
    if (refusal) expect(await refusalOf(answer)).toBe(refusal)
    else await expect(answer).resolves.toBeDefined()
  })

  it('is not given out when there is no room', async () => {
    const { answer } = await offer({ block: fileInput(), totalBytes: 4096 }, { ...png, fileSize: 1 })
    expect(await refusalOf(answer)).toBe('SERVICE_UNAVAILABLE: There is no room for more files at the moment')
  })

  it('is not given out to an unknown session', async () => {
    const { answer } = await offer({ block: fileInput() }, { ...png, sessionId: 'other' })
    expect(await refusalOf(answer)).toBe("BAD_REQUEST: Can't find session")
  })

  it('is not given out to a session that has not begun', async () => {
    const { uploads, startLive } = await openUploadWorld({ block: fileInput() })
    const sessionId = await startLive({ isOnlyRegistering: true })
    const answer = uploads.offer({
      caller: anonymous,
      origin: undefined,
      ownUrl,
      body: { sessionId, ...png },
    })
    expect(await refusalOf(answer)).toBe("BAD_REQUEST: Can't find currentBlockId in session state")
  })

  it('is given out to allowed origins only', async () => {
    const definition = { settings: { security: { allowedOrigins: ['https://good.example'] } } }
    const block = fileInput()
    const bad = await offer({ block, definition }, png, 'https://bad.example')
    expect(await refusalOf(bad.answer)).toBe('FORBIDDEN: Origin not allowed')
    const good = await offer({ block, definition }, png, 'https://good.example')
    await expect(good.answer).resolves.toBeDefined()
  })

  it('belongs to the preview that asked for it', async () => {
    const world = await openUploadWorld({ block: fileInput() })
    const sessionId = await world.startPreview(trusted)
    const body = { sessionId, ...png }
    const answer = await world.uploads.offer({
      caller: anonymous,
      origin: 'https://any.example',
      ownUrl,
      body,
    })
    const previewOwner = createHash('sha256').update(sessionId).digest('hex').slice(0, 32)
    expect(answer.fileUrl).toBe(`${ownUrl}/uploads/preview-${previewOwner}/upload-1.png`)
    await world.uploads.receive(tokenIn(answer), bytes('picture'))
    const place = { owner: `preview-${previewOwner}`, name: 'upload-1.png', isPrivate: false }
    const file = await world.uploads.open(place)
    await file.close()
    expect(file.size).toBe(7)
  })

  it('is not given out to a preview that anybody may start', async () => {
    const { uploads, startPreview, folder } = await openUploadWorld({ block: fileInput() })
    const body = { sessionId: await startPreview(), ...png }
    const answer = uploads.offer({ caller: anonymous, origin: undefined, ownUrl, body })
    expect(await refusalOf(answer)).toBe(
      'FORBIDDEN: Files are taken in previews that were started with the preview token',
    )
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    'http://',
    'http:///',
    'http://a b',
    'http://a/b',
    'http://a?b',
    'http://a:99999',
    'http://<a>',
    'http://user@a',
    'http://[::1',
    'ftp://a',
  ])('is not given out where nobody knows the address of the service: %s', async (found) => {
    const { uploads, sessionId } = await offer({ block: fileInput() })
    const answer = uploads.offer({
      caller: anonymous,
      origin: undefined,
      ownUrl: found,
      body: { sessionId, ...png },
    })
    expect(await refusalOf(answer)).toContain('BAD_REQUEST: The address of this service is not known')
  })

  it.each(['http://flows:3000', 'https://a_b.example', 'http://[::1]:3000', 'http://127.0.0.1'])(
    'begins with where the request came to: %s',
    async (found) => {
      const { uploads, sessionId } = await offer({ block: fileInput() })
      const answer = await uploads.offer({
        caller: anonymous,
        origin: undefined,
        ownUrl: found,
        body: { sessionId, ...png },
      })
      expect(answer.fileUrl.startsWith(`${found}/uploads/`)).toBe(true)
    },
  )

  it('needs no address of the request where the operator set one', async () => {
    const publicUrl = 'https://flows.example'
    const { uploads, sessionId } = await offer({ block: fileInput(), chat: { publicUrl } })
    const answer = await uploads.offer({
      caller: anonymous,
      origin: undefined,
      ownUrl: 'http://',
      body: { sessionId, ...png },
    })
    expect(answer.fileUrl.startsWith(`${publicUrl}/uploads/`)).toBe(true)
  })

  it('is given out for as many files as a conversation may upload', async () => {
    const { uploads, sessionId } = await offer({ block: fileInput(), fileBytes: 100 })
    const ask = (fileSize?: number) =>
      uploads.offer({
        caller: anonymous,
        origin: undefined,
        ownUrl,
        body: { sessionId, ...png, ...(fileSize && { fileSize }) },
      })
    for (let count = 0; count < 5; count++) {
      await uploads.receive(tokenIn(await ask(90)), bytes('x'.repeat(90)))
    }
    expect(await refusalOf(ask(51))).toBe('BAD_REQUEST: This conversation has uploaded as much as it may')
    const token = tokenIn(await ask(50))
    expect(await refusalOf(uploads.receive(token, bytes('x'.repeat(51))))).toBe(
      'PAYLOAD_TOO_LARGE: This conversation has uploaded as much as it may',
    )
    await uploads.receive(token, bytes('x'.repeat(50)))
  })

  it.each([
    ['the file input', fileInput({ visibility: 'Private' })],
    ['attachments', textInput({ attachments: { isEnabled: true, visibility: 'Private' } })],
    [
      'attachments, for recordings too',
      textInput({ audioClip: { isEnabled: true }, attachments: { visibility: 'Private' } }),
    ],
  ])('is private as %s say', async (_, block) => {
    const { answer } = await offer({ block })
    expect((await answer).fileUrl).toBe(`${ownUrl}/uploads/private/${owner}/upload-1.png`)
  })
})

describe('an upload', () => {
  it('can be read afterwards', async () => {
    const { answer, uploads } = await offer({ block: fileInput() })
    await uploads.receive(tokenIn(await answer), bytes('picture'))
    const place = { owner, name: 'upload-1.png', isPrivate: false }
    const file = await uploads.open(place)
    expect(file).toMatchObject({ size: 7, type: 'image/png', isInline: true })
    expect(Buffer.concat(await file.read().toArray()).toString()).toBe('picture')
  })

  it('works once', async () => {
    const { answer, uploads } = await offer({ block: fileInput() })
    const token = tokenIn(await answer)
    await uploads.receive(token, bytes('one'))
    expect(await refusalOf(uploads.receive(token, bytes('two')))).toBe(
      'CONFLICT: The upload address has been used: ask for a new one',
    )
  })

  it('works for ten minutes', async () => {
    const { answer, uploads, clock } = await offer({ block: fileInput() })
    const token = tokenIn(await answer)
    clock.now += 10 * 60 * 1000
    expect(await refusalOf(uploads.receive(token, bytes('x')))).toBe(
      'FORBIDDEN: The upload address has expired',
    )
    clock.now -= 1
    await uploads.receive(token, bytes('x'))
  })

  it('works with the secret of the service that gave the address out, and with no other', async () => {
    const { answer } = await offer({ block: fileInput(), secret: 'one' })
    const token = tokenIn(await answer)
    const { uploads: same } = await openUploadWorld({ block: fileInput(), secret: 'one' })
    await same.receive(token, bytes('x'))
    for (const secret of ['two', undefined]) {
      const { uploads: other } = await openUploadWorld({ block: fileInput(), ...(secret && { secret }) })
      expect(await refusalOf(other.receive(token, bytes('x')))).toContain('not valid')
    }
  })

  it('works with nothing but what was signed', async () => {
    const { answer, uploads, folder } = await offer({ block: fileInput(), secret: 'right' })
    const [payload = '', signature = ''] = tokenIn(await answer).split('.')
    const grant = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const other = Buffer.from(JSON.stringify({ ...grant, maxBytes: 1e9 })).toString('base64url')
    const wrong = createHmac('sha256', 'wrong').update(payload).digest('base64url')
    const forged = [
      '',
      '.',
      'x',
      payload,
      `${payload}.`,
      `.${signature}`,
      `${other}.${signature}`,
      `${payload}.${wrong}`,
      `${payload}.${signature.slice(0, -4)}`,
    ]
    for (const token of forged) {
      expect(await refusalOf(uploads.receive(token, bytes('x')))).toBe(
        'FORBIDDEN: The upload address is not valid',
      )
    }
    expect(await readdir(folder)).toEqual([])
  })

  it('goes nowhere but to the place of a file, whoever signed the address', async () => {
    const secret = 'guessed'
    const { uploads, folder, clock } = await openUploadWorld({ block: fileInput(), secret })
    const expiresAt = clock.now + 60_000
    for (const place of [
      { owner: '../flows', name: 'evil.json', isPrivate: false },
      { owner: '..', name: 'evil.png', isPrivate: false },
      { owner, name: '../../evil.png', isPrivate: false },
      { owner, name: 'evil.html', isPrivate: false },
      { owner: 'erased', name: 'evil.png', isPrivate: true },
    ]) {
      const token = signGrant({ place, maxBytes: 1e9, expiresAt }, secret)
      expect(await refusalOf(uploads.receive(token, bytes('x')))).toBe(
        'FORBIDDEN: The upload address is not valid',
      )
    }
    expect(await readdir(join(folder, '..'))).toEqual(['uploads'])
    expect(await readdir(folder)).toEqual([])
  })

  it('may not be larger than a file may be, whoever signed the address', async () => {
    const secret = 'guessed'
    const { uploads, clock } = await openUploadWorld({ block: fileInput(), secret, fileBytes: 10 })
    const place = { owner, name: 'a.png', isPrivate: false }
    const grant = { place, expiresAt: clock.now + 60_000 }
    const receive = (maxBytes: number, text: string) =>
      uploads.receive(signGrant({ ...grant, maxBytes }, secret), bytes(text))
    expect(await refusalOf(receive(1e9, 'x'.repeat(11)))).toContain('PAYLOAD_TOO_LARGE')
    expect(await refusalOf(receive(5, 'x'.repeat(6)))).toContain('PAYLOAD_TOO_LARGE')
    await receive(1e9, 'x'.repeat(10))
  })

  it('is signed for this purpose alone', async () => {
    const secret = 'guessed'
    const { answer, uploads } = await offer({ block: fileInput(), secret })
    const [payload = ''] = tokenIn(await answer).split('.')
    const signature = createHmac('sha256', secret).update(payload).digest('base64url')
    expect(await refusalOf(uploads.receive(`${payload}.${signature}`, bytes('x')))).toContain('FORBIDDEN')
  })

  it('may not be larger than a file may be, whatever was declared before', async () => {
    const { answer, uploads } = await offer(
      { block: fileInput(), fileBytes: 512 * 1024 },
      { ...png, fileSize: 1 },
    )
    const token = tokenIn(await answer)
    expect(await refusalOf(uploads.receive(token, bytes('x'.repeat(512 * 1024 + 1))))).toBe(
      'PAYLOAD_TOO_LARGE: File size exceeds the 0.5MB limit',
    )
    await uploads.receive(token, bytes('x'.repeat(512 * 1024)))
  })

  it('is refused when there is no room any more', async () => {
    const { answer, uploads } = await offer({ block: fileInput(), totalBytes: 5000 })
    expect(await refusalOf(uploads.receive(tokenIn(await answer), bytes('x'.repeat(1000))))).toBe(
      'SERVICE_UNAVAILABLE: There is no room for more files at the moment',
    )
  })
})

describe('an upload that is not kept', () => {
  const outcomes: [SaveOutcome, string, string?][] = [
    [
      'disk full',
      'SERVICE_UNAVAILABLE: There is no room for more files at the moment',
      'that of UPLOADS_DIR, else of temporary files',
    ],
    ['full', 'SERVICE_UNAVAILABLE: There is no room for more files at the moment', 'UPLOADS_MAX_BYTES'],
    ['owner full', 'PAYLOAD_TOO_LARGE: This conversation has uploaded as much as it may'],
    ['erased', 'FORBIDDEN: The upload address is not valid any more: ask for a new one'],
  ]

  it.each(outcomes)('is answered with an error: %s', async (outcome, refusal, cause) => {
    const { answer, world, files } = await offer({ block: fileInput(), secret: 'one' })
    const failing = { ...files, save: async () => outcome }
    const uploads = createUploads({ chat: world, files: failing, secret: 'one', fileBytes: 10 })
    const received = uploads.receive(tokenIn(await answer), bytes('x'))
    expect(await refusalOf(received)).toBe(refusal)
    const error = await received.catch((reason: Error) => reason)
    if (cause) expect((error as Error).cause).toMatchObject({ message: expect.stringContaining(cause) })
    else expect((error as Error).cause).toBeUndefined()
  })
})

describe('reading an upload', () => {
  it.each([
    ['image/png', true],
    ['image/svg+xml', false],
    ['audio/mpeg', true],
    ['audio/mp3', true],
    ['audio/webm', true],
    ['video/mp4', true],
    ['application/pdf', false],
    ['application/xml', false],
    ['application/javascript', false],
    ['application/zip', false],
  ])('shows %s where it lies: %s', async (fileType, isInline) => {
    const { answer, uploads } = await offer({ block: fileInput() }, { fileType })
    const { presignedUrl, fileUrl } = await answer
    await uploads.receive(tokenIn({ presignedUrl }), bytes('x'))
    const name = fileUrl.slice(fileUrl.lastIndexOf('/') + 1)
    const file = await uploads.open({ owner, name, isPrivate: false })
    await file.close()
    expect(file.isInline).toBe(isInline)
  })

  it('finds what is private in no public place', async () => {
    const block = fileInput({ visibility: 'Private' })
    const { answer, uploads } = await offer({ block })
    await uploads.receive(tokenIn(await answer), bytes('x'))
    const place = { owner, name: 'upload-1.png', isPrivate: true }
    const file = await uploads.open(place)
    await file.close()
    expect(await refusalOf(uploads.open({ ...place, isPrivate: false }))).toBe('NOT_FOUND: File not found')
  })

  it.each([
    ['another owner', { owner: 'f'.repeat(32) }],
    ['no owner', { owner: '' }],
    ['an owner above', { owner: '..' }],
    ['an owner that hides a private file', { owner: `private/${owner}` }],
    ['a private file of the owner', { owner: `${owner}/private` }],
    ['another name', { name: 'upload-2.png' }],
    ['a name above', { name: '../upload-1.png' }],
    ['a name behind a null', { name: 'upload-1.png\0' }],
    ['a name with a line break', { name: 'upload-1.png\n' }],
    ['a name without an extension', { name: 'private' }],
    ['a part of a file', { name: 'upload-1.png.part' }],
    ['an extension of no type', { name: 'upload-1.html' }],
  ])('finds nothing under %s', async (_, other) => {
    const { answer, uploads } = await offer({ block: fileInput() })
    await uploads.receive(tokenIn(await answer), bytes('x'))
    const place = { owner, name: 'upload-1.png', isPrivate: false, ...other }
    expect(await refusalOf(uploads.open(place))).toBe('NOT_FOUND: File not found')
  })
})

describe('erasing a result', () => {
  const place = { owner, name: 'upload-1.png', isPrivate: false }

  it('erases its files', async () => {
    const { answer, uploads } = await offer({ block: fileInput() })
    await uploads.receive(tokenIn(await answer), bytes('x'))
    await uploads.removeOwned(['another'])
    await (await uploads.open(place)).close()
    await uploads.removeOwned([resultId])
    expect(await refusalOf(uploads.open(place))).toBe('NOT_FOUND: File not found')
  })

  it('erases those of many together, and none of others', async () => {
    const { answer, uploads, folder } = await offer({ block: fileInput() })
    await uploads.receive(tokenIn(await answer), bytes('x'))
    const many = Array.from({ length: 300 }, (_, nth) => `result-of-${nth}`)
    await uploads.removeOwned(many)
    await (await uploads.open(place)).close()
    await uploads.removeOwned([...many, resultId])
    expect(await refusalOf(uploads.open(place))).toBe('NOT_FOUND: File not found')
    expect(await readdir(folder)).toEqual(['erased'])
  })

  it('refuses what is uploaded to an address that was open', async () => {
    const { answer, uploads, folder } = await offer({ block: fileInput() })
    const token = tokenIn(await answer)
    await uploads.removeOwned([resultId])
    expect(await refusalOf(uploads.receive(token, bytes('x')))).toBe(
      'FORBIDDEN: The upload address is not valid any more: ask for a new one',
    )
    expect(await refusalOf(uploads.open(place))).toBe('NOT_FOUND: File not found')
    expect(await readdir(folder)).toEqual(['erased'])
  })
})

describe('a service without a place for uploads', () => {
  it('says so', async () => {
    const notTaken =
      'BAD_REQUEST: This service takes no files: it was started without UPLOADS_DIR and UPLOADS_S3_URL'
    const body = { sessionId: 'session-1', ...png }
    expect(await refusalOf(noUploads.offer({ caller: anonymous, origin: undefined, ownUrl, body }))).toBe(
      notTaken,
    )
    expect(await refusalOf(noUploads.receive('x', bytes('x')))).toBe(notTaken)
  })

  it('has no files, and nothing to erase', async () => {
    const place = { owner, name: 'a.png', isPrivate: false }
    expect(await refusalOf(noUploads.open(place))).toBe('NOT_FOUND: File not found')
    await expect(noUploads.removeOwned([resultId])).resolves.toBeUndefined()
  })
})
