import { levels } from '../src/lint/levels.ts'
import type { Rule } from '../src/lint/rule.ts'
import { ruleChapters } from '../src/lint/rules/index.ts'

const introduction = `# Rules of the linter

What \`POST /v1/flows/validate\` ([api.md, 4.17](api.md#417-post-v1flowsvalidate)) and the publication of a flow look for. Each rule has a
code that never changes and a severity: \`error\` for what fails, \`warning\` for what probably does, \`info\` for what is worth
a look. \`npm run docs\` writes this page from the rules in \`src/lint/rules\`.

A part of a flow can ask for silence: \`"lint": {"ignore": ["<code>"]}\` in a block, a group, an edge, an event or a
variable holds for everything inside it. A check can set the level of each rule (\`${levels.join('`, `')}\`).
`

/** The page that describes every rule (`docs/rules.md`). */
export function rulesPage(): string {
  const rows = ruleChapters.flatMap(({ rules }) => rules.map(rowOf))
  const chapters = ruleChapters.flatMap(({ title, rules }) => [
    `## ${title}`,
    '',
    ...rules.flatMap(sectionOf),
  ])
  return [introduction, '| Code | Severity | Finds |', '|---|---|---|', ...rows, '', ...chapters].join('\n')
}

const rowOf = ({ code, severity, title }: Rule) => `| [\`${code}\`](#${code}) | ${severity} | ${title} |`

const sectionOf = ({ code, severity, title, description }: Rule) => [
  `### ${code}`,
  '',
  `${title} (${severity}).`,
  '',
  description,
  '',
]
