import { defineRule, type Rule } from '../../rule.ts'

/** Characters of a text that are looked through. */
const longestSearched = 50_000

/** Keys of well-known services; none of these patterns matches a placeholder. */
const secrets: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a key of OpenAI or Anthropic', /\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}/],
  ['a secret key of Stripe', /\b[sr]k_live_[A-Za-z0-9]{16,}/],
  ['an access key of AWS', /\bAKIA[A-Z0-9]{16}\b/],
  ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})/],
  ['a token of Slack', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ['a key of Google', /\bAIza[A-Za-z0-9_-]{35}\b/],
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/],
  ['a signed token', /\bBearer\s+eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/],
]

const secretInFlow = defineRule({
  code: 'secret-in-flow',
  severity: 'error',
  title: 'A secret that is written into the flow',
  description:
    'The text looks like a key or a token of a service. Definitions are kept, exported, shared and logged, and the options of inputs and scripts leave the service: whoever reads the flow has the key. Revoke it, and lend the flow an account of the operator in its place (`credentialsId`), or let a service of your own make the call.',
  checkBlock({ pointer, texts }, { report }) {
    for (const { at, text } of texts) {
      if (text.length < 20) continue
      const found = secrets.find(([, pattern]) => pattern.test(text.slice(0, longestSearched)))
      if (found) report({ pointer: pointer + at, message: `This looks like ${found[0]}.` })
    }
  },
})

/** Rules about texts that nobody should read. */
export const textRules: readonly Rule[] = [secretInFlow]
