import { ImageMessage } from '../../../schemas/blocks/bubbles.ts'
import { mediaBubble } from './media-bubble.ts'

/** Shows a picture (docs/behaviour/bubbles.md, "Image bubble"). */
export const imageBubble = mediaBubble('image', ImageMessage.properties.content)
