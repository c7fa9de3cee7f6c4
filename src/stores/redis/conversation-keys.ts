import { contentHash } from '../../definition/content-hash.ts'

/** Live conversations are spread over so many slots of a cluster; previews, which share bounds, are in one. */
const liveSlots = 16

/** The tags of all slots. */
export const liveTags = Array.from({ length: liveSlots }, (_, slot) => slot.toString(liveSlots))
export const previewTag = 'preview'

/** Where things are that are kept once for each slot. */
export interface SlotKeys {
  /** Conversations by the time at which they expire. */
  readonly index: string
  /** Those that have expired or made room, by when. */
  readonly gone: string
  readonly tallies: string
  /** Conversations whose changes of results are not in the database yet, since when. */
  readonly pending: string
  readonly sweep: string
}

export const keysOfSlot = (tag: string): SlotKeys => ({
  index: `l:{${tag}}`,
  gone: `g:{${tag}}`,
  tallies: `u:{${tag}}`,
  pending: `o:{${tag}}`,
  sweep: `m:{${tag}}`,
})

const slots = new Map([...liveTags, previewTag].map((tag) => [tag, keysOfSlot(tag)]))

/** Where the conversations are that have changes of a result which are not in the database yet. */
export const pendingKeyOf = (tag: string, resultId: string) => `p:{${tag}}:${resultId}`

/**
 * Where a conversation is. The keys have a hash of its id, which is a secret; all of them are in one slot, so that one
 * script can change them together.
 */
export class ConversationKeys {
  readonly tag: string
  /** What the indexes name it by. */
  readonly member: string
  readonly session: string
  readonly slot: SlotKeys

  constructor(member: string, tag: string) {
    this.tag = tag
    this.member = member
    this.session = `s:{${tag}}:${member}`
    this.slot = slots.get(tag) as SlotKeys
  }

  static ofLive(id: string): ConversationKeys {
    const member = contentHash(id)
    return new ConversationKeys(member, liveTags[member.charCodeAt(0) % liveSlots] as string)
  }

  static ofPreview(id: string): ConversationKeys {
    return new ConversationKeys(contentHash(id), previewTag)
  }

  get isPreview(): boolean {
    return this.tag === previewTag
  }
  get line(): string {
    return `q:{${this.tag}}:${this.member}`
  }
  get deadlines(): string {
    return `w:{${this.tag}}:${this.member}`
  }
  /** Names of the answers that are kept with it. */
  get names(): string {
    return `n:{${this.tag}}:${this.member}`
  }
  get outbox(): string {
    return `r:{${this.tag}}:${this.member}`
  }
  answer(name: string): string {
    return `i:{${this.tag}}:${this.member}:${name}`
  }
  /** The one of a live conversation and of a preview that has its id. */
  get channel(): string {
    return `c:${this.member}`
  }
}

/** The channel on which those in line hear that their turn may have come. */
export const wakeChannelOf = (process: string) => `w:${process}`

/** What finds out whether turns can be kept writes here: in one slot, or in each where slots have servers of their own. */
export const probeKeys = (isCluster: boolean) =>
  (isCluster ? [...slots.keys()] : [previewTag]).map((tag) => `t:{${tag}}`)

/** What a start with a key has fixed. */
export const startClaimKey = (key: string) => `c:start:${key}`
