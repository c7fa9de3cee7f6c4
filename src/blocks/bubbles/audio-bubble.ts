import { AudioMessage } from '../../../schemas/blocks/bubbles.ts'
import { mediaBubble } from './media-bubble.ts'

/** Plays a sound (docs/behaviour/bubbles.md, "Audio bubble"). */
export const audioBubble = mediaBubble('audio', AudioMessage.properties.content)
