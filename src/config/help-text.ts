import { listSettings, type Setting } from './environment-schema.ts'

const filesLine = '  Each secret may come from a file instead: ADMIN_TOKEN_FILE=/run/secrets/admin-token'

/** Part of `--help` about the configuration: every variable that the service reads. */
export function helpText(): string {
  const settings = listSettings()
  const nameWidth = widest(settings, ({ name }) => name)
  const defaultWidth = widest(settings, ({ defaultText }) => defaultText)
  const lines = settings.map(
    ({ name, defaultText, description }) =>
      `  ${name.padEnd(nameWidth)}  ${(defaultText || '-').padEnd(defaultWidth)}  ${description}`,
  )
  return ['Environment variables of the service, with their defaults:', '', ...lines, '', filesLine, ''].join(
    '\n',
  )
}

function widest(settings: readonly Setting[], textOf: (setting: Setting) => string): number {
  return Math.max(...settings.map((setting) => textOf(setting).length))
}
