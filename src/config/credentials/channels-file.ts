import type { ErrorObject } from 'ajv'
import { ChannelBody, channelName } from '../../../schemas/channels.ts'
import { createLazyValidator } from '../../definition/lazy-validator.ts'
import { ConfigError } from '../../lib/config-error.ts'
import { jsonIn } from '../../lib/json-bounds.ts'

const validator = createLazyValidator()(ChannelBody)

/** Reads the channels of a file: an object of their settings by their names. Throws ConfigError with everything that is wrong. */
export function readChannelsFile(text: string | undefined): ReadonlyMap<string, ChannelBody> {
  if (text === undefined) return new Map()
  const parsed = jsonIn(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new ConfigError([
      'CHANNELS_FILE must be an object in JSON: the settings of channels by their names',
    ])
  const entries = Object.entries(parsed)
  const problems = entries.flatMap(([name, settings]) => {
    const place = `CHANNELS_FILE /${name}`
    if (!new RegExp(channelName).test(name))
      return [`${place} is no name of a channel: use small letters, digits, "_" and "-"`]
    return validator.accepts(settings)
      ? []
      : validator.errorsOf(settings).map((error) => place + complaintOf(error))
  })
  if (problems.length > 0) throw new ConfigError(problems)
  return new Map(entries as [string, ChannelBody][])
}

function complaintOf({ keyword, instancePath, params, message = '' }: ErrorObject): string {
  if (keyword === 'required') return `${instancePath}/${params['missingProperty']} is missing`
  if (keyword === 'additionalProperties')
    return `${instancePath}/${params['additionalProperty']} is not known here`
  return `${instancePath} ${message}`
}
