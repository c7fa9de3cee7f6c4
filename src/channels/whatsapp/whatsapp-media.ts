import type { ApiRequest } from '../outgoing.ts'
import { plain } from '../text/styled-text.ts'
import { fieldsOf, textOf } from '../wire/read-wire.ts'
import type { SentMedia } from '../wire/usable-media.ts'
import { whatsAppCapabilities } from './whatsapp-capabilities.ts'
import { writeMarks } from './write-marks.ts'

const { buttons, files } = whatsAppCapabilities

/** The file of a message, or above its buttons. */
export function mediaOfWhatsApp(request: ApiRequest): SentMedia | undefined {
  const type = String(request.body['type'])
  const content = fieldsOf(request.body[type])
  if (type === 'interactive') return headerOf(request)
  const url = textOf(content['link'])
  const file = Object.hasOwn(files, type) ? files[type] : undefined
  if (url === undefined || !file) return undefined
  const asLink = () => {
    const { [type]: _, ...rest } = request.body
    const body = [textOf(content['caption']), writeMarks(plain(url))].filter(Boolean).join('\n\n')
    return { ...request, body: { ...rest, type: 'text', text: { body, preview_url: true } } }
  }
  return { url, ...file, asLink }
}

function headerOf(request: ApiRequest): SentMedia | undefined {
  const { header, ...interactive } = fieldsOf(request.body['interactive'])
  const url = textOf(fieldsOf(fieldsOf(header)['image'])['link'])
  const { image } = files
  if (url === undefined || !image) return undefined
  const asLink = () => {
    const text = textOf(fieldsOf(interactive['body'])['text'])
    const longer = [text, writeMarks(plain(url))].filter(Boolean).join('\n\n')
    // Buttons that have no room for the address are more than a picture.
    const body = { text: longer.length <= buttons.body ? longer : text }
    return { ...request, body: { ...request.body, interactive: { ...interactive, body } } }
  }
  return { url, ...image, asLink }
}
