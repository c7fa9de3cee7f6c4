import type { PageName } from './page-files.ts'

/** Permissions of every page: it runs scripts that the service serves, and none inline but those that a hash names. */
const strict = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
]

/** Flows show pictures, sounds, videos and frames of other sites. */
const showsFlows = [
  "font-src 'self'",
  'img-src * data: blob:',
  'media-src * data: blob:',
  "frame-src 'self' http: https:",
]

const trusted = "require-trusted-types-for 'script'"
const unframed = "frame-ancestors 'none'"

const policies: Readonly<Record<PageName, readonly string[]>> = {
  // It shows how flows look on other sites.
  list: [...strict, 'img-src data:', "frame-src 'self'", unframed, trusted],
  visitor: [...strict, ...showsFlows, trusted],
  try: [...strict, ...showsFlows, unframed, trusted],
  results: [...strict, ...showsFlows, unframed, trusted],
  // Scripts of flows: an opaque origin, so neither cookies nor storage nor our page.
  'script-frame': [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'self' https: 'unsafe-eval'",
    'connect-src https: http:',
    'img-src https: data:',
    "base-uri 'none'",
  ],
  // The form of the provider of payments, whose script runs nowhere else.
  'payment-frame': [
    "default-src 'none'",
    "script-src 'self' https://js.stripe.com https://*.js.stripe.com",
    'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    'connect-src https://api.stripe.com',
    'img-src https://*.stripe.com data:',
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
  ],
}

/**
 * The sites that may show the page of a flow in a frame: those that it allows, and any where it allows all. Without those
 * that no policy can name: `null`, and what is no origin.
 */
export function framersOf(allowedOrigins: readonly string[]): string {
  if (allowedOrigins.length === 0) return ''
  const named = allowedOrigins.filter((origin) => /^[a-z][a-z\d+.-]*:\/\/[a-z\d.:-]+$/i.test(origin))
  return ["; frame-ancestors 'self'", ...named].join(' ')
}

/** The value of `content-security-policy` for a page, with further sources, each with a blank before it. */
export function policyOf(
  page: PageName,
  { scripts = '', styles = '', fonts = '', connects = '' } = {},
): string {
  return policies[page]
    .join('; ')
    .replace("script-src 'self'", `$&${scripts}`)
    .replace("style-src 'self'", `$&${styles}`)
    .replace("font-src 'self'", `$&${fonts}`)
    .replace("connect-src 'self'", `$&${connects}`)
}
