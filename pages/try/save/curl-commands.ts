import type { PreviewBody } from '../../../client/client.ts'
import type { Moment } from '../state/moments.ts'

interface Asked {
  readonly body: PreviewBody
  readonly moments: readonly Moment[]
  readonly needsToken: boolean
}

/** A text in single quotes, as a shell reads it. */
const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The conversation as commands of a shell. The token is not in them: the shell has it in `PREVIEW_TOKEN`. */
export function writeCurlCommands({ body, moments, needsToken }: Asked): string {
  const token = needsToken ? ` \\\n  -H "authorization: Bearer $PREVIEW_TOKEN"` : ''
  const post = (path: string, data: string) =>
    `curl -sS "$SERVICE${path}" -H 'content-type: application/json'${token} \\\n  -d ${data}\n`
  const [opening, closing] = JSON.stringify({ sessionId: '\u0000', ...body }).split(String.raw`\u0000`)
  const start = `${quote(opening ?? '')}"$SESSION"${quote(closing ?? '')}`
  const replies = moments
    .slice(1)
    .map(({ said }) =>
      said?.isGivenBack
        ? `curl -sS -X PATCH "$SERVICE/v1/sessions/$SESSION" -H 'content-type: application/json'${token} \\\n  -d '{"status":"open"}'\n`
        : said?.isTimer
          ? `curl -sS -X POST "$SERVICE/v1/sessions/$SESSION/skipToTimer"${token}\n`
          : post(
              '/v1/sessions/$SESSION/continueChat',
              quote(JSON.stringify({ message: said?.message, setVariables: said?.set })),
            ),
    )
  return [
    '#!/bin/sh\n',
    `SERVICE=${location.origin}\nSESSION=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')\n`,
    post('/v1/flows/draft/preview/startChat', start),
    ...replies,
  ].join('\n')
}
