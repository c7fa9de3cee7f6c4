import { type Capabilities, megabyte } from '../capabilities.ts'

/** By core.telegram.org/bots/api, which has no length of a label: apps cut long ones. */
export const telegramCapabilities = Object.freeze<Capabilities>({
  text: 4_096,
  spans: 100,
  caption: 1_024,
  buttons: { count: 100, label: 64, body: 4_096, mustDiffer: false, id: 64 },
  // A long list of cards would become a flood.
  pictured: 10,
  media: {
    image: [
      ['photo', ['jpg', 'jpeg', 'png', 'webp']],
      ['animation', ['gif']],
    ],
    video: [['video', ['mp4']]],
    audio: [
      ['audio', ['mp3', 'm4a']],
      ['voice', ['ogg', 'oga', 'opus']],
    ],
  },
  files: {
    photo: { types: ['image/jpeg', 'image/png', 'image/webp'], bytes: 5 * megabyte },
    animation: { types: ['image/gif', 'video/mp4'], bytes: 20 * megabyte },
    video: { types: ['video/mp4'], bytes: 20 * megabyte },
    audio: { types: ['audio/mpeg', 'audio/mp4', 'audio/x-m4a'], bytes: 20 * megabyte },
    voice: { types: ['audio/ogg'], bytes: 20 * megabyte },
  },
  joinsBubbles: false,
})
