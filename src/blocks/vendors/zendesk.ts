import { ZendeskBlock } from '../../../schemas/blocks/vendors.ts'
import type { RunContext } from '../../engine/model/block-handler.ts'
import { ask, type Effects } from '../../engine/model/effects.ts'
import type { Step } from '../../engine/model/step.ts'
import { reportProblem } from './lib/ask-vendor.ts'
import { defineVendorBlock } from './lib/vendor-block.ts'

type Options = NonNullable<ZendeskBlock['options']>

/** Opens the widget of a help desk in the browser (docs/behaviour/integrations.md, "Zendesk"). */
export const zendesk = defineVendorBlock<ZendeskBlock>({
  schema: ZendeskBlock,
  actions: { 'Open Web Widget': openWebWidget },
  marks: {},
})

/** Seconds that a browser has for logging in. */
const tokenLifetime = 600

function* openWebWidget(options: Options, _context: RunContext): Effects<Step> {
  const { webWidgetKey } = options
  if (webWidgetKey === undefined) return { logs: [reportProblem('Web widget key is missing')] }
  const token = yield* loginToken(options)
  if (token === undefined) return { logs: [reportProblem('Could not find credentials for block zendesk')] }
  const args = { isAuthEnabled: String(token !== ''), token, key: webWidgetKey }
  return { actions: [{ type: 'codeToExecute', codeToExecute: { args, content: openScript } }] }
}

/** Empty for a visitor who is not logged in; undefined without an account to sign with. */
function* loginToken(options: Options): Effects<string | undefined> {
  const { credentialsId, userId, name = '', email, isEmailVerified = false } = options
  if (userId === undefined) return ''
  const exp = Math.floor((yield* ask({ type: 'now' })) / 1000) + tokenLifetime
  const claims = {
    scope: 'user',
    external_id: userId,
    name,
    ...(email !== undefined && { email }),
    // A visitor who types the address of another must not be taken for them.
    ...(email !== undefined && isEmailVerified && { email_verified: 'true' }),
    exp,
  }
  const signed = yield* ask({ type: 'signToken', request: { vendor: 'zendesk', credentialsId, claims } })
  return signed.kind === 'token' ? signed.token : undefined
}

/** Runs with the arguments as its variables; what it returns is what an assistant would receive. */
const openScript = `
const openMessenger = () => {
  if (isAuthEnabled === "true") {
    zE("messenger", "loginUser", (login) => {
      login(token);
      zE("messenger", "open");
    });
    return;
  }
  zE("messenger", "open");
};
if (document.getElementById("ze-snippet")) {
  openMessenger();
} else {
  const snippet = document.createElement("script");
  snippet.id = "ze-snippet";
  snippet.src = "https://static.zdassets.com/ekr/snippet.js?key=" + encodeURIComponent(key);
  snippet.async = true;
  snippet.addEventListener("load", openMessenger);
  document.head.append(snippet);
}
return "Zendesk Web Widget Opened";
`.trim()
