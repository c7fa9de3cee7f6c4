import type { OutgoingWebhook, OutgoingWebhookBody } from '../../schemas/outgoing-webhooks.ts'
import { type DestinationParts, Destinations } from '../delivery/destinations.ts'
import { invalidInput } from '../lib/errors.ts'
import type { Endpoint } from './endpoints.ts'

/** Operations on the endpoints of events. */
export class Webhooks extends Destinations<Endpoint, OutgoingWebhookBody, OutgoingWebhook> {
  constructor(parts: DestinationParts<Endpoint>) {
    super('webhook', parts)
  }

  /** Throws BAD_REQUEST for what is no address and for a new one without secrets. */
  protected kept(body: OutgoingWebhookBody, before: Endpoint | undefined) {
    const { secrets = before?.secrets, url, events, flows, includesContent } = body
    if (!URL.canParse(url))
      throw invalidInput([
        { pointer: '/url', message: 'is no address: give one as https://crm.example/hooks/chat' },
      ])
    if (!secrets)
      throw invalidInput([
        {
          pointer: '/secrets',
          message: 'is missing: a new webhook needs one, `whsec_` and 24 bytes as base64',
        },
      ])
    return { url, events, flows, includesContent, secrets }
  }

  protected describe(endpoint: Endpoint): OutgoingWebhook {
    const { name, url, events, flows, includesContent, secrets, disabled } = endpoint
    const failing = this.parts.sender.problemOf(name)
    return {
      name,
      url,
      ...(events && { events }),
      ...(flows && { flows }),
      includesContent,
      secretCount: secrets.length,
      ...(disabled !== undefined && { disabled }),
      ...(failing !== undefined && { failing }),
    }
  }
}
