import { ContactExport, ContactParams } from '../../../schemas/contact.ts'
import type { Contacts } from '../../contacts/contacts-service.ts'
import { failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { sendStream } from '../../http/response/send-stream.ts'
import type { Server } from '../../http/types.ts'

const schema = {
  operationId: 'exportContact',
  tags: ['Contacts'],
  summary: 'Export a contact',
  description: 'All that is kept of a person, as one file of JSON.',
  params: ContactParams,
  security: [{ adminToken: ['personal'] }],
  response: { ...success('The file', ContactExport), ...failures(...operatorFailures) },
}

/** The file about a contact, which is written as it is read. */
export function exportContactRoute(app: Server, { contacts }: { readonly contacts: Contacts }): void {
  app.get('/v1/contacts/:contactId/export', { schema }, async ({ params }, reply) => {
    const pieces = await contacts.export(params)
    reply.header('content-disposition', 'attachment; filename="contact.json"')
    return sendStream(pieces, reply, 'application/json; charset=utf-8')
  })
}
