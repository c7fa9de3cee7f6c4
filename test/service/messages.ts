import { expect } from 'vitest'
import type { Operation } from '../support/openapi-client.ts'

/** What a visitor says where the conversation waits. */
export type Line = {
  /** The type of the input that is expected to wait. */
  readonly at: string
  /** Whether the input is expected to refuse this, and to ask again. */
  readonly isRefused?: true
} & (
  | { readonly says: string }
  /** By the labels that the input shows. */
  | { readonly picks: readonly string[] }
  /** The content of files of one type, beside a text or instead of one. */
  | { readonly uploads: readonly string[]; readonly fileType: string; readonly says?: string }
  | { readonly commands: string }
  /** Goes on without a word. */
  | { readonly saysNothing: true }
)

/** The operations that a visitor needs. */
export type VisitorClient = Record<
  'continueChat' | 'generateUploadUrl' | 'putUpload' | 'getUpload',
  Operation
>

/** The parts of an input that a visitor looks at. */
export interface Input {
  readonly id: string
  readonly type: string
  readonly items?: readonly Item[]
}

interface Item {
  readonly id: string
  readonly content?: string
  readonly title?: string
  readonly paths?: readonly { readonly id: string; readonly text: string }[]
}

/** Where a visitor is asked. */
export interface Moment {
  readonly input: Input
  readonly sessionId: string
  /** Receives what is picked, by ids. */
  readonly picked: Set<string>
  readonly client: VisitorClient
}

/** Puts a line into a message, for which files have to be uploaded first. */
export async function messageOf(line: Line, moment: Moment): Promise<unknown> {
  if ('saysNothing' in line) return null
  if ('commands' in line) return { type: 'command', command: line.commands }
  if ('picks' in line) return pick(line.picks, moment)
  if (!('uploads' in line)) return line.says
  const addresses = await Promise.all(line.uploads.map((text) => upload(text, line.fileType, moment)))
  if (line.says === undefined) return { type: 'text', text: addresses.join(', ') }
  return { type: 'text', text: line.says, attachedFileUrls: addresses }
}

/** Chooses what is on offer by its labels; a single choice is told by its id, which nothing else has. */
function pick(labels: readonly string[], { input, picked }: Moment) {
  const offers = (input.items ?? []).flatMap(({ id, content, title, paths }) =>
    paths ? paths.map((path) => ({ id: path.id, label: path.text })) : [{ id, label: content ?? title }],
  )
  const chosen = labels.map((label) => {
    const offer = offers.find((other) => other.label === label)
    if (!offer) throw new Error(`${label} is not on offer: ${JSON.stringify(offers)}`)
    return offer
  })
  for (const { id } of chosen) picked.add(id)
  const [only] = chosen
  const metadata = chosen.length === 1 && only ? { metadata: { replyId: only.id } } : {}
  return { type: 'text', text: labels.join(', '), ...metadata }
}

async function upload(text: string, fileType: string, { sessionId, client }: Moment): Promise<string> {
  const bytes = Buffer.from(text)
  const body = { sessionId, fileType, fileSize: bytes.length }
  const offer = await client.generateUploadUrl({ body })
  expect(offer.status).toBe(200)
  const { presignedUrl, fileUrl } = offer.body as { presignedUrl: string; fileUrl: string }
  const [token = ''] = lastParts(presignedUrl, 1)
  expect(await client.putUpload({ parameters: { token }, body: bytes })).toMatchObject({ status: 204 })
  const [owner = '', name = ''] = lastParts(fileUrl, 2)
  const kept = await client.getUpload({ parameters: { owner, name } })
  expect(kept).toMatchObject({ status: 200, body: text })
  return fileUrl
}

const lastParts = (address: string, count: number) => new URL(address).pathname.split('/').slice(-count)
