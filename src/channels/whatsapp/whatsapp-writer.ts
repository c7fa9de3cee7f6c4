import type { ApiRequest, Button, ChannelWriter } from '../outgoing.ts'
import type { StyledText } from '../text/styled-text.ts'
import { writeMarks } from './write-marks.ts'

/** Writes messages of the WhatsApp Cloud API: `POST /{phone number id}/messages`. */
export const whatsAppWriter: ChannelWriter = Object.freeze({
  lengthOf: (text: StyledText) => writeMarks(text).length,
  writeText(text: StyledText) {
    const body = writeMarks(text)
    return request('text', { body, ...(/https?:\/\//i.test(body) && { preview_url: true }) })
  },
  writeMedia: (as: string, link: string, caption: StyledText) =>
    request(as, { link, ...(caption.text !== '' && { caption: writeMarks(caption) }) }),
  writeButtons: (body: StyledText, buttons: readonly Button[], picture?: { readonly url: string }) =>
    request('interactive', {
      type: 'button',
      ...(picture && { header: { type: 'image', image: { link: picture.url } } }),
      body: { text: writeMarks(body) },
      action: { buttons: buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })) },
    }),
  writeList: (body: StyledText, rows: readonly Button[], button: string) =>
    request('interactive', {
      type: 'list',
      body: { text: writeMarks(body) },
      action: { button, sections: [{ rows }] },
    }),
})

function request(type: string, content: object): ApiRequest {
  return {
    method: 'messages',
    body: { messaging_product: 'whatsapp', recipient_type: 'individual', type, [type]: content },
  }
}
