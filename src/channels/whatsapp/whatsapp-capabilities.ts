import { type Capabilities, megabyte } from '../capabilities.ts'

/** By developers.facebook.com/documentation/business-messaging/whatsapp (messages, media, throughput). */
export const whatsAppCapabilities = Object.freeze<Capabilities>({
  text: 4_096,
  caption: 1_024,
  buttons: { count: 3, label: 20, body: 1_024, mustDiffer: true, id: 256 },
  list: { rows: 10, title: 24, description: 72, body: 4_096, button: 20 },
  // A long list of cards would become a flood.
  pictured: 10,
  media: {
    image: [['image', ['jpg', 'jpeg', 'png']]],
    video: [['video', ['mp4', '3gp']]],
    audio: [['audio', ['aac', 'amr', 'mp3', 'm4a', 'ogg', 'opus']]],
  },
  files: {
    image: { types: ['image/jpeg', 'image/png'], bytes: 5 * megabyte },
    video: { types: ['video/mp4', 'video/3gpp'], bytes: 16 * megabyte },
    audio: {
      types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
      bytes: 16 * megabyte,
    },
  },
  joinsBubbles: true,
})
