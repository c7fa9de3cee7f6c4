import { listSettings } from '../../src/config/environment-schema.ts'

/** The table of environment variables as the README shows it. */
export function configurationTable(): string {
  const rows = listSettings().map(
    ({ name, defaultText, description }) =>
      `| \`${name}\` | ${defaultText === '' ? '–' : `\`${defaultText}\``} | ${description} |`,
  )
  return ['| Name | Default | Meaning |', '|---|---|---|', ...rows].join('\n')
}
