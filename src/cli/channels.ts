import { parseArgs } from 'node:util'
import { channels as types } from '../../schemas/channel.ts'
import { createHttpClient } from '../adapters/http-client/http-client.ts'
import { webhookUrlOf } from '../channels/channels-service.ts'
import { createMessenger } from '../channels/create-messenger.ts'
import type { CallDependencies } from '../channels/messenger.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { ConfigError } from '../lib/config-error.ts'
import { type Console, exitCodes, type Run, UsageError } from './command.ts'
import { say } from './output/plain-text.ts'

/** Text of `channels --help`. */
export const help = (): string => `Usage: flow-runtime channels check [NAME…] [--url URL]

Asks the messengers of all channels, or of those that are named, about their accounts and about the address that they send to,
and says what to set where. Nothing is changed, and nothing is sent to anybody.

  --url URL   a running service, whose channels are checked as well as those of CHANNELS_FILE; its token is that of ADMIN_TOKEN

Reads CREDENTIALS_FILE, CHANNELS_FILE and PUBLIC_URL as the service does.
Exits with 0 when all is well, 1 when something is not, 2 when it was called in another way.
`

/** A channel by what is checked of it. */
interface Checked {
  readonly name: string
  readonly account: string
  /** The problem that a running service has with it. */
  readonly failing?: string | undefined
}

/** A service that runs answers within it. */
const patienceMs = 10_000

export const run: Run = async (args, console) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { url: { type: 'string' } },
    allowPositionals: true,
  })
  const [verb, ...names] = positionals
  if (verb !== 'check') throw new UsageError('channels can be checked: flow-runtime channels check')
  const loaded = await load(console)
  if (!loaded) return exitCodes.failed
  const { channels } = loaded.reach
  const ofFile = [...channels].map(([name, { account }]) => ({ name, account }))
  const ofService = values.url === undefined ? [] : await channelsOf(values.url, console)
  if (!ofService) return exitCodes.failed
  const all = new Map<string, Checked>(ofService.map((channel) => [channel.name, channel]))
  for (const channel of ofFile) all.set(channel.name, { ...all.get(channel.name), ...channel })
  const unknown = names.filter((name) => !all.has(name))
  for (const name of unknown)
    say(console.warn, `There is no channel "${name}": name one of ${[...all.keys()].join(', ')}`)
  const chosen = [...all.values()].filter(({ name }) => names.length === 0 || names.includes(name))
  if (all.size === 0)
    say(console.warn, 'There are no channels: set CHANNELS_FILE, or name a running service by --url')
  const areFine = await checkEach(chosen, loaded, console)
  return areFine && unknown.length === 0 && all.size > 0 ? exitCodes.fine : exitCodes.failed
}

async function load({ env, warn }: Console): Promise<LoadedConfig | undefined> {
  try {
    return await loadConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const problem of error.problems) say(warn, problem)
    return undefined
  }
}

/** The channels of a running service; undefined where it does not tell them. */
async function channelsOf(url: string, { env, warn }: Console): Promise<readonly Checked[] | undefined> {
  const token = env['ADMIN_TOKEN']
  if (!token) throw new UsageError('--url needs the token of the operator in ADMIN_TOKEN')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('--url must be an http(s) address')
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/v1/channels`, {
      headers: { authorization: `Bearer ${token}` },
      // The token is for this address alone.
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    if (response.ok) return ((await response.json()) as { channels: Checked[] }).channels
    say(warn, `${url} refuses to tell its channels with ${response.status}`)
  } catch (error) {
    say(warn, `${url} does not answer (${(error as Error).message})`)
  }
  return undefined
}

async function checkEach(
  channels: readonly Checked[],
  { config, reach }: LoadedConfig,
  { print }: Console,
): Promise<boolean> {
  const http = createHttpClient({ allow: reach.allow })
  const deps: CallDependencies = { http, closing: new AbortController().signal }
  let areFine = true
  for (const { name, account: id, failing } of channels) {
    const account = reach.credentials.channel(id)
    const url = config.publicUrl && webhookUrlOf(name, config.publicUrl)
    const missing = `CREDENTIALS_FILE has no account "${id}" of the type ${types.join(' or ')}`
    const found = account
      ? await createMessenger(account).check(url, deps)
      : [{ isProblem: true, message: missing }]
    const told = failing === undefined ? [] : [{ isProblem: true, message: `The service says: ${failing}` }]
    const findings = [...found, ...told]
    for (const { isProblem, message } of findings)
      say(print, `${name}: ${isProblem ? 'PROBLEM ' : ''}${message}`)
    if (findings.some(({ isProblem }) => isProblem)) areFine = false
  }
  await http.close()
  return areFine
}
