import { ContactExport, ContactParams, ContactQuery, ContactResponse } from '../../../schemas/contact.ts'
import type { Contacts } from '../../contacts/contacts-service.ts'
import { failures, operatorFailures, success } from '../../http/openapi/response-schemas.ts'
import { actorOf } from '../../http/protection/auth.ts'
import { disableBodyParsing } from '../../http/request/body/raw-body.ts'
import { coerceQueryNumbers } from '../../http/request/queries.ts'
import { sendStream } from '../../http/response/send-stream.ts'
import type { Server } from '../../http/types.ts'

const common = { tags: ['Contacts'], params: ContactParams }

const getSchema = {
  ...common,
  operationId: 'getContact',
  summary: 'Read a contact',
  description: 'Profile, memory and conversations, page by page, the latest begun first.',
  security: [{ adminToken: ['personal'] }],
  querystring: ContactQuery,
  response: { ...success('The contact', ContactResponse), ...failures(...operatorFailures) },
}

const deleteSchema = {
  ...common,
  operationId: 'deleteContact',
  summary: 'Erase a contact',
  description:
    'With the sessions, results, files and memory of all conversations. For good: what is under way brings nothing back.',
  security: [{ adminToken: ['results'] }],
  response: {
    204: { description: 'It is erased', type: 'null' },
    ...failures(...operatorFailures, 'TOO_MANY_REQUESTS'),
  },
}

const exportSchema = {
  ...common,
  operationId: 'exportContact',
  summary: 'Export a contact',
  description: 'All that is kept of a person, as one file of JSON.',
  security: [{ adminToken: ['personal'] }],
  response: { ...success('The file', ContactExport), ...failures(...operatorFailures) },
}

const usualLimit = 50

const path = '/v1/contacts/:contactId'

/** One contact, for the operator; the file about it is written as it is read. */
export function contactRoute(app: Server, { contacts }: { readonly contacts: Contacts }): void {
  app.get(
    path,
    { schema: getSchema, preValidation: coerceQueryNumbers('limit') },
    async ({ params, query: { limit = usualLimit, cursor } }) => contacts.get({ ...params, limit, cursor }),
  )

  app.register(async (scope: Server) => {
    disableBodyParsing(scope)
    scope.delete(path, { schema: deleteSchema }, async (request, reply) => {
      await contacts.delete({ ...request.params, actor: actorOf(request) })
      return reply.code(204).send()
    })
  })

  app.get(`${path}/export`, { schema: exportSchema }, async ({ params }, reply) => {
    const pieces = await contacts.export(params)
    reply.header('content-disposition', 'attachment; filename="contact.json"')
    return sendStream(pieces, reply, 'application/json; charset=utf-8')
  })
}
