import { listSettings } from '../src/config/environment-schema.ts'

const introduction = `# Configuration

Environment variables, checked when the service starts: every mistake is reported at once. \`--help\` prints this table,
and \`npm run docs\` writes this page from the schema in \`src/config/environment-schema.ts\`. A variable that is set to nothing counts as absent, save those of
tokens, keys and secrets (\`…_TOKEN\`, \`…_KEY\`, \`…_SECRET\`): an empty one is a mistake, and the service does not start.
`

/** The page that lists every environment variable (\`docs/configuration.md\`). */
export function configurationPage(): string {
  const rows = listSettings().map(
    ({ name, defaultText, description }) =>
      `| \`${name}\` | ${defaultText === '' ? '–' : `\`${defaultText}\``} | ${description} |`,
  )
  return [introduction, '| Name | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
}
