import { createHmac, timingSafeEqual } from 'node:crypto'
import { Contact } from '../../../schemas/contact.ts'
import type { StartChatBody } from '../../../schemas/start-chat.ts'
import { createLazyValidator } from '../../definition/lazy-validator.ts'
import { formatInZone } from '../../engine/values/zoned-time.ts'
import { invalidInput, type ServiceError } from '../../lib/errors.ts'
import { jsonIn } from '../../lib/json-bounds.ts'
import type { Caller } from '../../ports/caller.ts'

/** Person whom a request names. */
export interface GivenContact {
  readonly profile: Contact
  /** Whether the operator vouches for it, by a token of theirs or by a signature. */
  readonly isVerified: boolean
}

interface ReadTerms {
  readonly caller: Caller
  /** Undefined where nothing can be signed. */
  readonly contactSecret: string | undefined
  /** Milliseconds since 1970. */
  now(): number
}

type Body = Pick<StartChatBody, 'contact' | 'contactToken' | 'resume'>

const validator = createLazyValidator()(Contact)

/** The person whom a start names; undefined for none. Throws BAD_REQUEST for one that can't be believed. */
export function readContact(body: Body, terms: ReadTerms): GivenContact | undefined {
  const given = contactIn(body, terms)
  if (body.resume && !given?.isVerified)
    throw refusal(
      '/resume',
      'goes with a contact that is vouched for: send it with a token of the operator, or signed as contactToken',
    )
  const { id, timeZone } = given?.profile ?? {}
  // All such ids have one hash: they would be one person, whom no address names.
  if (id?.isWellFormed() === false)
    throw refusal(
      body.contact ? '/contact/id' : '/contactToken',
      `${body.contact ? '' : 'holds /id, which '}has half a character: a surrogate without the other`,
    )
  if (timeZone !== undefined && formatInZone(0, timeZone) === undefined)
    throw refusal(
      body.contact ? '/contact/timeZone' : '/contactToken',
      `names the time zone ${JSON.stringify(timeZone)}, which is unknown: use one of the IANA list, such as Europe/Paris`,
    )
  return given
}

function contactIn({ contact, contactToken }: Body, terms: ReadTerms): GivenContact | undefined {
  if (contactToken === undefined)
    return contact && { profile: profileOf(contact), isVerified: terms.caller.kind !== 'anonymous' }
  if (contact) throw refusal('/contactToken', 'stands in place of contact: leave one of them out')
  const { contactSecret: secret, now } = terms
  if (secret === undefined)
    throw refusal('/contactToken', 'needs a secret to check it by: start the service with CONTACT_SECRET')
  return { profile: profileOf(signedContact(contactToken, { secret, now: now() })), isVerified: true }
}

function signedContact(token: string, terms: { readonly secret: string; readonly now: number }): Contact {
  let claims: unknown
  try {
    claims = readContactToken(token, terms)
  } catch (error) {
    throw refusal('/contactToken', (error as Error).message)
  }
  const [problem] = validator.accepts(claims) ? [] : validator.errorsOf(claims)
  if (problem)
    throw refusal('/contactToken', `holds ${problem.instancePath || 'a payload'}, which ${problem.message}`)
  return claims as Contact
}

/** The known fields alone. */
function profileOf({ id, name, email, phone, locale, timeZone, attributes }: Contact): Contact {
  return { id, name, email, phone, locale, timeZone, attributes } as Contact
}

function refusal(pointer: string, message: string): ServiceError {
  return invalidInput([{ pointer, message }])
}

/** A start with the attributes of its contact as first values: no browser changes those that are vouched for. */
export function withAttributes<Start extends Pick<StartChatBody, 'prefilledVariables'>>(
  body: Start,
  { profile: { attributes }, isVerified }: GivenContact,
): Start {
  if (!attributes) return body
  const { prefilledVariables: sent } = body
  return { ...body, prefilledVariables: isVerified ? { ...sent, ...attributes } : { ...attributes, ...sent } }
}

interface TokenTerms {
  readonly secret: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * The payload of a JWT that was signed by HS256 with a secret, and whose `exp` has not come (docs/contacts.md). Throws in words
 * that follow the name of the token.
 */
function readContactToken(token: string, { secret, now }: TokenTerms): unknown {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.')
  const { alg } = Object(parsed(header)) as { alg?: unknown }
  if (rest.length > 0 || alg !== 'HS256')
    throw new Error('is no JWT that is signed by HS256: sign the contact with CONTACT_SECRET')
  const right = createHmac('sha256', secret).update(`${header}.${payload}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== right.length || !timingSafeEqual(given, right))
    throw new Error('has a signature that is not by CONTACT_SECRET: sign header and payload as they are sent')
  const claims = parsed(payload)
  const { exp } = Object(claims) as { exp?: unknown }
  if (typeof exp !== 'number') throw new Error('has no exp: say until when it is good, in seconds since 1970')
  if (exp * 1000 <= now) throw new Error('has expired: sign the contact again')
  return claims
}

const parsed = (part: string) => jsonIn(Buffer.from(part, 'base64url').toString())
