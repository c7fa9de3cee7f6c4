import { AudioMessage } from '../../../schemas/blocks/bubbles/audio-bubble.ts'
import { mediaBubble } from './media-bubble.ts'

/** Plays a sound (docs/behaviour.md, "Audio bubble"). */
export const audioBubble = mediaBubble('audio', AudioMessage.properties.content)
