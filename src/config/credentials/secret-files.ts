import { readFile, stat } from 'node:fs/promises'
import { Environment, isSecret } from '../environment-schema.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** Bytes of a file with a secret: far more than any has. */
const maxBytes = 64 * 1024

/** Variables whose texts may come from files, in which no list of processes and no description of a container shows them. */
const secrets = Object.entries(Environment.properties)
  .filter(([, schema]) => isSecret(schema))
  .map(([name]) => name)

/** The environment with what its files hold, and the file of each variable that comes from one. */
interface SecretFiles {
  readonly variables: Variables
  readonly files: ReadonlyMap<string, string>
}

/** Reads each secret whose variable with `_FILE` at its end names a file. Reports those that can't be read. */
export async function readSecretFiles(given: Variables, problems: string[]): Promise<SecretFiles> {
  const files = new Map<string, string>()
  const variables = { ...given }
  for (const name of secrets) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined) {
      problems.push(`${name}_FILE and ${name} cannot be set together: leave one of them out`)
      continue
    }
    files.set(name, path)
    try {
      variables[name] = await readSecret(path)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      problems.push(
        `${name}_FILE: ${JSON.stringify(path)} cannot be read (${code ?? message}): put the secret there, readable for this process, or name another file`,
      )
    }
  }
  return { variables, files }
}

/** The text of a file without the line end that editors and shells leave. */
async function readSecret(path: string): Promise<string> {
  const found = await stat(path)
  // A pipe or a device might never end.
  if (!found.isFile()) throw new Error('it is no file')
  if (found.size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`)
  const text = (await readFile(path, 'utf8')).replace(/\r?\n$/, '')
  // Without its secret an operation may be open to everybody, or what is said end with the process.
  if (text === '') throw new Error('it is empty')
  return text
}
