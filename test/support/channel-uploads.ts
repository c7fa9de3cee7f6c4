import type { Messenger } from '../../src/channels/messenger.ts'
import { ServiceError } from '../../src/lib/errors.ts'
import type { Uploads } from '../../src/uploads/uploads-service.ts'

/** Uploads that take all but pages, and a messenger that has every file; `kept` is what came. */
export function openChannelUploads() {
  const kept: string[] = []
  const uploads: Pick<Uploads, 'offer' | 'receive'> = {
    async offer({ body }) {
      if (body.fileType === 'text/html') throw new ServiceError('BAD_REQUEST', 'File type not allowed')
      const fileUrl = `https://flows.example/uploads/${kept.length}`
      return { presignedUrl: `${fileUrl}/t0ken`, formData: {}, fileType: '', maxFileSize: 1, fileUrl }
    },
    async receive(token, content) {
      let text = ''
      for await (const bytes of content) text += Buffer.from(bytes).toString()
      kept.push(`${token}: ${text}`)
    },
  }
  const download: Messenger['download'] = async ({ id, type = '' }) => ({
    type,
    body: (async function* () {
      yield Buffer.from(`bytes of ${id}`)
    })(),
  })
  return { kept, uploads, deeds: { download } }
}
