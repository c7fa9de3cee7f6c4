import { type Console, UsageError } from '../command.ts'

/** Where a running service is, and the token of its operator, for a command. Throws a UsageError. */
export function serviceOf(
  command: string,
  named: string | undefined,
  { env }: Console,
): { readonly url: string; readonly token: string } {
  const token = env['ADMIN_TOKEN']
  if (!token) throw new UsageError(`${command} needs the token of the operator in ADMIN_TOKEN`)
  const url = named ?? env['FLOW_RUNTIME_URL'] ?? 'http://127.0.0.1:3000'
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('--url must be an http(s) address')
  return { url, token }
}
