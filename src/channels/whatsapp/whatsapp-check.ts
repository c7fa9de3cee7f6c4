import { type CallDependencies, type CheckFinding, fine, problem } from '../messenger.ts'
import { callApi } from '../wire/call-api.ts'
import { type Fields, fieldsOf, idOf, listOf, textOf } from '../wire/read-wire.ts'
import type { WhatsAppAccount } from './whatsapp-account.ts'
import { problemOf } from './whatsapp-problem.ts'

interface Checked {
  readonly account: WhatsAppAccount
  readonly webhookUrl: string | undefined
  readonly deps: CallDependencies
}

const fields = 'display_phone_number,verified_name,quality_rating,status,webhook_configuration'

/** Asks for the number, where its webhooks go, and whether an app has the secret and hears of messages. */
export async function checkWhatsApp(checked: Checked): Promise<CheckFinding[]> {
  const { phoneNumberId, businessAccountId } = checked.account
  const number = await ask(`${phoneNumberId}?fields=${fields}`, checked)
  if ('refusal' in number)
    return [
      problem(
        `The number can't be read: ${number.refusal}. See phoneNumberId (API Setup of the app), and whether accessToken is one of a system user with whatsapp_business_messaging and whatsapp_business_management`,
      ),
    ]
  const apps = businessAccountId === undefined ? [] : await checkApps(businessAccountId, checked)
  return [...stateOf(number.body), webhookOf(number.body, checked.webhookUrl), ...apps]
}

async function ask(
  path: string,
  { account, deps }: Checked,
  token = account.accessToken,
): Promise<{ readonly body: Fields } | { readonly refusal: string }> {
  const headers = [['authorization', `Bearer ${token}`]] as const
  const answer = await callApi({ url: `${account.baseUrl}/${path}`, headers }, deps)
  if (answer.state === 'failed') return { refusal: answer.problem.message }
  if (answer.status === 200) return { body: answer.body }
  return { refusal: problemOf(fieldsOf(answer.body['error']), answer.status).message }
}

function stateOf({ display_phone_number, verified_name, status, quality_rating }: Fields): CheckFinding[] {
  const name = [textOf(display_phone_number), textOf(verified_name)].filter(Boolean).join(', ')
  return [
    fine(`The number is ${name}`),
    ...(status === undefined || status === 'CONNECTED'
      ? []
      : [
          problem(
            `The number is ${String(status)}: register it (API Setup of the app), or see the WhatsApp Manager`,
          ),
        ]),
    ...(quality_rating === 'RED'
      ? [problem('People block or report this number: its quality is RED, and less of what it sends arrives')]
      : []),
  ]
}

/** The address of the number counts before that of the account, and this before that of the app. */
function webhookOf({ webhook_configuration }: Fields, webhookUrl: string | undefined): CheckFinding {
  if (webhookUrl === undefined)
    return problem('PUBLIC_URL is not set: WhatsApp needs an https address to send to')
  const { phone_number, whatsapp_business_account, application } = fieldsOf(webhook_configuration)
  const present = textOf(phone_number) ?? textOf(whatsapp_business_account) ?? textOf(application)
  if (present === webhookUrl) return fine(`Webhooks of the number go to ${webhookUrl}`)
  return problem(
    `Webhooks of the number go to ${present ?? 'no address'}: in the dashboard of the app, WhatsApp, Configuration, set the callback URL ${webhookUrl} with the verifyToken of the account, and subscribe to messages`,
  )
}

/** By the secret of an app its subscriptions can be read, by no other. */
async function checkApps(businessAccountId: string, checked: Checked): Promise<CheckFinding[]> {
  const subscribed = await ask(`${businessAccountId}/subscribed_apps`, checked)
  if ('refusal' in subscribed)
    return [problem(`The apps of the account can't be read: ${subscribed.refusal}`)]
  const apps = listOf(subscribed.body['data']).flatMap(
    ({ whatsapp_business_api_data: app }) => idOf(fieldsOf(app)['id']) ?? [],
  )
  if (apps.length === 0)
    return [
      problem(`No app hears of the account: POST /${businessAccountId}/subscribed_apps with the accessToken`),
    ]
  for (const app of apps.slice(0, 5)) {
    const found = await ask(`${app}/subscriptions`, checked, `${app}|${checked.account.appSecret}`)
    if ('body' in found) return [subscriptionsOf(listOf(found.body['data']), app)]
  }
  return [
    problem(
      `appSecret is of none of the apps that hear of the account (${apps.join(', ')}): signatures won't fit`,
    ),
  ]
}

function subscriptionsOf(data: readonly Fields[], app: string): CheckFinding {
  const ours = data.filter(({ object, active }) => object === 'whatsapp_business_account' && active !== false)
  const isHeard = ours.some((one) => listOf(one['fields']).some(({ name }) => name === 'messages'))
  return isHeard
    ? fine(`The app ${app} has the appSecret and hears of messages`)
    : problem(`The app ${app} does not hear of messages: subscribe to messages (WhatsApp, Configuration)`)
}
