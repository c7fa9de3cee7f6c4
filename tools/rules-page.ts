import { channels } from '../schemas/channel.ts'
import { levels, type Rule } from '../src/tooling/lint/rule.ts'
import { ruleChapters } from '../src/tooling/lint/rules/index.ts'

const introduction = `# Rules of the linter

What \`flow-runtime lint\`, \`POST /v1/flows/validate\` ([api.md, 4.17](api.md#417-post-v1flowsvalidate)) and the publication of a flow
look for. Each rule has a code that never changes and a severity: \`error\` for what fails, \`warning\` for what probably does,
\`info\` for what is worth a look. \`npm run docs\` writes this page from the rules in \`src/tooling/lint/rules\`.

## On the command line

\`\`\`sh
flow-runtime lint flows/ --fail-on warning
flow-runtime lint flows/ --format sarif > lint.sarif
flow-runtime lint flows/ --fix
flow-runtime lint flows/ --watch
flow-runtime lint flows/ --against published/ --channel whatsapp
\`\`\`

Files that are checked together know each other, for links and public ids. The command exits with 0 when nothing is as
grave as \`--fail-on\` says (\`error\`), with 1 when something is, and with 2 for wrong usage or a file that can not be read.
\`--fix\` mends what can be mended with certainty, and leaves the rest of the text as it is; \`--watch\` checks again whenever a file changes; \`--against\` names what is published
now, a file or a folder, in which a flow is found by its id; \`--channel\` names messengers that the flows are meant for
(\`${channels.join('`, `')}\`). \`--help\` lists all options.

A file that says \`"$schema"\` is taken for one that is written by hand: a key that nothing reads is an error there
([\`undeclared-key\`](#undeclared-key)).

| \`--format\` | For |
|---|---|
| \`pretty\` | people: a line for each finding, with line and column, or its pointer in a file that is one long line |
| \`json\` | programs: what a check over HTTP answers, with a \`range\` for each finding (lines and characters from 0) |
| \`github\` | GitHub Actions: annotations at the lines of a change |
| \`sarif\` | code scanning: SARIF 2.1.0, with fixes |
| \`junit\` | other CI systems: a suite for each file |

## Silence, and other levels

A part of a flow can ask for silence: \`"lint": {"ignore": ["<code>"]}\` in a block, a group, an edge, an event or a
variable holds for everything inside it.

Levels (\`${levels.join('`, `')}\`) are set by \`rules\` over HTTP, by \`--rule CODE=LEVEL\`, and by the nearest \`.flowlint.json\` in the
folder of a file or above it:

\`\`\`json
{
  "extends": "recommended",
  "rules": { "silent-end": "off", "secret-in-flow": "error" },
  "overrides": [{ "files": "drafts/**", "rules": { "unreachable-group": "info" } }]
}
\`\`\`

\`"extends": "strict"\` takes for a warning what is an info otherwise. In \`files\` \`*\` stands for anything but a slash and \`**\` for
any folders; a pattern without a slash is the name of a file in any folder.
`

/** The page that describes every rule (`docs/rules.md`). */
export function rulesPage(): string {
  const chapters = ruleChapters.flatMap(({ title, rules }) => [`## ${title}`, '', ...tableOf(rules), ''])
  return [introduction, ...chapters].join('\n')
}

const tableOf = (rules: readonly Rule[]) => [
  '| Code | Severity | Finds |',
  '|---|---|---|',
  ...rules.map(
    ({ code, severity, title, description }) =>
      `| <a id="${code}"></a>\`${code}\` | ${severity} | **${title}.** ${escapePipes(description)} |`,
  ),
]

/** A bar would end the cell, in code as well. */
const escapePipes = (text: string) => text.replaceAll('|', '\\|')
